/** From the scopes of highlight.js to our few kinds of token. */
import type { Root, RootContent } from 'hast'
import { appendToken, type Token, type TokenKind } from './token.ts'

/** Scopes that get a colour; `false` gives the colour of plain text back inside another scope. */
const kinds: Readonly<Record<string, TokenKind | false>> = {
  'hljs-addition': 'hi',
  'hljs-attr': 'ha',
  'hljs-attribute': 'ha',
  'hljs-built_in': 'ht',
  'hljs-bullet': 'hk',
  'hljs-code': 'hs',
  'hljs-comment': 'hc',
  'hljs-deletion': 'hx',
  'hljs-doctag': 'hc',
  'hljs-link': 'hs',
  'hljs-literal': 'hn',
  'hljs-keyword': 'hk',
  'hljs-meta': 'ha',
  'hljs-name': 'ht',
  'hljs-number': 'hn',
  'hljs-quote': 'hc',
  'hljs-regexp': 'hs',
  'hljs-section': 'hf',
  'hljs-selector-attr': 'ha',
  'hljs-selector-class': 'ht',
  'hljs-selector-id': 'ht',
  'hljs-selector-pseudo': 'ha',
  'hljs-selector-tag': 'hk',
  'hljs-string': 'hs',
  'hljs-subst': false,
  'hljs-symbol': 'hn',
  'hljs-title': 'hf',
  'hljs-type': 'ht',
}

/** Tokens of a tree of scopes. An inner scope that we do not name has the kind of the one around it. */
export function tokensOf(tree: Root): Token[] {
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

/** Names of classes stand as titles with a second class. */
function kindOf(classes: unknown, around: TokenKind | undefined): TokenKind | undefined {
  if (!Array.isArray(classes)) return around
  if (classes.includes('class_')) return 'ht'
  const kind = kinds[String(classes[0])]
  return kind === false ? undefined : (kind ?? around)
}
