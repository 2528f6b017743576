/** The interface to Markdown parsers: the engine may change, the tree may not. */

import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfm } from 'micromark-extension-gfm'

declare module 'mdast' {
  interface RootData {
    /** No engine could parse the text; the only child is a `code` node with all of it. */
    unparsed?: boolean
  }
}

/** Parses GitHub Flavored Markdown to mdast with positions whose offsets are UTF-16 indices. May throw. */
export type Engine = (value: string) => Root

const dialect = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** The reference engine: slow, pure JavaScript, right by definition. */
export const referenceEngine: Engine = (value) => fromMarkdown(value, dialect)

const cjkDialect = { ...dialect, extensions: [gfm(), cjkFriendlyExtension()] }

/** Like the reference engine, but emphasis can also begin and end next to Chinese, Japanese and Korean letters. */
export const cjkEngine: Engine = (value) => fromMarkdown(value, cjkDialect)

/** Trees that nest deeper than this are given up, because code that walks them calls itself once per level. */
const maxDepth = 200

/** A character reference, which every `<` outside code becomes in a Markdown twin. */
const reference = /&[#\w]+;/g

/**
 * UTF-16 units that an engine may copy for the character references of a body. For each of them, the native engine copies
 * the text of the paragraph before it, which is a gigabyte for 60 kB of `&lt;/` and takes seconds. This much takes some 10 ms.
 */
const maxCopied = 16 * 1024 * 1024

/** Units that are copied at most: for each paragraph, its length times its number of references. */
function copiedUnits(value: string): number {
  if (!value.includes('&')) return 0
  let copied = 0
  for (const paragraph of value.split(/\n[ \t]*\n/))
    copied += paragraph.length * (paragraph.match(reference)?.length ?? 0)
  return copied
}

/**
 * Parses a body. Never throws: if the engine fails, the reference engine is tried; if that fails too, if the tree nests more
 * than 200 levels, or if character references would take too long, the result is one `code` node over the whole text,
 * marked `data.unparsed`.
 */
export function parseMarkdown(value: string, engine: Engine): Root {
  if (copiedUnits(value) > maxCopied) return unparsed(value)
  for (const parse of new Set([engine, referenceEngine])) {
    try {
      const tree = parse(value)
      return isDeep(tree) ? unparsed(value) : tree
    } catch {
      // The next engine may succeed; the last resort below always does.
    }
  }
  return unparsed(value)
}

function isDeep(node: Nodes, levels: number = maxDepth): boolean {
  if (!('children' in node)) return false
  if (levels === 0) return true
  for (const child of node.children) if (isDeep(child, levels - 1)) return true
  return false
}

function unparsed(value: string): Root {
  const lines = value.split(/\r\n|\r|\n/)
  const position = {
    start: { line: 1, column: 1, offset: 0 },
    end: { line: lines.length, column: (lines.at(-1) ?? '').length + 1, offset: value.length },
  }
  return { type: 'root', children: [{ type: 'code', value, position }], position, data: { unparsed: true } }
}
