/** Changes to mdast before it becomes hast: raw HTML is text, prompts keep their line ends. */
import { h } from 'hastscript'
import type { Break, Html, Root as MdastRoot, Parents, PhrasingContent, Text } from 'mdast'
import type { Handlers } from 'mdast-util-to-hast'
import { visit } from 'unist-util-visit'

const flowParents = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** Handlers for mdast-util-to-hast. Raw HTML is shown as the text that it is, a block of it with its line ends. */
export const handlers: Handlers = {
  html: (_state, node: Html, parent: Parents | undefined) => {
    const isBlock = parent !== undefined && flowParents.has(parent.type)
    return isBlock ? h('p', { className: ['raw'] }, node.value) : { type: 'text', value: node.value }
  },
}

/** Makes each line end inside a paragraph a break. */
export function breakLines(tree: MdastRoot): void {
  visit(tree, 'text', (node: Text, index, parent) => {
    if (parent === undefined || index === undefined || !node.value.includes('\n')) return undefined
    const parts = node.value.split(/\r?\n/).flatMap((value, line): (Break | Text)[] => {
      const text: Text[] = value === '' ? [] : [{ type: 'text', value }]
      return line === 0 ? text : [{ type: 'break' }, ...text]
    })
    const children: PhrasingContent[] | undefined =
      'children' in parent ? (parent.children as PhrasingContent[]) : undefined // a text's parent holds phrasing
    children?.splice(index, 1, ...parts)
    return index + parts.length
  })
}
