/** People and machines that a session names before the prompt that reveals who they are. */

import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { promptsInLine } from '../../../src/redact/personal/prompts.ts'
import { person, prompts } from '../../helpers/personal.ts'
import * as r from '../../helpers/records.ts'
import { showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { shareTempDir } from '../../helpers/temp.ts'

const folder = shareTempDir()
const { user, host } = person

/** Names in several places before the prompt, which occurs only in the last output. */
function records(prompt: string): r.Json[] {
  return [
    r.meta({ id: threadNumber(1), timestamp: r.instant(0), cwd: '/root/shop' }),
    r.userItem(`Why does ${host} not answer?`),
    ...r.command('c1', 'cat log', 0, `connect to ${host}: refused\n/srv/${user}/x: denied\n`),
    ...r.command('c2', 'expect session', 0, `logged in\n${prompt}\n`),
  ]
}

describe('names that only a later prompt reveals are replaced', () => {
  test.each(prompts.filter(({ text }) => text.includes(user)))('$kind', async ({ kind, text }) => {
    const home = writeHome(join(folder, kind.replaceAll(/\W/g, '-')), { [threadNumber(1)]: records(text) })
    for (const format of ['md', 'json'] as const) {
      const shown = await showFrom(home, threadNumber(1), { format })
      expect(shown.text).toContain('connect to host: refused')
      expect(shown.text).not.toContain(host)
      expect(shown.text).not.toContain(user)
    }
  })
})

describe('shell prompts in the bytes of a line', () => {
  let found: (text: string) => readonly string[]
  beforeAll(() => {
    found = (text) => promptsInLine(Buffer.from(JSON.stringify({ output: text })))
  })

  test('are found after line ends, colours and escapes of JSON inside JSON', () => {
    expect(found('a\nada@box-1:~$ ls\nada@box-1:~$')).toEqual(['ada@box-1', 'ada@box-1'])
    expect(found(JSON.stringify({ out: 'x\n\u001B[32mada\u001B[0m@\u001B[1mbox-1\u001B[0m:~$ ' }))).toEqual([
      'ada@box-1',
    ])
    expect(found('ada@box-1:~$')).toEqual(['ada@box-1'])
    expect(found('┌──(ada㉿box-1)-[~]\n└─$ ls')).toEqual(['ada@box-1'])
  })

  test('are found in bounded time, whatever surrounds the @ signs', () => {
    expect(found('a@b:~'.repeat(40_000))).toEqual([])
  })

  test('are not confused with other texts that contain such a sign', () => {
    expect(found('npm i left-pad@1.3.0\n@media print {}\nada@example.org\ngit@forge.example:a/b.git')).toEqual([])
  })
})
