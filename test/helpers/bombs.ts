/** Rollouts that are small or ordinary on disk but would cost a lot of memory, disk or time. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import * as r from './records.ts'
import { threadNumber } from './summary.ts'
import { zstdBomb, zstdFrame } from './zstd.ts'

/** A file of the home: what it is, and the diagnostics that it must cause, as `rule` or `rule:line`. */
export interface Bomb {
  what: string
  expected: string[]
  /** Its bytes after the ordinary beginning, or all bytes if it is compressed. */
  content: { zstd: Uint8Array } | { pieces: Iterable<string | Uint8Array> }
}

/** The first lines of an ordinary session. */
function ordinary(id: string): string {
  const records = [
    r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/engine' }),
    r.userItem('Mend the gate'),
    r.answerItem('Done'),
  ]
  return r
    .envelopes(records)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

function* repeated(piece: string | Uint8Array, times: number): Generator<string | Uint8Array> {
  for (let count = 0; count < times; count++) yield piece
}

function* around(head: string, pieces: Iterable<string | Uint8Array>, tail: string): Generator<string | Uint8Array> {
  yield head
  yield* pieces
  yield tail
}

const envelope = `{"timestamp":"${r.instant(9)}","type":"event_msg","payload":`
const prompt = `{"timestamp":"${r.instant(9)}","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"`

/** A frame with one byte of its header changed. */
function changed(id: string, at: number, byte: number): Uint8Array {
  const frame = Buffer.from(zstdFrame(ordinary(id)))
  frame[at] = byte
  return frame
}

/** A skippable frame of that many bytes, and nothing else. */
function skippable(length: number): Uint8Array {
  const frame = Buffer.alloc(8 + length)
  frame.writeUInt32LE(0x18_4d_2a_50, 0)
  frame.writeUInt32LE(length, 4)
  return frame
}

const mebibyte = 1024 * 1024

/** The bombs; each is a separate file. */
export const bombs: readonly Bomb[] = [
  {
    what: 'zstd that unfolds to 32,000 times its size',
    expected: ['missing-head', 'unreadable-file'],
    content: { zstd: zstdBomb(4096) },
  },
  {
    what: 'zstd that is cut off',
    expected: ['damaged-compression', 'torn-last-line:2'],
    content: { zstd: zstdFrame(ordinary(threadNumber(2))).subarray(0, 200) },
  },
  {
    what: 'zstd that needs a dictionary',
    expected: ['unreadable-file'],
    content: { zstd: changed(threadNumber(3), 4, 0x01) },
  },
  { what: 'zstd with nothing but a frame to skip', expected: ['empty-file'], content: { zstd: skippable(100_000) } },
  {
    what: 'zstd with a window of 2 GiB',
    expected: ['unreadable-file'],
    content: { zstd: changed(threadNumber(5), 5, 21 << 3) },
  },
  {
    what: 'JSON that nests 100,000 deep',
    expected: ['deep-json:4'],
    content: { pieces: [`${envelope}${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`] },
  },
  {
    what: 'a line with a text of 64 MiB',
    expected: ['oversized-line:4'],
    content: { pieces: around(prompt, repeated(Buffer.alloc(mebibyte, 'x'), 64), '"}]}}\n') },
  },
  {
    what: 'a text of ten million escaped NUL characters',
    expected: ['oversized-line:4'],
    content: { pieces: around(prompt, repeated('\\u0000'.repeat(100_000), 100), '"}]}}\n') },
  },
  {
    what: '32 MiB of NUL bytes',
    expected: ['damaged-line:4', 'oversized-line:4'],
    content: { pieces: repeated(Buffer.alloc(mebibyte), 32) },
  },
  {
    what: '30,000 lines that are no records',
    expected: ['unknown-record', 'unknown-record:4', 'unknown-kind'],
    content: { pieces: repeated('{}\n'.repeat(1000), 30) },
  },
  {
    what: '30,000 damaged lines',
    expected: ['damaged-line', 'damaged-line:4'],
    content: { pieces: repeated('[]x\n'.repeat(1000), 30) },
  },
  {
    what: 'a line of a million records',
    expected: ['damaged-line:4', 'oversized-line:4'],
    content: { pieces: repeated('{"a":1}'.repeat(10_000), 100) },
  },
  {
    what: 'a line that opens two million objects',
    expected: ['deep-json:4'],
    content: { pieces: repeated('{"a":'.repeat(10_000), 200) },
  },
  {
    what: 'a record of six million values',
    expected: ['damaged-line:4', 'oversized-line:4'],
    content: { pieces: around(`${envelope}{"v":[`, repeated('{},'.repeat(100_000), 64), '0]}}\n') },
  },
]

/**
 * Writes an ordinary session and the bombs into a home below a folder; returns its path. The bomb at `index` is
 * thread `index + 1`.
 */
export function writeBombs(folder: string): string {
  const home = join(folder, 'home')
  const day = join(home, 'sessions', '2026', '03', '14')
  mkdirSync(day, { recursive: true })
  const pathOf = (number: number): string => join(day, `rollout-2026-03-14T09-00-00-${threadNumber(number)}.jsonl`)
  writeFileSync(pathOf(bombs.length + 1), ordinary(threadNumber(bombs.length + 1)))
  for (const [index, { content }] of bombs.entries()) {
    if ('zstd' in content) writeFileSync(`${pathOf(index + 1)}.zst`, content.zstd)
    else writePieces(pathOf(index + 1), around(ordinary(threadNumber(index + 1)), content.pieces, ''))
  }
  return home
}

function writePieces(path: string, pieces: Iterable<string | Uint8Array>): void {
  const descriptor = openSync(path, 'w')
  try {
    for (const piece of pieces) writeSync(descriptor, typeof piece === 'string' ? Buffer.from(piece) : piece)
  } finally {
    closeSync(descriptor)
  }
}
