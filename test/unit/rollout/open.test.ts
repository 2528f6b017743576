import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLines } from '../../../src/rollout/read/lines.ts'
import { openRollout } from '../../../src/rollout/read/open-fs.ts'
import { bufferSource, VanishedFileError } from '../../../src/rollout/read/source.ts'
import { decompress, hasNativeZstd } from '../../../src/rollout/read/zstd-fs.ts'

import { linesOf, messageLine, rolloutAt, writeRollout } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { zstdBomb, zstdFrame } from '../../helpers/zstd.ts'

const text = Array.from({ length: 300 }, (_, index) => `${messageLine(`Prompt ${index} ä`)}\n`).join('')
const noSpool = () => {
  throw new Error('no temporary file is needed')
}

async function linesIn(path: string, content: string | Uint8Array): Promise<string[]> {
  const source = await openRollout(writeRollout(path, content), { spoolDir: noSpool })
  try {
    return linesOf(source).lines.map((line) => line.text)
  } finally {
    source.close()
  }
}

describe('openRollout', () => {
  test('reads a plain file in place', async () => {
    expect(await linesIn(join(useTempDir(), 'a.jsonl'), 'one\ntwo\n')).toEqual(['one', 'two'])
  })

  test('opens an empty file', async () => {
    const folder = useTempDir()
    expect(await linesIn(join(folder, 'a.jsonl'), '')).toEqual([])
    expect(await linesIn(join(folder, 'a.jsonl.zst'), '')).toEqual([])
  })

  test('does not see what is appended later', async () => {
    const path = join(useTempDir(), 'a.jsonl')
    const source = await openRollout(writeRollout(path, 'one\n'), { spoolDir: noSpool })
    writeFileSync(path, 'one\ntwo\n')
    expect(linesOf(source).totals).toEqual({ lines: 1, bytes: 4 })
    source.close()
  })

  test('refuses a folder with a reason that contains no path', async () => {
    const folder = useTempDir()
    mkdirSync(join(folder, 'a.jsonl'))
    await expect(openRollout(rolloutAt(join(folder, 'a.jsonl')), { spoolDir: noSpool })).rejects.toThrow(
      /^it is a folder$/,
    )
  })
})

describe('compressed rollouts', () => {
  test('are read in memory if they are small', async () => {
    expect((await linesIn(join(useTempDir(), 'a.jsonl.zst'), zstdFrame(text))).join('\n')).toBe(text.trimEnd())
  })

  test('are recognised by their first bytes, not by their name', async () => {
    const folder = useTempDir()
    expect(await linesIn(join(folder, 'a.jsonl'), zstdFrame('{"a":1}\n'))).toEqual(['{"a":1}'])
    expect(await linesIn(join(folder, 'b.jsonl.zst'), '{"a":1}\n')).toEqual(['{"a":1}'])
    await expect(linesIn(join(folder, 'c.jsonl.zst'), 'PK\u0003\u0004')).rejects.toThrow('it is not a zstd file')
  })

  test('are read to the end of their last frame, and skippable frames are skipped', async () => {
    const skipped = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), Buffer.from('abc')])
    const bytes = Buffer.concat([skipped, zstdFrame('one\n'), zstdFrame('two\n')])
    expect(await linesIn(join(useTempDir(), 'a.jsonl.zst'), bytes)).toEqual(['one', 'two'])
  })

  test('go to a temporary file if they are large, which is removed when they are closed', async () => {
    const folder = useTempDir()
    const spoolDir = join(folder, 'spool')
    mkdirSync(spoolDir)
    const file = writeRollout(join(folder, 'a.jsonl.zst'), zstdFrame(text, 1000))
    const source = await openRollout(file, { spoolDir: () => spoolDir, memoryBytes: 5000 })
    expect(readdirSync(spoolDir)).toHaveLength(1)
    expect(source.size).toBe(Buffer.byteLength(text))
    expect(
      linesOf(source)
        .lines.map((line) => `${line.text}\n`)
        .join(''),
    ).toBe(text)
    source.close()
    source.close()
    expect(readdirSync(spoolDir)).toEqual([])
  })

  test('end where they are cut off, and say so', async () => {
    const folder = useTempDir()
    for (const memoryBytes of [5000, 1_000_000]) {
      const bytes = zstdFrame(text, 1000)
      const file = writeRollout(join(folder, 'a.jsonl.zst'), bytes.subarray(0, bytes.length / 2))
      const source = await openRollout(file, { spoolDir: () => folder, memoryBytes })
      expect(source.damage).toBe('its zstd data is broken or cut off')
      expect(source.size).toBeGreaterThan(text.length / 3)
      const read = linesOf(source).lines.map((line) => line.text)
      expect(text.startsWith(read.join('\n'))).toBe(true)
      source.close()
    }
    expect(readdirSync(folder)).toEqual(['a.jsonl.zst'])
  })

  test('are read up to where they are broken, and report the damage', async () => {
    const bytes = zstdFrame(text, 1000)
    bytes.fill(0xff, bytes.length - 2000)
    const source = await openRollout(writeRollout(join(useTempDir(), 'a.jsonl.zst'), bytes), { spoolDir: noSpool })
    expect(source.damage).toBe('its zstd data is broken or cut off')
    const read = linesOf(source).lines.map((line) => line.text)
    expect(read.length).toBeGreaterThan(200)
    expect(text.startsWith(read.join('\n'))).toBe(true)
    source.close()
  })

  test('are refused if nothing in them can be read', async () => {
    await expect(linesIn(join(useTempDir(), 'a.jsonl.zst'), zstdFrame(text).subarray(0, 6))).rejects.toThrow(
      'its zstd data is broken or cut off',
    )
  })

  test('cannot fill memory or disk', async () => {
    const folder = useTempDir()
    const file = writeRollout(join(folder, 'a.jsonl.zst'), zstdBomb(80))
    const limits = { memoryBytes: 1_000_000, maxBytes: 5_000_000 }
    await expect(openRollout(file, { spoolDir: () => folder, ...limits })).rejects.toThrow('limit of 5000000 bytes')
    expect(readdirSync(folder)).toEqual(['a.jsonl.zst'])
  })

  test.each([false, ...(hasNativeZstd ? [true] : [])])(
    'are decompressed alike by both decoders (native: %s)',
    async (native) => {
      const bytes = Buffer.concat([zstdFrame(text, 777), zstdFrame('tail')])
      const parts: Uint8Array[] = []
      for await (const part of decompress(bufferSource(bytes), bytes.length, native)) parts.push(part)
      expect(Buffer.concat(parts).toString()).toBe(`${text}tail`)
      await expect(async () => {
        for await (const part of decompress(
          bufferSource(Buffer.concat([bytes, Buffer.from('junk')])),
          undefined,
          native,
        )) {
          parts.push(part)
        }
      }).rejects.toThrow('its zstd data is broken or cut off')
    },
  )
})

describe('a decoder whose reader stops early', () => {
  test.each([false, ...(hasNativeZstd ? [true] : [])])('frees its memory (native: %s)', async (native) => {
    const bytes = zstdBomb(8)
    const leave = async (): Promise<void> => {
      for await (const part of decompress(bufferSource(bytes), undefined, native)) if (part.length > 0) return
    }
    await leave()
    const before = process.memoryUsage().rss
    for (let round = 0; round < 600; round++) await leave()
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(100)
  })

  test('gives a first part of a huge file without decoding the rest', async () => {
    const bytes = zstdBomb(1_000_000)
    for await (const part of decompress(bufferSource(bytes), undefined, false)) {
      expect(part.length).toBeGreaterThan(0)
      break
    }
  })
})

describe('UTF-16 rollouts', () => {
  const lines = ['{"a":"ä€😀"}', '{"b":2}']
  const littleEndian = Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le')

  test('are read as UTF-8 in both byte orders', async () => {
    const folder = useTempDir()
    expect(await linesIn(join(folder, 'a.jsonl'), littleEndian)).toEqual(lines)
    expect(await linesIn(join(folder, 'b.jsonl'), Buffer.from(littleEndian).swap16())).toEqual(lines)
  })

  test('may be compressed', async () => {
    expect(await linesIn(join(useTempDir(), 'a.jsonl.zst'), zstdFrame(littleEndian, 7))).toEqual(lines)
  })
})

describe('files that change while they are read', () => {
  test('stop the reader with an error of its own if they shrink', async () => {
    const path = join(useTempDir(), 'a.jsonl')
    const source = await openRollout(writeRollout(path, text), { spoolDir: noSpool })
    const read = () =>
      readLines(
        source,
        ({ number }) => {
          if (number === 10) truncateSync(path, 2000)
        },
        undefined,
        { chunkBytes: 1000 },
      )
    expect(read).toThrow(VanishedFileError)
    source.close()
  })

  test.skipIf(process.platform === 'win32')('do not block the program if they became a pipe', async () => {
    const path = join(useTempDir(), 'a.jsonl')
    const file = writeRollout(path, 'one\n')
    rmSync(path)
    execFileSync('mkfifo', [path])
    await expect(openRollout(file, { spoolDir: noSpool })).rejects.toThrow('it is not a regular file')
  })

  test('are reported as vanished if they are nowhere else', async () => {
    const file = writeRollout(join(useTempDir(), 'a.jsonl'), text)
    rmSync(file.path)
    await expect(openRollout(file, { spoolDir: noSpool })).rejects.toThrow(VanishedFileError)
  })

  test('are reported as vanished if they are a dangling link', async () => {
    const path = join(useTempDir(), 'a.jsonl')
    symlinkSync(join(useTempDir(), 'nothing.jsonl'), path)
    await expect(openRollout(rolloutAt(path), { spoolDir: noSpool })).rejects.toThrow(VanishedFileError)
  })

  test('are found again when Codex compressed or restored them', async () => {
    const folder = useTempDir()
    const plain = writeRollout(join(folder, 'a.jsonl'), 'one\n')
    rmSync(plain.path)
    const compressed = writeRollout(join(folder, 'a.jsonl.zst'), zstdFrame('{"two":2}\n'))
    const source = await openRollout(plain, { spoolDir: noSpool })
    expect(linesOf(source).lines[0]?.text).toBe('{"two":2}')
    source.close()
    rmSync(compressed.path)
    writeRollout(plain.path, '{"three":3}\n')
    const restored = await openRollout(compressed, { spoolDir: noSpool })
    expect(linesOf(restored).lines[0]?.text).toBe('{"three":3}')
    restored.close()
  })

  test('are found again when Codex archived or restored them', async () => {
    const home = useTempDir()
    const stamp = '2026-03-14T09-26-53'
    const base = `rollout-${stamp}-0198c0de-0000-7000-8000-000000000001.jsonl`
    const live = `sessions/2026/03/14/${base}`
    const archived = `archived_sessions/${base}`
    for (const name of [live, archived]) mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, archived), 'one\n')
    for (const [oldName, newName] of [
      [live, archived],
      [archived, live],
    ] as const) {
      if (!existsSync(join(home, newName))) renameSync(join(home, oldName), join(home, newName))
      const source = await openRollout(rolloutAt(join(home, oldName), { name: oldName, stamp }), { spoolDir: noSpool })
      expect(linesOf(source).lines[0]?.text).toBe('one')
      source.close()
    }
  })
})
