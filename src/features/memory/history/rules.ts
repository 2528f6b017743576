/**
 * Where builds of Codex make something else of the same records. The build that began the rollout decides: no record
 * tells of another one that went on with it. Observed in requests of the builds around each border.
 */

/** How a build reads what it wrote. */
export interface MemoryRules {
  /**
   * What a rollback leaves that takes more turns than there were behind the last compaction:
   * - `list`: the compacted history goes on to shrink, message by message, as any other;
   * - `suffix`: nothing of what was before the compaction;
   * - `windows`: what was before the compaction, without the turns that were taken back.
   */
  rollback: 'list' | 'suffix' | 'windows'
  /** Whether context that was put before a turn is taken back with it. */
  trimsContext: boolean
  /** Whether a picture that the model made is sent as the user's. */
  sendsMadePictures: boolean
}

/** The rules of the build that began a rollout; those of the newest builds where the version is not known. */
export function rulesOf(version: string | undefined): MemoryRules {
  return {
    rollback: rollbackOf(version),
    trimsContext: !isBetween(version, 0, 117),
    sendsMadePictures: isBetween(version, 105, 113),
  }
}

function rollbackOf(version: string | undefined): MemoryRules['rollback'] {
  if (isBetween(version, 0, 113)) return 'list'
  return isBetween(version, 113, 156) ? 'suffix' : 'windows'
}

/** Whether a version 0.x is one from the first to before the last. */
export function isBetween(version: string | undefined, from: number, to: number): boolean {
  const minor = Number(/^0\.(\d+)\./.exec(version ?? '')?.[1] ?? Number.NaN)
  return minor >= from && minor < to
}
