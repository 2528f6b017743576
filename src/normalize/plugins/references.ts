/** Adds what commands made, commits and pull requests, as references to them. */
import type { Plugin } from 'unified'
import type { Command, Session } from '../../model/trast.ts'
import { walk } from '../../model/walk.ts'
import { stripAnsi } from '../../util/ansi-strip.ts'
import { printedReferences } from '../printed-references.ts'

/** Gives each successful command references to the commits and pull requests that it printed. */
export const references: Plugin<[], Session> = () => (tree: Session) => {
  walk(tree, (item) => {
    if (item.type === 'command' && item.status === 'completed') addReferences(item)
  })
}

function addReferences(node: Command): void {
  if (node.children.some(({ type }) => type === 'reference')) return
  const script = node.script === '' ? node.argv.join(' ') : node.script
  // Anything else would be read from a text that only looks like it: a log, a note, a transcript.
  if (!/\b(?:git|gh|glab)\b/.test(script)) return
  const text = node.children
    .flatMap((child) => (child.type === 'output' ? [child.ansi ? stripAnsi(child.value) : child.value] : []))
    .join('\n')
  for (const printed of printedReferences(script, text))
    node.children.push({ type: 'reference', id: `${node.id}.${node.children.length + 1}`, ...printed })
}
