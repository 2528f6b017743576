/** Builds a site of one invented conversation with the command line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from './cli.ts'
import { type TurnScript, write } from './conversation.ts'
import { writeFolder } from './folder.ts'

const threadId = '0198c0de-0000-7000-8000-000000000001'
const rollout = `home/sessions/2026/03/14/rollout-2026-03-14T09-00-00-${threadId}.jsonl`

/** A built site. */
export interface ConversationSite {
  /** Absolute path of the site. */
  root: string
  /** Path of the session's first page, relative to the site. */
  path: string
  /** Text of a page of the session, for example `3.html`. */
  page(name: string): string
}

/** Writes the conversation as a rollout below `folder` and builds its site next to it, by default without a search. */
export async function buildConversation(
  folder: string,
  turns: readonly TurnScript[],
  search = false,
): Promise<ConversationSite> {
  const { values } = write(turns, 'G2-explicit')
  writeFolder(folder, { [rollout]: `${values.map((value) => JSON.stringify(value)).join('\n')}\n` })
  const root = join(folder, 'site')
  const args = ['build', '--codex-home', join(folder, 'home'), '--out', root, '--cache', join(folder, 'cache')]
  // Not in the project's folder, whose configuration is that of the demo site.
  const run = await runCli([...args, search ? '--search' : '--no-search'], { cwd: folder })
  if (run.status !== 0) throw new Error(`the site was not built (exit ${run.status}):\n${run.stderr}`)
  const session = `sessions/${threadId}`
  return {
    root,
    path: `${session}/index.html`,
    page: (name) => readFileSync(join(root, session, name), 'utf8'),
  }
}
