/**
 * Links for issue numbers, in answers and in a panel beside each session:
 *
 *     import { defineConfig } from 'codex-export'
 *     import { issueLinks } from './issue-links.ts'
 *
 *     export default defineConfig({
 *       plugins: [issueLinks({ pattern: /\bSHOP-\d+\b/g, href: (id) => `https://issues.example.org/${id}` })],
 *     })
 */
import { definePlugin, type Plugin, type Session } from 'codex-export'
import { h } from 'hastscript'
import { visit } from 'unist-util-visit'

/** Which words are issues, and where each of them is. */
interface IssueLinks {
  pattern: RegExp
  href: (id: string) => string
}

/** Code and links, which stay as they are. */
const kept = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`|\[[^\]]*\]\([^)]*\)|<?https?:\/\/\S+)/

export function issueLinks({ pattern, href }: IssueLinks): Plugin {
  const linked = (text: string) => text.replace(pattern, (id) => `[${id}](${href(id)})`)
  return definePlugin({
    name: 'issue-links',
    cacheKey: `1 ${pattern} ${href}`,
    // Answers are Markdown. Prompts are shown as they were typed, so they keep their words.
    tree: [
      () => (tree) => {
        visit(tree as Session, 'message', (message) => {
          if (message.role !== 'assistant') return
          for (const child of message.children) {
            if (child.type !== 'markdown') continue
            const parts = child.value.split(kept)
            child.value = parts.map((part, index) => (index % 2 === 0 ? linked(part) : part)).join('')
          }
        })
      },
    ],
    session: () => {
      const found = new Map<string, string>()
      return {
        page: (tree, link) =>
          visit(tree, 'message', ({ id: place, children }) => {
            const text = children.map((child) => ('value' in child ? child.value : '')).join(' ')
            for (const [id] of text.matchAll(pattern)) found.set(id, found.get(id) ?? link(place))
          }),
        end: () => {
          if (found.size === 0) return undefined
          const items = [...found].map(([id, path]) => {
            return h('li', h('a', { href: href(id) }, id), ' ', h('a', { href: path }, 'first named'))
          })
          return { panel: { heading: 'Issues', body: h('ul', items) } }
        },
      }
    },
  })
}
