/** Runs `show` over invented homes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { show } from '../../src/cli/show/show.ts'
import type { ShowOptions } from '../../src/cli/show/target.ts'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { decoded } from '../../src/util/pieces.ts'
import { envelopes, type Json } from './records.ts'
import { plainShow, quietHost } from './surroundings.ts'

/** Writes a Codex home with a rollout for each thread id and returns its path. */
export function writeHome(folder: string, threads: Readonly<Record<string, readonly Json[]>>): string {
  const home = join(folder, 'home')
  const day = join(home, 'sessions', '2026', '03', '14')
  mkdirSync(day, { recursive: true })
  for (const [id, records] of Object.entries(threads)) {
    const lines = envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
    writeFileSync(join(day, `rollout-2026-03-14T09-00-00-${id}.jsonl`), lines.join(''))
  }
  return home
}

/** What `show` wrote. */
export interface Shown {
  text: string
  pieces: string[]
  diagnostics: Diagnostic[]
}

/** Shows a thread of a home; `fields` override the options. */
export async function showFrom(
  home: string,
  target: string | undefined,
  fields: Partial<ShowOptions> = {},
): Promise<Shown> {
  const pieces: string[] = []
  const diagnostics: Diagnostic[] = []
  await show(
    {
      ...plainShow(),
      homes: [{ path: home }],
      target,
      targetPath: target,
      projects: [],
      format: 'md',
      withAgents: false,
      maxInline: 20 * 1024 * 1024,
      choose: undefined,
      write: async (piece) => {
        pieces.push(typeof piece === 'string' ? piece : decoded(piece))
      },
      ...fields,
    },
    quietHost({ homeDir: home, report: (item) => diagnostics.push(item) }),
  )
  return { text: pieces.join(''), pieces, diagnostics }
}
