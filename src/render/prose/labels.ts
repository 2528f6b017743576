/** Labels of footnotes and definitions are made unique by the item's id; pictures become links. */
import type { Definition, FootnoteDefinition, FootnoteReference, Image, ImageReference, LinkReference } from 'mdast'
import { rangeOf, type Splice } from './splice.ts'

/** Nodes that carry a label, or an exclamation mark to drop. */
export type Labelled = Definition | FootnoteDefinition | FootnoteReference | Image | ImageReference | LinkReference

/** What goes before the labels of an item. */
export function labelPrefix(id: string): string {
  return `${id}-`
}

/** Prefixes the label of a node by the item's id, and drops the mark that makes a link a picture. */
export function labelSplices(node: Labelled, value: string, id: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const prefix = labelPrefix(id)
  switch (node.type) {
    case 'footnoteDefinition':
    case 'footnoteReference':
      return insert(value.indexOf('[^', range.start) + 2, prefix)
    case 'definition':
      return insert(value.indexOf('[', range.start) + 1, prefix)
    case 'image':
      return dropMark(range.start, node.alt)
    case 'imageReference':
      return [...dropMark(range.start, node.alt), ...referenceSplices(node, value, prefix, range)]
    default:
      return referenceSplices(node, value, prefix, range)
  }
}

function insert(at: number, text: string): Splice[] {
  return [{ start: at, end: at, text }]
}

/** A picture without a description gets a word that can be clicked. */
function dropMark(start: number, alt: string | null | undefined): Splice[] {
  const word = (alt ?? '') === '' ? insert(start + 2, 'image') : []
  return [{ start, end: start + 1, text: '' }, ...word]
}

function referenceSplices(
  node: LinkReference | ImageReference,
  value: string,
  prefix: string,
  { start, end }: { start: number; end: number },
): Splice[] {
  const source = value.slice(start, end)
  const first = source.indexOf('[') + 1
  if (node.referenceType === 'full') return insert(start + source.lastIndexOf('[') + 1, prefix)
  const tail = node.referenceType === 'collapsed' ? source.lastIndexOf('[') : source.length
  const label = source.slice(first, tail - 1)
  if (node.referenceType === 'collapsed') return insert(end - 1, `${prefix}${label}`)
  return insert(end, `[${prefix}${label}]`)
}
