/** Types of the tables of `find/text.js`, for the program, which imports them too. */

/** Kinds of items that a reader can ask for. */
export type FindKind = 'prompts' | 'answers' | 'commands' | 'edits' | 'failures' | 'thoughts' | 'tools'

export const kindOfClass: Readonly<Record<string, FindKind>>
/** Names of inline elements, separated by commas. */
export const inline: string
