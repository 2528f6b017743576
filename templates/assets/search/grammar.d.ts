/** Types of `search/grammar.js`, for the program, which imports it too. */

/** A word, a phrase or an operator of a question. */
export interface Token {
  field: 'text' | 'kind' | 'project' | 'model' | 'person' | 'tag' | 'file' | 'tool' | 'before' | 'after' | 'is'
  text: string
  isExcluded: boolean
  isWholeWord: boolean
  isQuoted: boolean
  isOpen: boolean
  isJoined: boolean
}

/** What a text is. `output`: of commands and tools; `context`: what neither a person typed nor a model wrote. */
export type TextKind =
  | 'prompt'
  | 'answer'
  | 'commentary'
  | 'thought'
  | 'command'
  | 'output'
  | 'edit'
  | 'tool'
  | 'plan'
  | 'search'
  | 'agent'
  | 'question'
  | 'notice'
  | 'error'
  | 'context'

export const names: readonly Token['field'][]
export const kinds: readonly TextKind[]
export const states: Readonly<Record<string, readonly string[]>>
export function hasOperators(text: string): boolean
export function asPasted(text: string): string | undefined
export function readingsOf(text: string): { asked: string; isPasted?: boolean }[]
export function tokensOf(text: string): { source: string; at: number }[]
export function readTokens(sources: readonly string[]): Token[]
export function faultOf(text: string): string | undefined
export function kindOf(text: string): TextKind | undefined
