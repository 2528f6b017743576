/** What is to be omitted from one session, and its facts without that. */

import { contentKinds, type Publication, type SessionCuration, type Visibility } from '../../config/publication.ts'
import { type Selection, type SelectionTarget, selects } from '../../config/selectors.ts'
import type { ScanFacts } from '../../transcript/summary.ts'
import { keptPrompts } from '../../transcript/texts.ts'
import type { Source, TrastNode } from '../../transcript/trast.ts'
import { isRequest } from '../../transcript/view.ts'
import { defined } from '../../util/own.ts'

/** Decisions for one session, ready to be applied. */
export interface CurationPlan {
  visibility: Visibility
  /** Selected turns and lines. */
  exclude: readonly Selection[]
  /** Replaces the session's own. */
  title?: string
  /** Markdown for the head of the first page. */
  note?: string
  star?: true
  tags?: readonly string[]
  /**
   * Omits the history of a session of which parts are omitted, because they would appear here, or in what the model remembers.
   */
  withoutInherited?: boolean
  /** At most this many UTF-16 units of each output are published. */
  maxOutput?: number
}

/** Merges what applies to all sessions with what was decided for this one. */
export function planOf(
  { visibility, maxOutput }: Pick<Publication, 'visibility' | 'maxOutput'>,
  curation: SessionCuration | undefined,
): CurationPlan {
  const common = { visibility, exclude: [], ...defined({ maxOutput }) }
  if (curation === undefined) return common
  const { exclude, title, note, star, tags } = curation
  const omitted = exclude.flatMap((selection) => (selection.by === 'category' ? [selection.category] : []))
  const kinds = contentKinds.filter((kind) => omitted.includes(kind))
  return {
    ...common,
    visibility: { ...visibility, ...Object.fromEntries(kinds.map((kind) => [kind, 'omit'])) },
    exclude: exclude.filter(({ by }) => by !== 'category'),
    ...defined({ title, note, star }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags }),
  }
}

/** Whether a plan omits anything. */
export function omitsAnything({ visibility, exclude, withoutInherited = false, maxOutput }: CurationPlan): boolean {
  if (maxOutput !== undefined) return true
  return exclude.length > 0 || withoutInherited || contentKinds.some((kind) => visibility[kind] === 'omit')
}

/** Whether a plan changes anything. */
export function isPlain(plan: CurationPlan): boolean {
  const { visibility, ...rest } = plan
  if (omitsAnything(plan) || [rest.title, rest.note, rest.star, rest.tags].some((value) => value !== undefined))
    return false
  return contentKinds.every((kind) => visibility[kind] === 'show')
}

// Whether single turns and items of a session are omitted.

/** The selections that match a turn, or an item by its anchor or any record that it was made from. */
export function excludedBy(
  node: TrastNode,
  exclude: readonly Selection[],
  rollouts: readonly string[],
): readonly Selection[] {
  if (exclude.length === 0) return exclude
  const targets = targetsOf(node, rollouts)
  return exclude.filter((selection) => targets.some((target) => selects(selection, target)))
}

function targetsOf(node: TrastNode, rollouts: readonly string[]): SelectionTarget[] {
  if (node.type === 'turn') return node.data?.inherited ? [] : [{ turn: node.number }]
  // What frames items is not an item; its records are about settings and the turn.
  if (node.type === 'preamble' || node.type === 'group' || node.type === 'session') return []
  const own = anchorTarget(node.id)
  const anchors = own === undefined ? [] : [own]
  // If a prompt has two records, the first counts, as in the outline, which knows only that one.
  if (isRequest(node)) return anchors
  return [...anchors, ...(node.data?.sources ?? []).map((source) => sourceTarget(source, rollouts))]
}

/** Whether an anchor such as `l12`, `l12.1` or `0a1b2c3d-l12` is excluded. */
function isExcludedAnchor(anchor: string, exclude: readonly Selection[]): boolean {
  const target = anchorTarget(anchor)
  return target !== undefined && exclude.some((selection) => selects(selection, target))
}

/** The same for the number of a turn of the session's own. */
function isExcludedTurn(turn: number, exclude: readonly Selection[]): boolean {
  return exclude.some((selection) => selects(selection, { turn }))
}

function anchorTarget(anchor: string): SelectionTarget | undefined {
  const [, segment, line] = /^(?:([\da-f]{8})-)?l(\d+)(?:[.-]|$)/.exec(anchor) ?? []
  return line === undefined ? undefined : { line: Number(line), ...defined({ segment }) }
}

/** Anchors of later segments begin with eight digits of the rollout id. */
function sourceTarget({ file, line }: Source, rollouts: readonly string[]): SelectionTarget {
  const segment = file === undefined ? undefined : rollouts[file]?.replaceAll('-', '').slice(-8)
  return { line, ...defined({ segment }) }
}

// What lists, links and outlines say about a session, without what is omitted.

/** Replaces a title of which nothing is left. */
const untitled = 'Untitled session'

/** Facts of a scan as they may be published. */
export function curateFacts(facts: ScanFacts, plan: CurationPlan): ScanFacts {
  const { firstPrompt: _first, lastPrompt: _last, requests, agents: _agents, subtitle, subtitleTurn, ...rest } = facts
  const isCodex = requests !== undefined
  const isOmitted = (anchor: string, turn?: number): boolean =>
    isExcludedAnchor(anchor, plan.exclude) || (turn !== undefined && isExcludedTurn(turn, plan.exclude))
  const asked = plan.visibility.prompts !== 'omit'
  const outline = asked ? facts.outline.filter(({ anchor, turn }) => !isOmitted(anchor, turn)) : []
  const agents = facts.agents?.filter((call) => isShown(call.kind, plan) && !isOmitted(call.anchor, call.turn))
  const isWhole = outline.length === facts.outline.length
  const kept = keptPrompts(outline, facts.rolledBack)
  return {
    ...rest,
    ...titleOf(facts, outline, plan),
    outline,
    prompts: isCodex ? 0 : kept.length,
    ...defined({
      firstPrompt: isWhole || isCodex ? facts.firstPrompt : kept[0]?.text,
      lastPrompt: isWhole || isCodex ? facts.lastPrompt : kept.at(-1)?.text,
      requests: isCodex ? kept.length : undefined,
      ...(isAnswerShown(subtitleTurn, plan) ? { subtitle, subtitleTurn } : {}),
      agents: agents?.length === 0 ? undefined : agents,
      star: plan.star,
      tags: plan.tags,
    }),
  }
}

/** Whether the answer of a turn may be quoted. Its lines are not known: if any are omitted, it may be on one of them. */
function isAnswerShown(turn: number | undefined, { visibility, exclude }: CurationPlan): boolean {
  if (visibility.answers === 'omit') return false
  return exclude.every((selection) => selection.by === 'turn' && turn !== undefined && !selects(selection, { turn }))
}

/** Links lead to the calls that started agents, if these are shown. */
function isShown(kind: 'spawn' | 'review', { visibility }: CurationPlan): boolean {
  return visibility[kind === 'spawn' ? 'agents' : 'notices'] !== 'omit'
}

function titleOf(
  facts: ScanFacts,
  outline: ScanFacts['outline'],
  { title, visibility, withoutInherited }: CurationPlan,
): Pick<ScanFacts, 'title' | 'titleFrom'> {
  if (title !== undefined) return { title, titleFrom: 'curation' }
  const next = keptPrompts(outline, facts.rolledBack)[0]?.text
  // Names are made of prompts, too.
  if (visibility.prompts === 'omit') return { title: untitled, titleFrom: 'file' }
  const left = facts.outline.filter((entry) => !outline.includes(entry))
  const isTitleOmitted = left.some(({ text }) => isSameText(text, facts.title))
  const isCopied = withoutInherited && facts.titleFrom === 'prompt' && facts.outline.length === 0
  if (!isTitleOmitted && !isCopied) return { title: facts.title, titleFrom: facts.titleFrom }
  return next === undefined ? { title: untitled, titleFrom: 'file' } : { title: next, titleFrom: 'prompt' }
}

/** Whether a title is a prompt, or a piece of one. */
function isSameText(prompt: string, title: string): boolean {
  const [a, b] = [prompt, title].map((text) => text.replace(/…$/, '').trim().toLowerCase())
  if (a === undefined || b === undefined || a === '' || b === '') return false
  return a.includes(b) || b.includes(a)
}
