/** Titles and subtitles of genuine threads are meaningful and on one line. */
import { expect } from 'vitest'
import type { SlicedThread } from '../helpers/genuine-slices.ts'

const maxLength = 120

function faults(text: string): string[] {
  return [
    ...(/\p{L}/u.test(text) ? [] : ['no letter']),
    ...(text.length > maxLength ? [`${text.length} characters`] : []),
    ...(/^rollout-\d{4}|\.jsonl?(?:\.zst)?$/.test(text) ? ['name of a file'] : []),
    ...(/\n/.test(text) ? ['lines'] : []),
  ].map((fault) => `${fault}: ${text.slice(0, 60)}`)
}

/** Every title and subtitle has words on one line of acceptable length. */
export function expectTitles(threads: readonly SlicedThread[]): void {
  const found = threads.flatMap(({ facts: { title, subtitle } }) => [
    ...faults(title),
    ...(subtitle === undefined ? [] : faults(subtitle)),
    ...(/^(?:[{[<|]|```)/.test(subtitle ?? '') ? [`source: ${subtitle}`] : []),
  ])
  expect(found).toEqual([])
}
