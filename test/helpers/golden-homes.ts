/** Golden homes: complete Codex homes with related sessions, and what a build turns them into. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { personalOff } from '../../src/config/personal.ts'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import type { Session, TrastNode } from '../../src/transcript/trast.ts'
import { plainBuild, quietHost } from './surroundings.ts'

const folder = fileURLToPath(new URL('../golden/homes', import.meta.url))

/** One home. */
export interface GoldenHome {
  name: string
  /** Absolute path of the Codex home. */
  path: string
  description: string
  /** Number of its sessions. */
  sessions: number
  /** Ids of the diagnostics that it must cause, sorted, each once. */
  diagnostics: string[]
  /** Absolute path of a file below `expected/`. */
  expected: (file: string) => string
}

/** All homes, by name. */
export function goldenHomes(): GoldenHome[] {
  const names = readdirSync(folder).sort()
  return names.map((name) => {
    const { description, sessions, diagnostics } = JSON.parse(readFileSync(join(folder, name, 'case.json'), 'utf8'))
    const path = join(folder, name, 'home')
    return { name, path, description, sessions, diagnostics, expected: (file) => join(folder, name, 'expected', file) }
  })
}

/** A session of a built home. */
export interface BuiltSession {
  session: Session
  /** HTML of its first page. */
  html: string
}

/** Builds a home into a folder. Sessions are sorted by start, then id. */
export async function buildHome(
  path: string,
  folder: string,
  projects: readonly string[] = [],
): Promise<{ sessions: BuiltSession[]; diagnostics: Diagnostic[]; written: number }> {
  const out = join(folder, 'site')
  const { diagnostics, written } = await build(
    {
      ...plainBuild(),
      homes: [{ path }],
      projects,
      title: 'Lineage',
      out,
      // `prune` has its own data in `cache` of the same folder.
      cache: join(folder, 'build-cache'),
      formats: ['html', 'json'],
      search: false,
      // The expected files contain full paths.
      personal: personalOff,
      dryRun: false,
    },
    quietHost({ homeDir: folder }),
    features,
  )
  const sessions = readdirSync(join(out, 'sessions')).map((id): BuiltSession => {
    const read = (file: string) => readFileSync(join(out, 'sessions', id, file), 'utf8')
    return { session: JSON.parse(read('index.json')).session, html: read('index.html') }
  })
  const start = ({ session }: BuiltSession) => `${session.startedAt} ${session.threadId}`
  return { sessions: sessions.sort((a, b) => (start(a) < start(b) ? -1 : 1)), diagnostics, written }
}

/** A tree as indented lines with what matters for lineage. */
function treeLines(node: TrastNode, depth = 0): string[] {
  const line = [node.type, node.id, ...factsOf(node), ...marksOf(node)].filter((fact) => fact !== '').join(' ')
  const children = 'children' in node ? node.children.flatMap((child) => treeLines(child, depth + 1)) : []
  return [`${'  '.repeat(depth)}${line}`, ...children]
}

/** The fields of a node, if it has them. */
function factsOf(node: TrastNode): string[] {
  const fields: Record<string, unknown> = { ...node }
  const shown = ['kind', 'number', 'status', 'threadId', 'label', 'target', 'value', 'script', 'facts']
  return shown.flatMap((key) => (fields[key] === undefined ? [] : [`${key} ${JSON.stringify(fields[key])}`]))
}

function marksOf({ data }: TrastNode): string[] {
  return [data?.visibility ?? '', data?.inherited ? 'inherited' : '', data?.continued ? 'continued' : '']
}

/** The sessions of a home as text: header, numbers, relations of the page, tree. */
export function homeText(sessions: readonly BuiltSession[]): string {
  return sessions.map(sessionText).join('\n')
}

function sessionText({ session, html }: BuiltSession): string {
  const { turns, messages, commands, usage, lines } = session.stats
  const tokens = Object.values(usage).reduce((sum, { total }) => sum + total, 0)
  return [
    `# ${session.title} (${session.titleFrom})`,
    `thread ${session.threadId}`,
    `lineage ${JSON.stringify(session.lineage)}`,
    `turns ${turns}, messages ${messages}, commands ${commands.total}, tokens ${tokens}`,
    `lines ${JSON.stringify(lines)}`,
    ...relations(html),
    ...session.children.flatMap((child) => treeLines(child)),
    '',
  ].join('\n')
}

/** What the page says about other sessions: the tree in its header and the lines about history. */
function relations(html: string): string[] {
  const list = /<nav class="lineage"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? ''
  const notes = [...html.matchAll(/<div id="inherited[^"]*" class="item note">.*?<\/div>/g)].map(([text]) => text)
  return [list.replace(/\s*\n\s*/g, ''), ...notes].filter((text) => text !== '')
}
