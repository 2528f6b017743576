/** The Codex home that a rollout lies in. */

import type { RolloutFile } from '../../../rollout/discover/rollout.ts'

/** Absolute path of the home; `undefined` for a rollout of a bare folder, and one that was named by itself. */
export function homeOf({ path, name }: Pick<RolloutFile, 'path' | 'name'>): string | undefined {
  return /^(?:archived_)?sessions[\\/]/.test(name) ? path.slice(0, -name.length - 1) : undefined
}
