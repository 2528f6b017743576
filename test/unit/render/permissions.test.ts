import { describe, expect, it } from 'vitest'
import { permissionCollector, permissionText } from '../../../src/render/permissions.ts'
import type { FlowContent, Turn } from '../../../src/transcript/trast.ts'
import { notice, turn } from '../../helpers/tree.ts'

const careful = { sandbox: 'workspace-write', approval: 'on-request' } as const
const free = { sandbox: 'danger-full-access', approval: 'never' } as const
const chosen = (after: string) => notice('settings', [], { facts: { before: 'Sandbox: read only', after } })

function permissionsOf(...turns: [settings: Partial<Turn>, ...children: FlowContent[]][]): string {
  const collector = permissionCollector()
  for (const [settings, ...children] of turns) collector.add(turn(children, settings))
  return permissionText(collector.permissions())
}

describe('the permissions of a session', () => {
  it.each<[what: string, expected: string, ...Parameters<typeof permissionsOf>]>([
    ['none', '', [{}]],
    ['the same all the time', 'workspace writes, asks when needed', [careful], [careful], [{}], [careful]],
    ['a change', 'workspace writes, asks when needed; then full access, never asks', [careful], [free], [free]],
    [
      'a change back',
      'workspace writes, asks when needed; full access, never asks; changed twice',
      [careful],
      [free],
      [careful],
    ],
    [
      'what was chosen in the last turn',
      'workspace writes, asks when needed; for the next turn: full access, never asks',
      [careful, chosen('Approval: never asks, Sandbox: full access')],
    ],
    [
      'a part of that, across two pages',
      'workspace writes, asks when needed; for the next turn: workspace writes, never asks',
      [careful, chosen('Effort: low, Approval: never asks')],
      [{ ...careful, data: { continued: true } }],
    ],
    [
      'no choice that was reversed',
      'workspace writes, asks when needed',
      [careful, chosen('Approval: never asks'), chosen('Approval: asks when needed')],
    ],
    [
      'no choice before the last turn',
      'workspace writes, asks when needed',
      [careful, chosen('Approval: x')],
      [careful],
    ],
    ['no other setting', 'workspace writes, asks when needed', [careful, chosen('Model: never asks')]],
  ])('show %s', (_, expected, ...turns) => {
    expect(permissionsOf(...turns)).toBe(expected)
  })
})
