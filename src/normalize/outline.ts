/** The outline of a thread: its prompts in short. */
import type { OutlineEntry } from '../model/summary.ts'
import { firstLine } from './title.ts'

const image = 'Image'
const empty = 'Empty prompt'

/** The entry of a prompt; one of pictures only, or without words, has a name instead. */
export function outlineEntry(request: string, pictureOnly: boolean, place: Omit<OutlineEntry, 'text'>): OutlineEntry {
  return { ...place, text: firstLine(request) || (pictureOnly ? image : empty) }
}

/** The first prompt with words, else the name of the first one. */
export function firstRequest(outline: readonly OutlineEntry[]): string | undefined {
  return outline.find(({ text }) => text !== image && text !== empty)?.text ?? outline[0]?.text
}
