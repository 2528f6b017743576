/** `codex-export restore` */
import { resolve } from 'node:path'
import type { BackupReport, RestoreOptions, RestoreResult } from '../app/restore.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { defined } from '../util/defined.ts'
import { printable } from '../util/printable.ts'
import { formatAmount, formatBytes } from '../util/time.ts'
import type { CommandModule } from './command.ts'
import { confirmClosed } from './confirm-closed.ts'
import { exitCodes } from './exit-codes.ts'
import { type CallSettings, readSettings, sourcesOf } from './settings.ts'
import { supervise } from './supervise.ts'
import type { World } from './world.ts'

/** Puts the backup of a pruned rollout back. */
export const restoreCommand: CommandModule = {
  name: 'restore',
  usage: 'restore <target>',
  describe: 'Put the backup of a pruned rollout back, or undo the last prune or restore',
  positionals: { target: 'The beginning of a thread id, or the path of a rollout' },
  examples: [
    ['restore 0199a213', 'the backup of the last prune; the pruned rollout becomes a backup itself'],
    ['restore 0199a213 --undo', 'undo the last prune or restore; what was said since stays'],
    ['restore 0199a213 --list', 'which backups there are, and what is different in them'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('restore', invocation)
    const options = optionsOf(call, String(flags['target']), world)
    const { restore } = await import('../app/restore.ts')
    const result = await supervise(world, (host) =>
      restore({ ...options, ...defined({ confirmClosed: confirmClosed(world, host.signal) }) }, host),
    )
    const text = call.settings.json ? jsonOf(result) : restoreLines(result, options).join('\n')
    await world.stdout.write(`${text}\n`)
    return exitCodes.fine
  },
}

function optionsOf(call: CallSettings, target: string, world: World): RestoreOptions {
  const { backup, listBackups, undo, moveBackups, force, assumeClosed } = call.settings
  const chosen = [backup === undefined ? '' : '--from', listBackups ? '--list' : '', undo ? '--undo' : '']
  const given = [...chosen, moveBackups ? '--move-backups' : ''].filter((flag) => flag !== '')
  if (given.length > 1) throw new UsageError(`\`${given.join('` and `')}\` cannot be given together.`)
  return {
    sources: sourcesOf(call),
    target,
    targetPath: resolve(world.cwd, target),
    from: backup,
    list: listBackups,
    ...{ undo, moveBackups, force, assumeClosed },
  }
}

function jsonOf(result: RestoreResult): string {
  return JSON.stringify({ schema: 'codex-export/restore', version: 1, ...result }, undefined, 2)
}

function restoreLines(result: RestoreResult, options: RestoreOptions): string[] {
  const { file, memory, backups, notes } = result
  const head = `${printable(file)}: ${amount(memory)}`
  return [head, ...backups.map(backupLine), ...closing(result, options), ...notes.map(printable)]
}

function closing({ backups, kept, undone, moved }: RestoreResult, { list }: RestoreOptions): string[] {
  if (moved !== undefined) return movedLines(moved)
  if (list) return backups.length === 0 ? ['There is no backup of it.'] : []
  const [chosen] = backups
  if (kept === undefined) return ['Nothing to put back: the rollout has all that its backups have.']
  const held = `The rollout as it was is \`${printable(kept)}\`.`
  if (undone !== undefined) return [`Undid the last ${undone.kind}: ${changeText(undone.lines)}. ${held}`]
  if (chosen === undefined) return [held]
  return [`Put back \`${printable(chosen.path)}\`: ${changeText(chosen.lines)}. ${held}`]
}

function movedLines(moved: NonNullable<RestoreResult['moved']>): string[] {
  if (moved.length === 0) return ['There is no backup that an old Codex may resume.']
  return moved.map(({ from, to }) => `Moved \`${printable(from)}\` to \`${printable(to)}\`.`)
}

/** How many lines change. */
function changeText({ onlyHere, onlyThere, edited }: BackupReport['lines']): string {
  const parts = [
    ...(onlyThere > 0 ? [`${formatAmount(onlyThere, 'line')} came back`] : []),
    ...(onlyHere > 0 ? [`${formatAmount(onlyHere, 'line')} went`] : []),
    ...(edited > 0 ? [`${formatAmount(edited, 'line')} changed`] : []),
  ]
  return parts.length === 0 ? 'no line changed' : parts.join(', ')
}

function backupLine({ name, bytes, memory, lines: { onlyHere, onlyThere, edited }, fault }: BackupReport): string {
  if (fault !== undefined) return printable(fault)
  const lines = [
    ...(onlyThere > 0 ? [`${formatAmount(onlyThere, 'line')} that the rollout lacks`] : []),
    ...(onlyHere > 0 ? [`lacks ${formatAmount(onlyHere, 'line')} of the rollout`] : []),
    ...(edited > 0 ? [`other items in ${formatAmount(edited, 'line')}`] : []),
  ]
  const difference = lines.length === 0 ? 'the same lines' : lines.join(', ')
  return `${printable(name)} (${formatBytes(bytes)}): ${amount(memory)}; ${difference}`
}

function amount({ items, tokens }: RestoreResult['memory']): string {
  return `${formatAmount(items, 'item')}, about ${formatAmount(tokens, 'token')}`
}
