/** Loads the grammars on first use. */
import { tokensOf } from './kinds.ts'
import { languages } from './language.ts'
import type { Highlight } from './token.ts'

/** Grammars that call for others: markup holds scripts and styles, scripts hold markup. */
const within: Readonly<Record<string, readonly string[]>> = {
  javascript: ['xml'],
  markdown: ['xml'],
  php: ['xml'],
  typescript: ['xml'],
  xml: ['css', 'javascript'],
}

/** One loaded engine for all who ask. */
let loading: Promise<Highlight> | undefined

/**
 * Gives the highlighter of this process: lowlight with the grammars of `language.ts`, each set up when a code first
 * needs it. The package is not loaded before the first call; a build that has nothing to render never calls.
 */
export function loadHighlight(): Promise<Highlight> {
  loading ??= load()
  return loading
}

async function load(): Promise<Highlight> {
  const { all, createLowlight } = await import('lowlight')
  const known = new Set(languages)
  const engine = createLowlight()
  const register = (language: string): void => {
    const grammar = all[language]
    if (engine.registered(language) || grammar === undefined) return
    engine.register(language, grammar)
    for (const other of within[language] ?? []) register(other)
  }
  return (code, language) => {
    if (!known.has(language)) return undefined
    try {
      register(language)
      return tokensOf(engine.highlight(language, code))
    } catch {
      // A grammar that gives up on a text leaves it without colours.
      return undefined
    }
  }
}
