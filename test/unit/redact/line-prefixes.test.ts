/** What a tool puts before each line does not hide a value below its name. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const first = `${noise(801, 4)}#7${noise(802, 3)}`
const second = `${noise(803, 3)}9${noise(804, 3)}`
const filled = (text: string): string => text.replaceAll('‹1›', first).replaceAll('‹2›', second)

/** Each puts something before a line. */
const tools: readonly (readonly [name: string, before: (line: string, index: number) => string])[] = [
  ['an added line of a diff', (line) => `+${line}`],
  ['a removed line of a diff', (line) => `-${line}`],
  ['nl', (line, index) => `${String(index + 1).padStart(6)}\t${line}`],
  ['grep in one file', (line, index) => `${index + 7}:${line}`],
  ['grep in several files', (line, index) => `conf/app-1.yml:${index + 7}:${line}`],
  ['grep with context', (line, index) => `conf/app.yml-${index + 7}-${line}`],
  ['an editor', (line, index) => `${String(index + 98).padStart(4)} │ ${line}`],
  ['blame', (line, index) => `a3f9c2d1 (Ada Lovelace 2026-03-14 09:00:00 +0100 ${index + 3}) ${line}`],
  ['a quotation', (line) => `> ${line}`],
  ['docker compose', (line) => `shop-web-1  | ${line}`],
  ['a log with times', (line, index) => `2026-03-14T09:00:0${index}.123Z app[web.1]: ${line}`],
  ['a log of containers', (line, index) => `2026-03-14T09:00:0${index}.123456789Z ${line}`],
  ['a log of a system', (line, index) => `Mar 14 09:00:0${index} web-1 app[71]: ${line}`],
  ['a log of a job', (line, index) => `build\tRun tests\t2026-03-14T09:00:0${index}.1234567Z ${line}`],
]
const shapes: readonly (readonly [name: string, text: string, kept: string])[] = [
  ['a folded block', 'db:\n  password: >-\n    ‹1›\n  user: ada\n', 'user: ada'],
  ['a literal block', 'password: |\n  ‹1›\n  ‹2›\nuser: ada\n', 'user: ada'],
  ['a value of several lines', 'password: ‹1›\n  ‹2›\nuser: ada\n', 'user: ada'],
  ['a string of several lines', 'password: "‹1›\n  ‹2›"\nuser: ada\n', 'user: ada'],
  ['a string in the next line', 'password:\n  "‹1›"\nuser: ada\n', 'user: ada'],
  [
    'a name and a value',
    'env:\n  - name: DB_PASSWORD\n    value: ‹1›\n  - name: DB_USER\n    value: ada\n',
    'value: ada',
  ],
  ['a heading', 'Password\n‹1›\n\nUser: ada\n', 'User: ada'],
  ['the answer to a command', '$ cat ~/.vault_pass\n‹1›\n$ ls\n', '$ ls'],
  ['the answer to a command with an indent', '$ pass show shop/db\n  ‹1›\n$ ls\n', '$ ls'],
  ['a login', 'machine git.internal\n  login ada\n  password ‹1›\nmachine x\n', 'login ada'],
  ['an account of a mail client', 'user ada\npassword ‹1›\nhost mail.internal\n', 'user ada'],
  ['a dump of PHP', '  ["password"]=>\n  string(8) "‹1›"\n  ["user"]=>\n', '["user"]=>'],
  ['a table of Vault', '====== Data ======\nKey     Value\n---     -----\nlive    ‹1›\n\nstatus ok\n', 'status ok'],
  ['a script of expect', 'expect "password: "\nsend "‹1›\\r"\nexpect eof\n', 'expect eof'],
  ['users of cloud-init', 'chpasswd:\n  list: |\n    ada:‹1›\n  expire: false\n', 'expire: false'],
]

describe.each(tools)('%s', (_tool, before) => {
  test.each(shapes)('does not hide %s', (_shape, given, kept) => {
    const lines = filled(given).trimEnd().split('\n').map(before)
    for (const end of ['\n', '\r\n']) {
      const result = redacted(lines.join(end) + end)
      expect(result).not.toContain(first)
      expect(result).not.toContain(second)
      expect(result).toContain(kept)
      expect(result.startsWith(lines[0]?.slice(0, lines[0].indexOf(':')) ?? '')).toBe(true)
    }
  })
})

test('both values of a changed line below its name are found', () => {
  const result = redacted(filled(' - name: DB_PASSWORD\n-  value: ‹1›\n+  value: ‹2›\n   user: ada\n'))
  expect(result).toBe(
    ' - name: DB_PASSWORD\n-  value: [redacted:named-secret]\n+  value: [redacted:named-secret#2]\n   user: ada\n',
  )
})

test.each([
  ['a list of names', '- password\n- tokenizer2\n- user\n'],
  ['a block of another name', `+password: ""\n+description: |\n+  ${second}\n`],
  ['a diff of code', '+const token = read(\n+  tokens, at4,\n+)\n'],
])('%s loses nothing', (_what, text) => {
  expect(redacted(text)).toBe(text)
})
