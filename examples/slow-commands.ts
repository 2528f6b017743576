/**
 * A page of its own: the commands of all sessions that took longest, each with a link to its place.
 *
 *     import { defineConfig } from 'codex-export'
 *     import { slowCommands } from './slow-commands.ts'
 *
 *     export default defineConfig({ plugins: [slowCommands] })
 */
import { definePlugin } from 'codex-export'
import { h } from 'hastscript'
import { visit } from 'unist-util-visit'

interface SlowCommand {
  script: string
  path: string
  ms: number
}

const most = 50
const slowest = (commands: SlowCommand[]) => commands.sort((a, b) => b.ms - a.ms).slice(0, most)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)}\u00A0s`

export const slowCommands = definePlugin({
  name: 'slow-commands',
  cacheKey: '1',
  nav: [{ text: 'Slow', path: 'slow/index.html' }],
  session: () => {
    let commands: SlowCommand[] = []
    return {
      page: (tree, link) => {
        visit(tree, 'command', ({ id, script, durationMs: ms = 0 }) => {
          if (ms >= 1000) commands.push({ script, path: link(id), ms })
        })
        commands = slowest(commands)
      },
      // What `end` gives as data, `pages` finds with the session.
      end: () => ({ data: commands }),
    }
  },
  *pages({ sessions }) {
    const all = sessions.flatMap(({ title, data }) => {
      return (data as SlowCommand[]).map((command) => ({ title, ...command }))
    })
    const rows = slowest(all).map(({ title, script, path, ms }: SlowCommand & { title?: string }) =>
      h('tr', h('td', seconds(ms)), h('td', h('a', { href: path }, h('code', script.slice(0, 120)))), h('td', title)),
    )
    const head = h('thead', h('tr', h('th', 'Time'), h('th', 'Command'), h('th', 'Session')))
    yield {
      path: 'slow/index.html',
      title: 'Slow commands',
      description: `The ${rows.length} commands that took longest.`,
      body: rows.length === 0 ? 'No command took longer than a second.' : h('table', head, h('tbody', rows)),
    }
  },
})
