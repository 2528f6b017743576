/** Names of staging folders tell which process made them, so that one left by a dead process can be told from a live one. */

import { randomBytes } from 'node:crypto'
import { startToken, unknownStart } from '../../util/process-owner-fs.ts'
import { errorCode } from '../../util/reason.ts'
import { stagingPrefix } from './paths.ts'

const form = /^\.staging-(\d+)-([0-9a-f]+)-[0-9a-f]{12}$/

/** Staging folders of this very process, by name: its process number says nothing about those. */
const open = new Set<string>()

/** Makes the name of a new staging folder of this process and counts it as live until `release`. */
export function claimStagingName(): string {
  const name = `${stagingPrefix}${process.pid}-${startToken(process.pid)}-${randomBytes(6).toString('hex')}`
  open.add(name)
  return name
}

/** Says that this process is done with a staging folder. */
export function releaseStagingName(name: string): void {
  open.delete(name)
}

/** Whether a name is that of a staging folder; a user's own `.staging-notes` is not. */
export function isStagingName(name: string): boolean {
  return form.test(name)
}

/** Whether the process that made a staging folder still runs. */
export function isLive(name: string): boolean {
  const match = form.exec(name)
  if (match === null) return false
  const pid = Number(match[1])
  if (pid === process.pid) return open.has(name)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, as another user.
    if (errorCode(error) !== 'EPERM') return false
  }
  const token = startToken(pid)
  return token === unknownStart || match[2] === unknownStart || token === match[2]
}
