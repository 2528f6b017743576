import { describe, expect, it } from 'vitest'
import { planChanges } from '../../../src/render/transcript/hast/patch.ts'
import type { PlanStep } from '../../../src/transcript/trast.ts'
import { items } from '../../helpers/render.ts'
import { plan, planStep } from '../../helpers/tree.ts'

/** Steps of `x a, > b, o c`: done, in progress, to do. */
const steps = (text: string): PlanStep[] =>
  text.split(', ').map((part) => {
    const states: Readonly<Record<string, PlanStep['status']>> = { x: 'completed', '>': 'inProgress', o: 'pending' }
    return planStep(part.slice(2), states[part.charAt(0)])
  })

/** What changed, by the text of the step. */
function changesOf(before: string | undefined, after: string) {
  const { changes, removed } = planChanges(before === undefined ? undefined : steps(before), steps(after))
  return [
    ...[...changes].map(([step, change]) => `${step.value} ${change}`),
    ...removed.map(({ value }) => `${value} removed`),
  ]
}

describe('the changes of a plan', () => {
  it.each([
    ['steps that were done and started', '> a, o b, o c', 'x a, > b, o c', ['a done', 'b started']],
    ['a step that was reopened', 'x a, > b', 'o a, > b', ['a reopened']],
    ['steps that were added and removed', 'x a, o b', 'x a, o c', ['c added', 'b removed']],
    ['equal steps in their order', 'x a, o a', 'x a, x a', ['a done']],
    ['one of two equal steps that was removed', 'x a, x a', 'x a', ['a removed']],
    ['no change of order', 'x a, o b', 'o b, x a', []],
    ['nothing of the first plan', undefined, 'x a', []],
    ['nothing of another plan', 'x a, o b', 'o c, o d', []],
  ])('show %s', (_name, before, after, expected) => {
    expect(changesOf(before, after)).toEqual(expected)
  })

  it('are shown next to the steps, with removed ones at the end', () => {
    const html = items([plan(steps('> a, o b')), plan(steps('x a, > c'))])
    const [first = '', second = ''] = html.split('</ol>')
    expect(first).not.toContain('<em>')
    expect(second).toContain('<span>a</span><em>just done</em></li>')
    expect(second).toContain('<span>c</span><em>added</em></li>')
    expect(second).toContain('<li class="gone"><span class="box" role="img" aria-label="removed">−</span><del>b</del>')
    expect(second).toContain('>1 of 2 done<')
  })

  it('ignore plans that are only a text, and hidden steps', () => {
    const hidden = { ...planStep('b'), data: { visibility: 'hidden' } } as const
    const html = items([plan(steps('> a')), plan([]), plan([...steps('x a'), hidden])])
    expect(html).toContain('<em>just done</em>')
    expect(html).not.toContain('<span>b</span>')
    expect(html).toContain('1 of 1 done')
  })
})
