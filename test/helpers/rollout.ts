/** Invented rollouts, and the reader's view of them. */
import { statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { RolloutFile } from '../../src/rollout/discover/rollout.ts'
import { type Line, type LineOptions, type LineRange, readLines } from '../../src/rollout/read/lines.ts'
import { type ByteSource, bufferSource } from '../../src/rollout/read/source.ts'

/** A thread id that ends in a number. */
export function threadId(number: number): string {
  return `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`
}

/** A `session_meta` line without a newline. */
export function metaLine(payload: Readonly<Record<string, unknown>>): string {
  const timestamp = '2026-03-14T09:26:53.589Z'
  return JSON.stringify({
    timestamp,
    type: 'session_meta',
    payload: { timestamp, cwd: '/home/ada/engine', ...payload },
  })
}

/** An ordinary line without a newline. */
export function messageLine(message: string): string {
  return JSON.stringify({
    timestamp: '2026-03-14T09:27:00.000Z',
    type: 'event_msg',
    payload: { type: 'user_message', message },
  })
}

/** The record of a file as discovery would create it. */
export function rolloutAt(path: string, overrides: Partial<RolloutFile> = {}): RolloutFile {
  const name = basename(path)
  return {
    path,
    name,
    home: '',
    archived: false,
    compression: name.endsWith('.zst') ? 'zstd' : 'none',
    format: name.endsWith('.json') ? 'document' : 'lines',
    bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    mtimeMs: 0,
    ...overrides,
  }
}

/** Writes a file and returns its record. */
export function writeRollout(path: string, content: string | Uint8Array): RolloutFile {
  writeFileSync(path, content)
  return rolloutAt(path)
}

/** A line with its content as text. */
export type TextLine = Omit<Line, 'bytes'> & { text: string }

/** All lines, with copies of their content. */
export function linesOf(
  source: ByteSource | string | Uint8Array,
  range?: LineRange,
  options?: LineOptions,
): { lines: TextLine[]; totals: { lines: number; bytes: number } } {
  const lines: TextLine[] = []
  const collect = ({ bytes, ...line }: Line) => lines.push({ ...line, text: bytes.toString('utf8') })
  const totals = readLines(sourceOf(source), collect, range, options)
  return { lines, totals }
}

function sourceOf(source: ByteSource | string | Uint8Array): ByteSource {
  if (typeof source === 'string') return bufferSource(Buffer.from(source))
  return source instanceof Uint8Array ? bufferSource(source) : source
}
