/** The words that a fixture keeps include all keys that the parser reads, because these must not be replaced. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { formatKeys } from '../../../src/features/scrub/vocabulary.ts'
import { parseEntry } from '../../../src/rollout/parse/entry.ts'

const golden = fileURLToPath(new URL('../../golden', import.meta.url))

/**
 * Wraps a value so that it records the keys by which it is read. If the reader lists the keys of an object first,
 * they are the rollout's own, such as paths.
 */
function noting(value: unknown, noted: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  let isListed = false
  return new Proxy(value, {
    get(target, key, receiver) {
      if (typeof key === 'string' && !Array.isArray(target) && !isListed) noted.add(key)
      return noting(Reflect.get(target, key, receiver), noted)
    },
    has(target, key) {
      if (typeof key === 'string' && !Array.isArray(target)) noted.add(key)
      return Reflect.has(target, key)
    },
    ownKeys(target) {
      isListed = true
      return Reflect.ownKeys(target)
    },
  })
}

/** The lines of all golden cases as values, without damaged ones. */
function records(): unknown[] {
  const files = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return files.flatMap((name) => readFileSync(join(golden, name), 'utf8').split('\n').flatMap(valuesIn))
}

function valuesIn(line: string): unknown[] {
  try {
    return [JSON.parse(line) as unknown]
  } catch {
    return []
  }
}

function keysRead(): Set<string> {
  const noted = new Set<string>()
  for (const [index, record] of records().entries()) parseEntry(noting(record, noted), { line: index + 1 })
  return noted
}

/** Names that JavaScript itself may read on any object. */
const ofLanguage = new Set(['toJSON', 'then', 'length', 'constructor', 'toString', 'valueOf'])

describe('the words of the format', () => {
  const read = [...keysRead()].filter((key) => !ofLanguage.has(key)).toSorted()

  test('contain every key by which the parser reads a record', () => {
    expect(read.length).toBeGreaterThan(100)
    expect(read.filter((key) => !formatKeys.has(key))).toEqual([])
  })
})
