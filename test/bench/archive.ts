/** Archives for measurements: those of the corpus's generator, or the sample home. */

import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scratch } from './measure.ts'

/** This checkout. */
export const root: string = resolve(import.meta.dirname, '../..')

/** The size of an archive; `bytes` as the generator reads it: `300k`, `100m`. */
export interface ArchiveSize {
  sessions: string
  bytes: string
}

/**
 * Creates an archive below `scratch`; returns its home. Without a generator it is the sample home, whatever the size.
 */
export function makeArchive({ sessions, bytes }: ArchiveSize): string {
  const shared = process.env['CODEX_EXPORT_CORPUS'] ?? join(root, '../shared')
  const generator = join(shared, 'tools/gen-corpus.mjs')
  if (!existsSync(generator)) return join(root, 'fixtures/home')
  const out = join(scratch, `archive-${sessions}-${bytes}`)
  // Sizes vary as real ones do; a single session has exactly the requested size.
  const spread = sessions === '1' ? ['--spread', 'fixed'] : []
  const size = ['--sessions', sessions, '--bytes-per-session', bytes, ...spread]
  execFileSync(process.execPath, [generator, '--out', out, ...size, '--quiet', '--source', join(root, 'src')])
  return out
}

/** Creates one rollout of many short lines: answers of one line, one turn per hundred lines. Returns its home. */
export function makeShortLines(lines: number): string {
  const home = join(scratch, `lines-${lines}`)
  const folder = join(home, 'sessions/2026/01/05')
  const id = '019b8d3b-0000-7000-8000-000000000001'
  mkdirSync(folder, { recursive: true })
  const file = openSync(join(folder, `rollout-2026-01-05T10-00-00-${id}.jsonl`), 'w')
  const at = (line: number): string => new Date(Date.UTC(2026, 0, 5, 10) + line * 100).toISOString()
  const record = (line: number, type: string, payload: object): string =>
    `${JSON.stringify({ timestamp: at(line), type, payload })}\n`
  let pending = record(0, 'session_meta', { id, timestamp: at(0), cwd: '/home/user/app', cli_version: '0.98.0' })
  for (let line = 1; line < lines; line++) {
    const isPrompt = line % 100 === 1
    const type = isPrompt ? 'user_message' : 'agent_message'
    pending += record(line, 'event_msg', { type, message: `Line ${line}.` })
    if (pending.length < 1 << 20 && line < lines - 1) continue
    writeSync(file, pending)
    pending = ''
  }
  closeSync(file)
  return home
}

/** The rollouts of homes, smallest first. */
export function rolloutsOf(homes: readonly string[]): { path: string; size: number }[] {
  return homes
    .flatMap((home) => readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name)))
    .filter((path) => /rollout-[^/\\]*\.jsonl$/.test(path))
    .map((path) => ({ path, size: statSync(path).size }))
    .toSorted((a, b) => a.size - b.size)
}
