/** Two builds of one site, whose homes and options differ in everything that a swap can meet. */
import { join } from 'node:path'
import { runCli } from './cli.ts'
import { writeFolder } from './folder.ts'
import * as r from './records.ts'
import { threadId } from './rollout.ts'

/** A session with some prompts and an answer to each; many of them need several pages. */
function writeSession(home: string, number: number, prompts: number, word: string): void {
  const id = threadId(number)
  const turns = Array.from({ length: prompts }, (_, index) => [
    r.userItem(`${word} ${index} ${'lantern '.repeat(index % 40)}`),
    r.answerItem(`Answer ${index}: ${'meadow '.repeat(120)}`),
  ])
  const records = [r.meta({ id, timestamp: r.instant(number), cwd: `/work/${number % 3}` }), ...turns.flat()]
  const text = r.envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
  const month = number % 2 === 0 ? '03' : '04'
  writeFolder(home, { [`sessions/2026/${month}/14/rollout-2026-${month}-14T09-00-00-${id}.jsonl`]: text.join('') })
}

/**
 * Builds both below a folder, as `old` and `new`: sessions that disappear, appear, grow and stay, with another title.
 */
export async function buildSites(folder: string): Promise<{ old: string; next: string }> {
  const [before, after] = [join(folder, 'home-old'), join(folder, 'home-new')]
  for (const number of [1, 2, 3, 4]) writeSession(before, number, number === 3 ? 260 : 3, `quokka${number}`)
  for (const number of [2, 3, 4, 5, 6])
    writeSession(after, number, number === 3 || number === 6 ? 300 : 4, `numbat${number}`)
  // The new site has another appearance too: its pages load another style sheet.
  writeFolder(folder, {
    'old.mjs': 'export default { title: "Old title" }',
    'new.mjs': 'export default { title: "New title", templatesDir: "theme" }',
    'theme/assets/print.css': '@layer print {\n  body {\n    color: #000;\n  }\n}\n',
  })
  for (const [home, out] of [
    [before, 'old'],
    [after, 'new'],
  ] as const) {
    const env = { XDG_CACHE_HOME: join(folder, 'cache') }
    const args = ['build', '--codex-home', home, '--out', out, '--config', `${out}.mjs`]
    const run = await runCli(args, { cwd: folder, env })
    if (run.status !== 0) throw new Error(run.stderr)
  }
  return { old: join(folder, 'old'), next: join(folder, 'new') }
}
