/** `codex-export prune` */
import { join, resolve } from 'node:path'
import type { PruneOptions, PruneResult, WrittenThread } from '../app/prune.ts'
import type { Resolved } from '../config/resolve.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { defined } from '../util/defined.ts'
import { printable } from '../util/printable.ts'
import type { CommandModule } from './command.ts'
import { confirmClosed } from './confirm-closed.ts'
import { exitCodes } from './exit-codes.ts'
import { personalOf } from './personal.ts'
import { type CallSettings, readSettings, sourcesOf } from './settings.ts'
import { supervise } from './supervise.ts'
import type { World } from './world.ts'

/** Leaves items out of what the model remembers of one thread. */
export const pruneCommand: CommandModule = {
  name: 'prune',
  usage: 'prune <target>',
  describe: 'Leave items out of what the model remembers of a session',
  positionals: { target: 'The beginning of a thread id, or the path of a rollout' },
  examples: [
    ['prune 0199a213', 'mark items in a list'],
    ['prune 0199a213 --exclude 3,7-12 --exclude-category reasoning', 'what that would save'],
    ['prune 0199a213 --exclude 7-12 --in-place', 'write it, after a backup of the rollout'],
    ['prune 0199a213 --replace category:toolOutput+older:3 --new-thread', 'a copy without its older outputs'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('prune', invocation)
    const target = String(flags['target'])
    const options = optionsOf(call, target, world)
    const terminal = isInteractive(call, options, world) ? terminalOf(world, call) : undefined
    const { prune } = await import('../app/prune.ts')
    const { json } = call.settings
    const announced = json ? options : { ...options, announce: (planned: PruneResult) => printPlan(planned, world) }
    const result = await supervise(world, async (host) => {
      const asked = { ...announced, ...defined({ confirmClosed: confirmClosed(world, host.signal) }) }
      if (terminal === undefined) return prune(asked, host)
      const { editList } = await import('./prune-list.ts')
      const edit = editList({ terminal, out: world.stderr, signal: host.signal, question: questionOf(options) })
      return prune({ ...asked, inPlace: options.output === undefined && !options.newThread, edit }, host)
    })
    if (json) await printJson(result, world)
    else await printText(result, call, world)
    return exitCodes.fine
  },
}

function questionOf({ output, newThread }: PruneOptions): string {
  if (newThread) return 'Write the new thread?'
  return output === undefined ? 'Write the rollout, after a backup of it?' : 'Write the copy?'
}

/** Without a word of what to do, the list is shown; a plan that goes to a file or a program never asks. */
function isInteractive({ settings }: CallSettings, options: PruneOptions, { stdout }: World): boolean {
  if (settings.interactive || !stdout.isTerminal) return settings.interactive
  const named = [...options.exclude, ...options.include, ...options.delete, ...(options.replace ?? [])]
  return named.length === 0 && !settings.json && settings.output === undefined && !settings.inPlace
}

/** Throws `UsageError` where the list is wanted and there is no terminal to show it on. */
function terminalOf({ terminal }: World, { settings }: CallSettings): World['terminal'] {
  if (terminal === undefined && settings.interactive)
    throw new UsageError(
      '`--interactive` needs a terminal; `--exclude`, `--replace`, `--delete` and `--include` name items without one.',
    )
  return terminal
}

function optionsOf(call: CallSettings, target: string, world: World): PruneOptions {
  const { settings } = call
  const { output, newThread, inPlace, force, assumeClosed, redact } = settings
  if ([output !== undefined, newThread, inPlace].filter(Boolean).length > 1)
    throw new UsageError(
      '`--output` writes a copy, `--new-thread` a new session, `--in-place` the rollout itself: choose one of them.',
    )
  const targetPath = resolve(world.cwd, target)
  if (output === targetPath) throw new UsageError('`--output` names the rollout itself; use `--in-place` for that.')
  const categories = settings.excludeCategories.map((name) => `category:${name}`)
  return {
    sources: sourcesOf(call),
    target,
    targetPath,
    exclude: [...settings.excludeItems, ...categories],
    include: settings.includeItems,
    delete: settings.deleteItems,
    replace: settings.replaceItems,
    replacement: settings.replacement,
    output,
    newThread,
    inPlace,
    force,
    assumeClosed,
    redact,
    personal: personalOf(call),
  }
}

async function printText(result: PruneResult, { settings }: Resolved, world: World): Promise<void> {
  // What was written was announced, and who left the list has seen it.
  if (result.written === undefined && !result.left) await printPlan(result, world)
  await world.stdout.write(`${closing(result, settings.inPlace, world)}\n`)
}

async function printPlan(result: PruneResult, { stdout }: World): Promise<void> {
  const { planLines } = await import('./prune-text.ts')
  const lines = planLines(result, stdout.isTerminal ? stdout.columns || 80 : undefined)
  await stdout.write(`${lines.join('\n')}\n`)
}

function closing({ plan, written, left }: PruneResult, inPlace: boolean, world: World): string {
  if (left) return 'Nothing was written.'
  if (written === undefined) {
    if (inPlace) return 'Nothing to change: the rollout was left as it is.'
    if (!plan.changes) return 'Nothing was written. `--exclude`, `--replace`, `--delete` and `--include` name items.'
    return 'Nothing was written: `--in-place` writes the rollout, `--new-thread` a new session, `--output FILE` a copy.'
  }
  if ('threadId' in written) return threadLines(written, world).join('\n')
  if ('output' in written) return `Wrote \`${written.output}\`.`
  const carried = written.carried === 0 ? '' : ' What a program wrote to it in the meantime was carried over.'
  return `Wrote the rollout.${carried} Its backup is \`${printable(written.backup)}\`; \`codex-export restore\` puts it back.`
}

function threadLines({ threadId, output, home }: WrittenThread, { env, homeDir }: World): string[] {
  const isDefault = resolve(env['CODEX_HOME'] ?? join(homeDir, '.codex')) === home
  const place = isDefault ? '' : `, with \`CODEX_HOME\` set to \`${home}\``
  return [
    `Wrote the new thread \`${threadId}\`, \`${output}\`. The session itself is as it was.`,
    `\`codex resume ${threadId}\` goes on with it${place}.`,
  ]
}

async function printJson({ threadId, file, plan, written }: PruneResult, { stdout }: World): Promise<void> {
  const items = plan.items.map(({ item, state, along, text }) => {
    const { index, included, category, tokens, turn, pair, preview, sources, synthetic, replaced } = item
    return { index, included, state, along, text, category, tokens, turn, pair, preview, synthetic, replaced, sources }
  })
  const { before, after, notes, changes } = plan
  const document = {
    schema: 'codex-export/prune',
    version: 1,
    threadId,
    file,
    changes,
    before,
    after,
    notes,
    items,
    written,
  }
  await stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
}
