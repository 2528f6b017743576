/** Colours of fenced code in prose. */
import type { Element, ElementContent } from 'hast'
import { languageOfTag } from '../highlight/language.ts'
import { codeToHast } from './code.ts'
import type { State } from './state.ts'

/** Colours the fences of sanitised prose in place; code with marked characters and unknown languages stay plain. */
export function colourFences(children: readonly ElementContent[], state: State): void {
  for (const node of children) {
    if (node.type !== 'element') continue
    if (node.tagName === 'pre') colourFence(node, state)
    else colourFences(node.children, state)
  }
}

function colourFence({ children }: Element, state: State): void {
  const [code] = children
  if (code?.type !== 'element') return
  const [text, ...others] = code.children
  if (text?.type !== 'text' || others.length > 0) return
  const tokens = state.colour(text.value, languageOf(code))
  if (tokens !== undefined) code.children = codeToHast(tokens)
}

function languageOf({ properties }: Element): string | undefined {
  const classes = properties['className']
  const name = Array.isArray(classes) ? String(classes[0]) : ''
  return name.startsWith('language-') ? languageOfTag(name.slice('language-'.length)) : undefined
}
