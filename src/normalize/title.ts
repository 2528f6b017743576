/** The title of a thread (rollout-format 1.5). */
import type { ScanFacts } from '../model/summary.ts'
import { withoutMarks } from '../util/plain.ts'

/** What was cut within `user:password@host`: without the sign behind it nobody could tell a password there. */
const cutAuthority = /(?<=:\/\/)[^\s/@]*$/

/** First line of a text that is not blank, without marks of Markdown, at most 120 characters; empty where there is none. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? ''
  const chars = [...withoutMarks(line.slice(0, 520)).slice(0, 260)]
  return chars.length > 120 ? `${chars.slice(0, 119).join('').replace(cutAuthority, '')}…` : chars.join('')
}

/** The best of what a thread may be called by: name of the index, name of an event, prompt, file. */
export function titleOf(names: {
  index?: string
  event?: string
  prompt?: string
  fallback: string
}): Pick<ScanFacts, 'title' | 'titleFrom'> {
  const { index, event, prompt, fallback } = names
  if (index !== undefined) return { title: index, titleFrom: 'index' }
  if (event !== undefined) return { title: event, titleFrom: 'event' }
  return prompt === undefined
    ? { title: fallback, titleFrom: 'file' }
    : { title: firstLine(prompt), titleFrom: 'prompt' }
}
