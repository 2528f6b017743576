/** Loads the native Markdown engine, the reader of TeX and the grammars of code on first use. */

import { createRequire } from 'node:module'
import type { Root, RootContent } from 'hast'
import type { DrawTex } from './hast/mathematics.ts'
import { appendToken, type Highlight, languages, type Token, type TokenKind } from './highlight.ts'
import { type Engine, referenceEngine } from './prose/engine.ts'

/**
 * Returns the fastest engine of this machine: satteri's native parser, or the reference engine if there is no binary for the
 * platform. The package is loaded by the first call.
 */
export async function loadEngine(): Promise<Engine> {
  try {
    const { markdownToMdast } = await import('satteri')
    const features = { gfm: true, frontmatter: false }
    const engine: Engine = (value) => {
      const tree = markdownToMdast(value, { features })
      if (tree.type !== 'root') throw new TypeError(`Expected a root, not \`${tree.type}\``)
      return tree
    }
    engine('probe')
    return engine
  } catch {
    return referenceEngine
  }
}

// The reader of TeX is loaded with the first formula, because most sessions have none.

let temml: typeof import('temml').default | undefined

/**
 * MathML of a formula, as temml's tree. The version of temml is pinned, because the name of the function says that it may
 * change. Throws for invalid TeX.
 */
export const drawTex: DrawTex = (tex, display) => {
  temml ??= createRequire(import.meta.url)('temml') as typeof import('temml').default // the module is the default export
  return temml.__renderToMathMLTree(tex, { displayMode: display, throwOnError: true, trust: false, maxExpand: 300 })
}

// Colours of code.

/** Grammars that need others: markup contains scripts and styles, scripts contain markup. */
const within: Readonly<Record<string, readonly string[]>> = {
  javascript: ['xml'],
  markdown: ['xml'],
  php: ['xml'],
  typescript: ['xml'],
  xml: ['css', 'javascript'],
}

/** The engine, loaded once and shared. */
let loading: Promise<Highlight> | undefined

/**
 * Returns the highlighter of this process: lowlight with the grammars that `highlight.ts` names, each registered when code
 * first needs it. The package is loaded by the first call; a build that has nothing to render never calls.
 */
export function loadHighlight(): Promise<Highlight> {
  loading ??= load()
  return loading
}

async function load(): Promise<Highlight> {
  const { createLowlight, grammars } = await import('./grammars.ts')
  const supported = new Set(languages)
  const engine = createLowlight()
  const register = (language: string): void => {
    const grammar = grammars[language]
    if (engine.registered(language) || grammar === undefined) return
    engine.register(language, grammar)
    for (const other of within[language] ?? []) register(other)
  }
  return (code, language) => {
    if (!supported.has(language)) return undefined
    try {
      register(language)
      return tokensOf(engine.highlight(language, code, { prefix: '' }))
    } catch {
      // A grammar that gives up on a text leaves it without colours.
      return undefined
    }
  }
}

// From the scopes of highlight.js to our few kinds of token.

/** Scopes that get a colour; `false` restores plain text inside another scope. */
const kinds: Readonly<Record<string, TokenKind | false>> = {
  addition: 'hi',
  attr: 'ha',
  attribute: 'ha',
  built_in: 'ht',
  bullet: 'hk',
  code: 'hs',
  comment: 'hc',
  deletion: 'hx',
  doctag: 'hc',
  link: 'hs',
  literal: 'hn',
  keyword: 'hk',
  meta: 'ha',
  name: 'ht',
  number: 'hn',
  quote: 'hc',
  regexp: 'hs',
  section: 'hf',
  'selector-attr': 'ha',
  'selector-class': 'ht',
  'selector-id': 'ht',
  'selector-pseudo': 'ha',
  'selector-tag': 'hk',
  string: 'hs',
  subst: false,
  symbol: 'hn',
  title: 'hf',
  type: 'ht',
}

/** Tokens of a tree of scopes. An inner scope that `kinds` does not name has the kind of the scope around it. */
function tokensOf(tree: Root): Token[] {
  const tokens: Token[] = []
  for (const node of tree.children) collect(node, undefined, tokens)
  return tokens
}

function collect(node: RootContent, around: TokenKind | undefined, tokens: Token[]): void {
  if (node.type === 'text') {
    appendToken(tokens, node.value, around)
  } else if (node.type === 'element') {
    const kind = kindOf(node.properties['className'], around)
    for (const child of node.children) collect(child, kind, tokens)
  }
}

/** The kind of an element; names of classes are titles with a second class, `class_`. */
function kindOf(classes: unknown, around: TokenKind | undefined): TokenKind | undefined {
  if (!Array.isArray(classes)) return around
  if (classes.includes('class_')) return 'ht'
  const kind = kinds[String(classes[0])]
  return kind === false ? undefined : (kind ?? around)
}
