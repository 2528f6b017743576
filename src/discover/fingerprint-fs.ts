/** Whether anything changed at the places where sessions are read from, by names, sizes and times alone. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RolloutBackup } from '../model/rollout.ts'
import type { Root } from './homes-fs.ts'
import { threadNamesFile } from './thread-names-fs.ts'
import { walk } from './walk-fs.ts'

/** A text for each root that is another one as soon as a rollout or the list of thread names is. Never throws. */
export function rootFingerprints(roots: readonly Root[]): string[] {
  return roots.map((root) => {
    const { files, diagnostics } = walk(root)
    const lines = files.flatMap((file) => [file, ...(file.backups ?? [])]).map(mark)
    return [JSON.stringify(root), namesMark(root), JSON.stringify(diagnostics), ...lines].join('\n')
  })
}

function mark({ path, bytes, mtimeMs }: RolloutBackup): string {
  return `${path} ${bytes} ${mtimeMs}`
}

function namesMark({ kind, path }: Root): string {
  if (kind !== 'home') return ''
  const stat = statSync(join(path, threadNamesFile), { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`
}
