/** `codex-export context`, `prune` and `restore`. */

import { join, resolve } from 'node:path'
import { asCalled, quoted } from '../../cli/called-as-fs.ts'
import { type CommandModule, exitCodes, type Invocation } from '../../cli/command.ts'
import { requireProduct } from '../../cli/product-fs.ts'
import { type CallSettings, personalOf, readSettings } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import { confirm, type World, widthOf } from '../../cli/world.ts'
import { generatorName } from '../../config/package-fs.ts'
import type { Resolved } from '../../config/resolve.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { defined } from '../../util/own.ts'
import { jsonDocument, printable } from '../../util/printable.ts'
import { formatAmount } from '../../util/time.ts'
import type { ContextOptions, ContextResult } from './context.ts'
import type { MemoryTargetOptions } from './files/target-fs.ts'
import type { PruneOptions, PruneResult, WrittenThread } from './prune.ts'
import type { RestoreOptions, RestoreResult } from './restore.ts'

/** Prints what the model remembers of one thread. */
export const contextCommand: CommandModule = {
  name: 'context',
  usage: 'context <target>',
  describe: 'Print what the model remembers of a session, item by item',
  positionals: { target: 'The start of a thread id, or the path of a rollout' },
  examples: [['context 0199a213 --at 12', 'show what the model remembered after turn 12']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    const { redact, by, oneItem, wholeItems, json } = call.settings
    const { context } = await import('./context.ts')
    const options = {
      ...{ ...targetOf(call, invocation), redact, personal: personalOf(call) },
      ...askedOf(call.settings),
    }
    const result = ordered(await supervise(world, (host) => context(options, host)), by)
    if (oneItem !== undefined) await printItem(oneItem, result, world)
    else if (json || wholeItems) await printJson(result, world)
    else await printText(result, world)
    return exitCodes.fine
  },
}

/** Which session is meant, and where it is looked for. */
function targetOf({ settings: { homes } }: CallSettings, { world, flags }: Invocation): MemoryTargetOptions {
  const target = String(flags['target'])
  return { homes, target, targetPath: resolve(world.cwd, target) }
}

/** Which moments to show, and whether to keep whole items. Throws a `UsageError` for turns that do not fit. */
function askedOf({
  at,
  diff,
  oneItem,
  wholeItems,
}: CallSettings['settings']): Pick<ContextOptions, 'at' | 'since' | 'keepItems'> {
  const keepItems = wholeItems || oneItem !== undefined
  if (diff === undefined) return { at, keepItems }
  const [, from, to] = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/.exec(diff) ?? []
  if (from === undefined || to === undefined || Number(from) > Number(to))
    throw new UsageError('`--diff` takes two turns, the earlier one first, such as `--diff 3..8`.')
  if (at !== undefined) throw new UsageError('`--diff` and `--at` cannot be given together.')
  if (oneItem !== undefined)
    throw new UsageError(
      `\`--diff\` and \`--item\` cannot be given together: \`--at ${to}\` gives an item of that moment.`,
    )
  return { at: Number(to), since: Number(from), keepItems }
}

function ordered(result: ContextResult, by: 'order' | 'size'): ContextResult {
  if (by === 'order') return result
  const items = result.memory.items.toSorted((a, b) => b.tokens - a.tokens)
  return { ...result, memory: { ...result.memory, items } }
}

/** Prints what is sent of one item, as JSON. */
async function printItem(index: number, { whole, memory }: ContextResult, { stdout }: World): Promise<void> {
  const item = whole?.get(index)
  if (item === undefined)
    throw new UsageError(`There is no item ${index}: the memory has ${formatAmount(memory.items.length, 'item')}.`)
  await stdout.write(jsonDocument(item))
}

async function printJson(
  { title, turns, memory, totals, tokens, whole, change }: ContextResult,
  { stdout }: World,
): Promise<void> {
  const head = { schema: 'codex-export/context', version: 1, generator: generatorName() }
  const items = memory.items.map((item) => (whole === undefined ? item : { ...item, item: whole.get(item.index) }))
  const document = { ...head, title, turns, tokens, totals, ...memory, items, ...defined({ change }) }
  await stdout.write(jsonDocument(document))
}

async function printText(result: ContextResult, { stdout, stderr }: World): Promise<void> {
  const { contextText } = await import('./terminal/texts.ts')
  const { lines, leftOut } = contextText(result, widthOf(stdout))
  await stdout.write(`${lines.join('\n')}\n`)
  if (leftOut.length > 0) await stderr.write(`no room for ${leftOut.join(', ')}: \`--json\` has everything\n`)
}

// `codex-export prune`

/** Removes items from what the model remembers of one thread. */
export const pruneCommand: CommandModule = {
  name: 'prune',
  usage: 'prune <target>',
  describe: 'Remove items from what the model remembers of a session',
  positionals: { target: 'The start of a thread id, or the path of a rollout' },
  examples: [['prune 0199a213 --exclude 3,7-12', 'show what excluding these items would save']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    const options = optionsOf(call, invocation)
    const terminal = isInteractive(call, options, world) ? terminalOf(world, call) : undefined
    const { prune } = await import('./prune.ts')
    const { json } = call.settings
    const announced = json ? options : { ...options, announce: (planned: PruneResult) => printPlan(planned, world) }
    const result = await supervise(world, async (host) => {
      const asked = { ...announced, ...defined({ confirmClosed: confirmClosed(world, host.signal) }) }
      if (terminal === undefined) return prune(asked, host)
      const { editList } = await import('./terminal/prune-list.ts')
      const edit = editList({ terminal, out: world.stderr, signal: host.signal, question: questionOf(options) })
      return prune({ ...asked, inPlace: options.output === undefined && !options.newThread, edit }, host)
    })
    if (json) await printDoneJson(result, world)
    else await printDone(result, call, invocation)
    return exitCodes.fine
  },
}

function questionOf({ output, newThread }: PruneOptions): string {
  if (newThread) return 'Write the new thread?'
  return output === undefined ? 'Back up and write the rollout?' : 'Write the copy?'
}

/**
 * Whether to show the list: if no option says what to do, and the output is a terminal. A plan for a file or program
 * never asks.
 */
function isInteractive({ settings }: CallSettings, options: PruneOptions, { stdout }: World): boolean {
  if (settings.interactive || !stdout.isTerminal) return settings.interactive
  const named = [...options.exclude, ...options.include, ...options.delete, ...options.replace]
  return named.length === 0 && !settings.json && settings.output === undefined && !settings.inPlace
}

/** The terminal to show the list on. Throws a `UsageError` if `--interactive` is given without a terminal. */
function terminalOf({ terminal }: World, { settings }: CallSettings): World['terminal'] {
  if (terminal === undefined && settings.interactive)
    throw new UsageError(
      '`--interactive` needs a terminal. Without one, name items with `--exclude`, `--replace`, `--delete` and `--include`.',
    )
  return terminal
}

function optionsOf(call: CallSettings, invocation: Invocation): PruneOptions {
  const { settings } = call
  const { output, newThread, inPlace, force, assumeClosed, redact } = settings
  if ([output !== undefined, newThread, inPlace].filter(Boolean).length > 1)
    throw new UsageError(
      '`--output` writes a copy, `--new-thread` a new session, `--in-place` the rollout itself: choose one.',
    )
  const target = targetOf(call, invocation)
  if (output === target.targetPath)
    throw new UsageError('`--output` names the rollout itself; use `--in-place` for that.')
  requireProduct({ output, homes: settings.homes }, invocation.world)
  const names = settings.excludeCategories.flatMap((list) => list.split(',')).map((name) => name.trim())
  const categories = names.filter((name) => name !== '').map((name) => `category:${name}`)
  return {
    ...target,
    exclude: [...settings.excludeItems, ...categories],
    include: settings.includeItems,
    delete: settings.deleteItems,
    replace: settings.replaceItems,
    replacement: settings.replacement,
    ...{ output, newThread, inPlace, force, assumeClosed, redact, personal: personalOf(call) },
  }
}

async function printDone(result: PruneResult, { settings }: Resolved, invocation: Invocation): Promise<void> {
  const { world } = invocation
  // If something was written, the plan was announced before; whoever left the list has seen it there.
  if (result.written === undefined && !result.isCancelled) await printPlan(result, world)
  await world.stdout.write(`${asCalled(closing(result, settings.inPlace, invocation), world)}\n`)
}

async function printPlan(result: PruneResult, { stdout }: World): Promise<void> {
  const { planLines } = await import('./terminal/texts.ts')
  await stdout.write(`${planLines(result, widthOf(stdout)).join('\n')}\n`)
}

function closing({ plan, written, isCancelled }: PruneResult, inPlace: boolean, { world, flags }: Invocation): string {
  if (isCancelled) return 'Nothing was written.'
  if (written === undefined) {
    if (inPlace) return 'Nothing to change: the rollout was left as it is.'
    if (!plan.changes)
      return 'Nothing was written. Name items with `--exclude`, `--replace`, `--delete` and `--include`.'
    return 'Nothing was written: `--in-place` writes the rollout, `--new-thread` a new session, `--output FILE` a copy.'
  }
  if ('threadId' in written) return threadLines(written, world).join('\n')
  if ('output' in written) return `Wrote \`${written.output}\`.`
  const carried = written.carried === 0 ? '' : ' Lines that a program wrote to it in the meantime were carried over.'
  const again = printable(quoted(String(flags['target'])))
  return `Wrote the rollout.${carried} Its backup is \`${printable(written.backup)}\`; \`codex-export restore ${again}\` restores it.`
}

function threadLines({ threadId, output, home }: WrittenThread, { env, homeDir }: World): string[] {
  const isDefault = resolve(env['CODEX_HOME'] ?? join(homeDir, '.codex')) === home
  const homeNote = isDefault ? '' : `, with \`CODEX_HOME\` set to \`${home}\``
  return [
    `Wrote the new thread \`${threadId}\`, \`${output}\`. The session itself is unchanged.`,
    `\`codex resume ${threadId}\` continues it${homeNote}.`,
  ]
}

async function printDoneJson({ threadId, file, plan, written }: PruneResult, { stdout }: World): Promise<void> {
  const items = plan.items.map(({ item, state, along, text }) => {
    const { index, included, category, tokens, turn, pair, preview, sources, synthetic, replaced } = item
    return { index, included, state, along, text, category, tokens, turn, pair, preview, synthetic, replaced, sources }
  })
  const { before, after, notes, changes } = plan
  const document = { threadId, file, changes, before, after, notes, items, written }
  await stdout.write(jsonDocument({ schema: 'codex-export/prune', version: 1, ...document }))
}

// Asks on a terminal whether a session is closed, if that cannot be found out.

/** Returns a function that prints the doubt and asks; `undefined` if nobody can be asked. */
function confirmClosed(world: Pick<World, 'stdin' | 'stderr'>, signal: AbortSignal): PruneOptions['confirmClosed'] {
  const ask = confirm(world, signal)
  if (ask === undefined) return undefined
  return async (doubt) => {
    await world.stderr.write(`${printable(doubt)}\n`)
    return await ask('Is the session closed?')
  }
}

// `codex-export restore`

/** Restores the backup of a pruned rollout. */
export const restoreCommand: CommandModule = {
  name: 'restore',
  usage: 'restore <target>',
  describe: 'Restore the backup of a pruned rollout, or undo the last prune or restore',
  positionals: { target: 'The start of a thread id, or the path of a rollout' },
  examples: [['restore 0199a213', 'restore the backup from the last prune']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    const options = restoreOptions(call, invocation)
    const [{ restore }, { restoreLines }] = await Promise.all([import('./restore.ts'), import('./terminal/texts.ts')])
    const result = await supervise(world, (host) =>
      restore({ ...options, ...defined({ confirmClosed: confirmClosed(world, host.signal) }) }, host),
    )
    const lines = (): string => `${asCalled(restoreLines(result, options).join('\n'), world)}\n`
    await world.stdout.write(call.settings.json ? jsonOf(result) : lines())
    return exitCodes.fine
  },
}

function restoreOptions(call: CallSettings, invocation: Invocation): RestoreOptions {
  const { backup, listBackups, undo, moveBackups, force, assumeClosed } = call.settings
  const chosen = [backup === undefined ? '' : '--from', listBackups ? '--list' : '', undo ? '--undo' : '']
  const given = [...chosen, moveBackups ? '--move-backups' : ''].filter((flag) => flag !== '')
  if (given.length > 1) throw new UsageError(`\`${given.join('` and `')}\` cannot be given together.`)
  return { ...targetOf(call, invocation), backup, listBackups, undo, moveBackups, force, assumeClosed }
}

function jsonOf(result: RestoreResult): string {
  return jsonDocument({ schema: 'codex-export/restore', version: 1, ...result })
}
