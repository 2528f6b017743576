/** Markers: compactions, rollbacks, aborts, reviews, errors, plans in prose, unknown records. */
import type {
  CompactionFact,
  ErrorFact,
  FindingFact,
  NoticeFact,
  PlanTextFact,
  ReviewFact,
  RollbackFact,
  TurnEndFact,
  UnknownFact,
} from '../../model/facts.ts'
import type { ErrorNode, Finding, Notice, Plan, Unknown } from '../../model/trast.ts'
import { defined } from '../../util/defined.ts'
import type { Fragment } from '../fragment.ts'
import { base, idMaker, prose } from './context.ts'

/** A compaction with its summary, folded. */
export function compactionNode(fragment: Fragment & { fact: CompactionFact }): Notice {
  const { summary } = fragment.fact
  const node = base(fragment)
  return {
    ...node,
    type: 'notice',
    kind: 'compaction',
    data: { ...node.data, visibility: 'collapsed' },
    children: summary === undefined ? [] : [prose(summary, `${fragment.id}.1`)],
  }
}

/** A rollback: how many turns it took away. */
export function rollbackNode(fragment: Fragment & { fact: RollbackFact }): Notice {
  return { ...base(fragment), type: 'notice', kind: 'rollback', facts: { count: fragment.fact.turns }, children: [] }
}

/** How a turn ended where it did not complete. */
export function turnEndNode(fragment: Fragment & { fact: TurnEndFact }): Notice | ErrorNode {
  const { error, reason, status } = fragment.fact
  if (error !== undefined && status !== 'interrupted') return { ...base(fragment), type: 'error', message: error }
  const words = [reason, error].filter((text) => text !== undefined).join(': ')
  return {
    ...base(fragment),
    type: 'notice',
    kind: 'abort',
    children: words === '' ? [] : [{ type: 'text', id: `${fragment.id}.1`, value: words }],
  }
}

/** A marker with a text. */
export function noticeNode(fragment: Fragment & { fact: NoticeFact }): Notice {
  const { notice, text } = fragment.fact
  return {
    ...base(fragment),
    type: 'notice',
    kind: notice,
    children: [{ type: 'text', id: `${fragment.id}.1`, value: text }],
  }
}

/** A review with its findings; without a verdict it was interrupted. */
export function reviewNode(fragment: Fragment & { fact: ReviewFact }): Notice {
  const { hint, prompt, verdict, explanation, findings, step } = fragment.fact
  const next = idMaker(fragment)
  const after = verdict ?? (step === 'exited' ? 'review interrupted' : undefined)
  const facts = defined({ before: hint, after })
  return {
    ...base(fragment),
    type: 'notice',
    kind: 'review',
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    children: [
      ...[prompt, explanation].flatMap((text) => (text === undefined ? [] : [prose(text, next())])),
      ...findings.map((item) => findingNode(item, next)),
    ],
  }
}

function findingNode(item: FindingFact, next: () => string): Finding {
  const { title, body, priority, path, startLine, endLine } = item
  return {
    type: 'finding',
    id: next(),
    title,
    ...defined({ priority, path, startLine, endLine }),
    children: body === '' ? [] : [prose(body, next())],
  }
}

/** An error that the file recorded. */
export function errorNode(fragment: Fragment & { fact: ErrorFact }): ErrorNode {
  const { message, code } = fragment.fact
  return { ...base(fragment), type: 'error', message, ...defined({ code }) }
}

/** A plan in prose. */
export function planTextNode(fragment: Fragment & { fact: PlanTextFact }): Plan {
  return {
    ...base(fragment),
    type: 'plan',
    children: [{ type: 'markdown', id: `${fragment.id}.1`, value: fragment.fact.text }],
  }
}

/** A record that this version does not know. */
export function unknownNode(fragment: Fragment & { fact: UnknownFact }): Unknown {
  const { recordType, payload } = fragment.fact
  return { ...base(fragment), type: 'unknown', recordType, payload }
}
