/**
 * Secrets in commands of code-mode scripts are redacted in the command, in the script, and wherever else they occur.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noise } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { showFrom } from '../../helpers/show.ts'
import { writeSession } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)
/** Synthetic values that are no tokens in this form. */
const word = `${noise(5, 7)}x4Q${noise(6, 7)}`
const key = ['sk', 'proj', `${word}${word}Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0`].join('-')

async function redacted(code: string, ...parts: string[]): Promise<string> {
  const head = { type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' }
  const output = [head, ...parts.map((text) => ({ type: 'input_text', text }))]
  const folder = useTempDir()
  writeSession(folder, id, [r.userItem('Hello there'), r.customCall('x', 'exec', code), r.customOutput('x', output)])
  const { text } = await showFrom(join(folder, 'home'), id, { format: 'json' })
  return text
}

describe('a secret of a script', () => {
  it.each([
    ['an environment', `PGPASSWORD=${word} psql -h db`],
    ['an option', `mysql --password=${word} -u root`],
    ['a header', `curl -H \\"Authorization: Bearer ${key}\\" https://api.example.com`],
  ])('is redacted in %s', async (_where, command) => {
    const code = `const r = await tools.exec_command({cmd:"${command}"}); text(r.output)`
    const text = await redacted(code, 'ok\n')
    expect(text).not.toContain(word)
    expect(text).toContain('tools.exec_command')
    expect(text).toContain('[redacted:')
  })

  const weak = ['hun', 'ter2'].join('')
  it.each([
    ['double quotes', `"PGPASSWORD=${weak} psql -h db"`],
    ['single quotes', `'echo \\'a\\' && PGPASSWORD=${weak} psql'`],
    ['a template', `\`cd /w\\nPGPASSWORD=${weak} psql\``],
    ['escapes', `"PGPASSWORD\\u003d${weak} psql"`],
  ])('that only its command line reveals is redacted in %s, in one call or several', async (_where, command) => {
    const one = `const r = await tools.exec_command({cmd: ${command}}); text(r.output)`
    for (const code of [one, `${one}; await tools.exec_command({cmd: "make"})`]) {
      const text = await redacted(code, 'ok')
      expect(text).not.toContain(weak)
      expect(text).toContain('text(r.output)')
    }
  })

  it('that the script puts together is known in what it printed', async () => {
    const half = Math.floor(word.length / 2)
    const code = `const p = "${word.slice(0, half)}" + "${word.slice(half)}"; text((await tools.exec_command({cmd: "PGPASSWORD=" + p + " psql"})).output)`
    expect(await redacted(code, `login with ${word} ok`)).not.toContain(word)
  })

  it('does not hide the rest of the script', async () => {
    const code = 'const r = await tools.exec_command({cmd: "git log --oneline"}); text(r.output)'
    expect(await redacted(code)).toContain(JSON.stringify(code))
  })
})
