/** What the sandbox of a session allowed and when it asked, turn by turn, in words. */

import type { Permissions } from '../transcript/overview.ts'
import type { Turn } from '../transcript/trast.ts'
import { isAbsent, permissionWord } from '../transcript/view.ts'
import { defined } from '../util/own.ts'
import { formatAmount } from '../util/time.ts'
import { settingsIn } from './labels.ts'

/** Permissions that are listed; only a made-up file has more. */
const maxPermissions = 8

/** Collects the permissions of turns in their order. */
export interface PermissionCollector {
  add: (turn: Turn) => void
  permissions: () => Permissions
}

/** An empty collector. */
export function permissionCollector(): PermissionCollector {
  const all = new Set<string>()
  let changes = 0
  let last: string | undefined
  let next: string | undefined
  const addPermission = (permission: string): void => {
    if (last !== undefined && permission !== last) changes += 1
    if (all.size < maxPermissions) all.add(permission)
    last = permission
  }
  return {
    add(turn) {
      const permission = permissionOf(turn)
      if (permission !== undefined) addPermission(permission)
      const chosen = chosenIn(turn)
      if (!turn.data?.continued) next = undefined
      if (chosen !== undefined) next = chosen === last ? undefined : chosen
    },
    permissions: () => ({ all: [...all], changes, ...(next === undefined ? {} : { next }) }),
  }
}

/** What a turn's sandbox allowed and when it asked: `workspace writes, asks when needed`; `undefined` if both are unknown. */
function permissionOf({ approval, sandbox }: Pick<Turn, 'approval' | 'sandbox'>): string | undefined {
  const words = [sandbox ?? '', approval ?? ''].filter((word) => word !== '')
  return words.length === 0 ? undefined : words.map(permissionWord).join(', ')
}

/** The permissions chosen last while a turn ran, which apply from the next turn on. */
function chosenIn(turn: Turn): string | undefined {
  let { approval, sandbox } = turn
  let isChosen = false
  for (const child of turn.children) {
    if (child.type !== 'notice' || isAbsent(child)) continue
    const { Approval, Sandbox } = settingsIn(child.facts?.after)
    isChosen ||= (Approval ?? Sandbox) !== undefined
    approval = Approval ?? approval
    sandbox = Sandbox ?? sandbox
  }
  return isChosen ? permissionOf(defined({ approval, sandbox })) : undefined
}

/**
 * Permissions in words: `read only, asks when needed; then full access, never asks`. If they went back to earlier ones, the
 * text says how often they changed instead.
 */
export function permissionText({ all, changes, next }: Permissions): string {
  const isTrail = changes === all.length - 1
  const parts = all.map((words, index) => (isTrail && index > 0 ? `then ${words}` : words))
  if (!isTrail && changes > 0) parts.push(`changed ${changes === 2 ? 'twice' : formatAmount(changes, 'time')}`)
  if (next !== undefined) parts.push(`for the next turn: ${next}`)
  return parts.join('; ')
}
