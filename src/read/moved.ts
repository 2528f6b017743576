/** Where a rollout may be found again after Codex moved it. */
import type { RolloutFile } from '../model/rollout.ts'

/**
 * Other paths of the same rollout: compressed or plain beside it, and for files of a home the archive, or the
 * dated folder when it was archived (rollout-format 1.2, 1.3).
 */
export function otherPaths(file: Pick<RolloutFile, 'path' | 'name' | 'stamp'>): string[] {
  const moved = movedPath(file)
  return [twin(file.path), ...(moved === undefined ? [] : [moved, twin(moved)])]
}

function twin(path: string): string {
  return path.endsWith('.zst') ? path.slice(0, -'.zst'.length) : `${path}.zst`
}

function movedPath({ path, name, stamp }: Pick<RolloutFile, 'path' | 'name' | 'stamp'>): string | undefined {
  if (path.length <= name.length || stamp === undefined) return undefined
  const root = path.slice(0, -name.length)
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (name.startsWith('sessions/')) return `${root}archived_sessions/${base}`
  if (!name.startsWith('archived_sessions/')) return undefined
  return `${root}sessions/${stamp.slice(0, 10).replaceAll('-', '/')}/${base}`
}
