/** What lists, links and outlines say of a session, without what is left out of it. */

import type { ScanFacts } from '../../transcript/summary.ts'
import { keptPrompts } from '../../transcript/texts.ts'
import { defined } from '../../util/defined.ts'
import { type CurationPlan, isExcludedAnchor, isExcludedTurn } from './plan.ts'

/** Stands for a title that nothing is left for. */
const untitled = 'Untitled session'

/** Facts of a scan as they may be published. */
export function curateFacts(facts: ScanFacts, plan: CurationPlan): ScanFacts {
  const { firstPrompt: _first, lastPrompt: _last, agents: _agents, subtitle, ...rest } = facts
  const isOmitted = (anchor: string, turn?: number): boolean =>
    isExcludedAnchor(anchor, plan.exclude) || (turn !== undefined && isExcludedTurn(turn, plan.exclude))
  const asked = plan.visibility.prompts !== 'omit'
  const outline = asked ? facts.outline.filter(({ anchor, turn }) => !isOmitted(anchor, turn)) : []
  const agents = facts.agents?.filter((call) => hasPlace(call.kind, plan) && !isOmitted(call.anchor, call.turn))
  const isWhole = outline.length === facts.outline.length
  const said = keptPrompts(outline, facts.rolledBack)
  return {
    ...rest,
    ...titleOf(facts, outline, plan),
    outline,
    prompts: said.length,
    ...defined({
      firstPrompt: isWhole ? facts.firstPrompt : said[0]?.text,
      lastPrompt: isWhole ? facts.lastPrompt : said.at(-1)?.text,
      // Which turn or line it is of is not known here: where some are left out, it may be of one of them.
      subtitle: plan.visibility.answers === 'omit' || plan.exclude.length > 0 ? undefined : subtitle,
      agents: agents?.length === 0 ? undefined : agents,
      star: plan.star,
      tags: plan.tags,
    }),
  }
}

/** Links lead to the calls that started agents, where these are shown. */
function hasPlace(kind: 'spawn' | 'review', { visibility }: CurationPlan): boolean {
  return visibility[kind === 'spawn' ? 'agents' : 'notices'] !== 'omit'
}

function titleOf(
  facts: ScanFacts,
  outline: ScanFacts['outline'],
  { title, visibility, withoutInherited }: CurationPlan,
): Pick<ScanFacts, 'title' | 'titleFrom'> {
  if (title !== undefined) return { title, titleFrom: 'curation' }
  const next = keptPrompts(outline, facts.rolledBack)[0]?.text
  // Names are made of prompts too.
  if (visibility.prompts === 'omit') return { title: untitled, titleFrom: 'file' }
  const left = facts.outline.filter((entry) => !outline.includes(entry))
  const tellsLeft = left.some(({ text }) => isSameText(text, facts.title))
  const isCopied = withoutInherited && facts.titleFrom === 'prompt' && facts.outline.length === 0
  if (!tellsLeft && !isCopied) return { title: facts.title, titleFrom: facts.titleFrom }
  return next === undefined ? { title: untitled, titleFrom: 'file' } : { title: next, titleFrom: 'prompt' }
}

/** A title is a prompt, or a piece of one. */
function isSameText(prompt: string, title: string): boolean {
  const [a, b] = [prompt, title].map((text) => text.replace(/…$/, '').trim().toLowerCase())
  if (a === undefined || b === undefined || a === '' || b === '') return false
  return a.includes(b) || b.includes(a)
}
