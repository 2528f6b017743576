/** `codex-export restore` */
import { resolve } from 'node:path'
import type { BackupReport, RestoreResult } from '../app/restore.ts'
import { printable } from '../util/printable.ts'
import { formatAmount, formatBytes } from '../util/time.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readSettings, sourcesOf } from './settings.ts'
import { supervise } from './supervise.ts'

/** Puts the backup of a pruned rollout back. */
export const restoreCommand: CommandModule = {
  name: 'restore',
  usage: 'restore <target>',
  describe: 'Put the backup of a pruned rollout back',
  positionals: { target: 'The beginning of a thread id, or the path of a rollout' },
  examples: [
    ['restore 0199a213', 'the newest backup; the pruned rollout becomes a backup itself'],
    ['restore 0199a213 --list', 'which backups there are, and what is different in them'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('restore', invocation)
    const { backup, listBackups, force, json } = call.settings
    const target = String(flags['target'])
    const { restore } = await import('../app/restore.ts')
    const options = {
      sources: sourcesOf(call),
      target,
      targetPath: resolve(world.cwd, target),
      from: backup,
      list: listBackups,
      force,
    }
    const result = await supervise(world, (host) => restore(options, host))
    await world.stdout.write(`${json ? jsonOf(result) : restoreLines(result).join('\n')}\n`)
    return exitCodes.fine
  },
}

function jsonOf(result: RestoreResult): string {
  return JSON.stringify({ schema: 'codex-export/restore', version: 1, ...result }, undefined, 2)
}

function restoreLines({ file, memory, backups, kept }: RestoreResult): string[] {
  const head = `${printable(file)}: ${amount(memory)}`
  if (backups.length === 0) return [head, 'There is no backup beside it.']
  const lines = backups.map(backupLine)
  if (kept === undefined) return [head, ...lines]
  return [head, ...lines, `Put back. The rollout as it was is \`${printable(kept)}\`.`]
}

function backupLine({ name, bytes, memory, lines: { onlyHere, onlyThere } }: BackupReport): string {
  const lines = [
    ...(onlyThere > 0 ? [`${formatAmount(onlyThere, 'line')} that the rollout lacks`] : []),
    ...(onlyHere > 0 ? [`lacks ${formatAmount(onlyHere, 'line')} of the rollout`] : []),
  ]
  const difference = lines.length === 0 ? 'the same lines' : lines.join(', ')
  return `${printable(name)} (${formatBytes(bytes)}): ${amount(memory)}; ${difference}`
}

function amount({ items, tokens }: RestoreResult['memory']): string {
  return `${formatAmount(items, 'item')}, about ${formatAmount(tokens, 'token')}`
}
