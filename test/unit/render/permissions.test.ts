import { describe, expect, it } from 'vitest'
import { sessionView } from '../../../src/render/pages/session/session.ts'
import type { FlowContent, Turn } from '../../../src/transcript/trast.ts'
import { overviewOf, sessionPage } from '../../helpers/session-page.ts'
import { notice, session, turn } from '../../helpers/tree.ts'

const careful = { sandbox: 'workspace-write', approval: 'on-request' } as const
const free = { sandbox: 'danger-full-access', approval: 'never' } as const
const chosen = (after: string) => notice('settings', [], { facts: { before: 'Sandbox: read only', after } })

/** The permissions in the details of a session whose pages have one of these turns each. */
function permissionsOf(...turns: [settings: Partial<Turn>, ...children: FlowContent[]][]): string {
  const pages = turns.map(([settings, ...children]) => session([turn(children, settings)]))
  const { details } = sessionView(sessionPage({ overview: overviewOf(...pages) }))
  return (details.find(({ name }) => name === 'Permissions')?.parts ?? []).map(({ text }) => text).join('')
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
