import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SwapStep } from '../../../src/features/memory/files/draft-fs.ts'
import { openSwap, type SwapOptions } from '../../../src/features/memory/files/rollout-swap-fs.ts'
import { backupKey } from '../../../src/rollout/discover/names.ts'
import { claimOwner, releaseOwner } from '../../../src/util/process-owner-fs.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { startWriter, type Writer } from '../../helpers/writer.ts'

/** A rollout in a folder of its own, and a program that may have it open. */
function rollout(): { path: string; folder: string; writer: Writer } {
  const outer = useTempDir()
  const folder = join(outer, 'sessions')
  mkdirSync(folder)
  const path = join(folder, 'rollout-1.jsonl')
  writeFileSync(path, 'old 1\nold 2\n')
  return { path, folder, writer: startWriter(outer) }
}

/** Replaces the rollout by one without its last line. */
function swapped(path: string, options: SwapOptions): number {
  const swap = openSwap(path, options)
  try {
    swap.draft([Buffer.from('old 1\n')])
    return swap.commit({ mtimeMs: swap.mtimeMs + 1 })
  } finally {
    swap.abort()
  }
}

/** Does something when a step comes for the first or another time. */
function at(action: SwapStep['action'], act: () => void, occurrence = 1): SwapOptions {
  let seen = 0
  return {
    beforeStep: (step) => {
      if (step.action === action && ++seen === occurrence) act()
    },
  }
}

function both(one: SwapOptions, other: SwapOptions): SwapOptions {
  return {
    beforeStep: (step) => {
      one.beforeStep?.(step)
      other.beforeStep?.(step)
    },
  }
}

describe.skipIf(process.platform !== 'linux')('a program that has the rollout open', () => {
  test.each(['a', 'r+', 'w'])('is named and keeps its file, opened with %s', (flags) => {
    const { path, folder, writer } = rollout()
    const before = flags === 'w' ? '' : readFileSync(path, 'utf8')
    writer.open(path, flags)
    expect(() => swapped(path, {})).toThrow(
      new RegExp(`\`node\` \\(process ${writer.pid}\\) has \`rollout-1.jsonl\` open`),
    )
    expect(() => swapped(path, { assumeClosed: true })).toThrow('Close that session first')
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(readdirSync(folder)).toEqual(['rollout-1.jsonl'])
  })

  test('is found through a hard link, a symbolic link and after the file was renamed', () => {
    const { path, folder, writer } = rollout()
    const [hard, soft, moved] = ['hard', 'soft', 'moved'].map((name) => join(folder, '..', name)) as [
      string,
      string,
      string,
    ]
    linkSync(path, hard)
    symlinkSync(path, soft)
    for (const name of [hard, soft]) {
      writer.open(name)
      expect(() => swapped(path, {})).toThrow(`process ${writer.pid}`)
      writer.close()
    }
    writer.open(path)
    renameSync(path, moved)
    expect(() => swapped(moved, {})).toThrow(`process ${writer.pid}`)
  })

  test('may read it, and continues to read the old bytes', () => {
    const { path, writer } = rollout()
    writer.open(path, 'r')
    expect(swapped(path, {})).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe('old 1\n')
  })

  test('may have another file open', () => {
    const { path, folder, writer } = rollout()
    writer.open(join(folder, 'rollout-2.jsonl'))
    expect(swapped(path, {})).toBe(0)
  })
})

describe.skipIf(process.platform !== 'linux')('no line that is written during a swap is lost', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `new ${index + 1}`)

  test.each(['write', 'sync', 'probe', 'link', 'rename'] as const)(
    'if a program writes before the step %s',
    (action) => {
      const { path, writer } = rollout()
      const early = () => {
        writer.open(path)
        for (const line of lines) writer.write(line)
        writer.close()
      }
      let refused: unknown
      try {
        swapped(path, at(action, early))
      } catch (error) {
        refused = error
      }
      const linesAfter = readFileSync(path, 'utf8').split('\n')
      expect(linesAfter.filter((line) => line.startsWith('new'))).toEqual(lines)
      // Before the last probe the swap is refused; after it, the lines are carried over.
      expect(refused === undefined).toBe(action === 'link' || action === 'rename')
      expect(linesAfter.includes('old 2')).toBe(refused !== undefined)
    },
  )

  test('if a program opens the file after the last probe and keeps it open: the old file is put back', () => {
    const { path, folder, writer } = rollout()
    const late = at('rename', () => {
      writer.open(path)
      writer.write('new 1')
    })
    expect(() => swapped(path, late)).toThrow(`process ${writer.pid}`)
    for (const line of lines.slice(1)) writer.write(line)
    expect(readFileSync(path, 'utf8')).toBe(`old 1\nold 2\n${lines.join('\n')}\n`)
    expect(readdirSync(folder)).toEqual(['rollout-1.jsonl'])
  })

  test('if a program opens the file after the last probe and closes it during the next one', () => {
    const { path, writer } = rollout()
    const opened = at('rename', () => writer.open(path))
    const said = at('probe', () => writer.write('new 1'), 2)
    const closed = at('probe', () => writer.close(), 2)
    expect(swapped(path, both(opened, both(said, closed)))).toBe('new 1\n'.length)
    expect(readFileSync(path, 'utf8')).toBe('old 1\nnew 1\n')
  })

  test('if another program writes to the new file before the old one is put back', () => {
    const { path, folder, writer } = rollout()
    const late = at('rename', () => writer.open(path))
    const other = at('probe', () => appendFileSync(path, 'other 1\n'), 2)
    expect(() => swapped(path, both(late, other))).toThrow(`process ${writer.pid}`)
    writer.write('new 1')
    expect(readFileSync(path, 'utf8')).toBe('old 1\nold 2\nother 1\nnew 1\n')
    expect(readdirSync(folder)).toEqual(['rollout-1.jsonl'])
  })

  test('if another program writes to the new file right before the old one is put back', () => {
    const { path, writer } = rollout()
    const late = at('rename', () => writer.open(path))
    const other = at('rename', () => appendFileSync(path, 'other 1\n'), 2)
    expect(() => swapped(path, both(late, other))).toThrow(`process ${writer.pid}`)
    expect(readFileSync(path, 'utf8')).toBe('old 1\nold 2\nother 1\n')
  })

  test('if another program replaces the new file by its own', () => {
    const { path, writer } = rollout()
    const late = at('rename', () => writer.open(path))
    const other = at(
      'probe',
      () => {
        writeFileSync(`${path}.other`, 'old 1\nother 1\n')
        renameSync(`${path}.other`, path)
      },
      2,
    )
    expect(() => swapped(path, both(late, other))).toThrow('is still writing to the old file')
    writer.write('new 1')
    writer.close()
    expect(() => swapped(path, {})).toThrow('is back in `rollout-1.jsonl`')
    expect(readFileSync(path, 'utf8')).toBe('old 1\nother 1\nnew 1\n')
  })

  test.each([
    ['at its end', 'old 1\nnew 1\nnew 2\n', true],
    ['before lines of its own', 'old 1\nnew 1\nnew 2\nlater\n', true],
    ['in part, cut off within a line', 'old 1\nnew 1\nne', false],
  ])('after a kill, and none is repeated that the rollout contains %s', (_, held, isWhole) => {
    const { path, folder, writer } = rollout()
    const opened = at('rename', () => writer.open(path))
    const killed = at('probe', () => expect.fail('killed'), 2)
    expect(() => swapped(path, both(opened, killed))).toThrow('killed')
    writer.write('new 1')
    writer.write('new 2')
    writer.close()
    writeFileSync(path, held)
    const swap = () => openSwap(path).abort()
    if (isWhole) swap()
    else expect(swap).toThrow('is back in `rollout-1.jsonl`')
    expect(readFileSync(path, 'utf8')).toBe(isWhole ? held : 'old 1\nnew 1\nnew 2\n')
    expect(readdirSync(folder)).toEqual(['rollout-1.jsonl'])
  })

  test('after a kill that follows the rename: the next run carries them over and says so', () => {
    const { path, folder, writer } = rollout()
    const opened = at('rename', () => writer.open(path))
    const killed = at('probe', () => expect.fail('killed'), 2)
    expect(() => swapped(path, both(opened, killed))).toThrow('killed')
    for (const line of lines) writer.write(line)
    expect(() => swapped(path, {})).toThrow(`process ${writer.pid}`)
    writer.close()
    expect(() => swapped(path, {})).toThrow('is back in `rollout-1.jsonl`')
    expect(readFileSync(path, 'utf8')).toBe(`old 1\n${lines.join('\n')}\n`)
    expect(readdirSync(folder)).toEqual(['rollout-1.jsonl'])
    expect(swapped(path, {})).toBe(0)
  })
})

test('what is carried over after a line without a line end begins a new line', () => {
  const path = join(useTempDir(), 'rollout.jsonl')
  writeFileSync(path, 'old 1\n')
  const closed = { probe: () => ({ kind: 'closed' }) as const }
  const swap = openSwap(path, { ...closed, ...at('rename', () => appendFileSync(path, 'new 1\n')) })
  swap.draft([Buffer.from('old 1\nold 2')])
  expect(swap.commit({ mtimeMs: swap.mtimeMs })).toBe(6)
  expect(readFileSync(path, 'utf8')).toBe('old 1\nold 2\nnew 1\n')
})

describe('a run that was killed between two names of a rollout', () => {
  const closed = { probe: () => ({ kind: 'closed' }) as const }
  const killedAtRemoval = () => ({ ...closed, ...at('remove', () => expect.fail('killed')) })
  const changeTo = (from: string, to: string, options: SwapOptions): void => {
    const swap = openSwap(from, options)
    try {
      swap.draft([Buffer.from('new')])
      swap.commit({ mtimeMs: swap.mtimeMs, name: to })
    } finally {
      swap.abort()
    }
  }

  test('leaves a compressed rollout, which the next run removes', () => {
    const folder = useTempDir()
    writeFileSync(join(folder, 'rollout.jsonl.zst'), 'old')
    expect(() => changeTo(join(folder, 'rollout.jsonl.zst'), 'rollout.jsonl', killedAtRemoval())).toThrow('killed')
    // A kill also leaves the second name.
    const owner = claimOwner()
    const second = `.${backupKey('rollout.jsonl')}.${owner}.old.3.codex-export`
    linkSync(join(folder, 'rollout.jsonl.zst'), join(folder, second))
    releaseOwner(owner)
    expect(readdirSync(folder)).toHaveLength(3)
    openSwap(join(folder, 'rollout.jsonl'), closed).abort()
    expect(readdirSync(folder)).toEqual(['rollout.jsonl'])
  })

  test('can be repeated, and replaces nothing else', () => {
    const folder = useTempDir()
    const path = join(folder, 'rollout.jsonl')
    writeFileSync(path, 'old')
    expect(() => changeTo(path, 'rollout.jsonl.zst', killedAtRemoval())).toThrow('killed')
    expect(readdirSync(folder)).toEqual(['rollout.jsonl', 'rollout.jsonl.zst'])
    writeFileSync(`${path}.zst`, 'other')
    expect(() => changeTo(path, 'rollout.jsonl.zst', closed)).toThrow('is not overwritten')
    writeFileSync(`${path}.zst`, 'new')
    changeTo(path, 'rollout.jsonl.zst', closed)
    expect(readdirSync(folder)).toEqual(['rollout.jsonl.zst'])
  })
})

test('a rollout that changed while it was read is not replaced', () => {
  const path = join(useTempDir(), 'rollout.jsonl')
  writeFileSync(path, 'old 1\nold 2\n')
  expect(() => openSwap(path, { expected: { bytes: 6, mtimeMs: 0 } })).toThrow('changed while it was read')
})

test('the second of two runs that began before either had a draft is refused', () => {
  const folder = useTempDir()
  const path = join(folder, 'rollout.jsonl')
  writeFileSync(path, 'old 1\nold 2\n')
  const closed = { probe: () => ({ kind: 'closed' }) as const }
  const [first, second] = [openSwap(path, closed), openSwap(path, closed)]
  first.draft([Buffer.from('first\n')])
  expect(() => second.draft([Buffer.from('second\n')])).toThrow('another run is working on this rollout')
  second.abort()
  first.commit({ mtimeMs: first.mtimeMs + 1 })
  expect(readFileSync(path, 'utf8')).toBe('first\n')
  expect(readdirSync(folder)).toEqual(['rollout.jsonl'])
})
