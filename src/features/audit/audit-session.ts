/** Looks for secrets and personal data in the tree of a session, and reports where they are. */

import { isPersonalRule } from '../../config/personal.ts'
import { type Finding, finding } from '../../diagnostics/finding.ts'
import type { Redactor } from '../../redact/redactor.ts'
import { redactByContext, redactStrings, type TextRedactor } from '../../redact/strings.ts'
import { isNamedSecret } from '../../redact/values/named-value.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { pageLimits } from '../../transcript/plugins/limit.ts'
import { pageLimiter } from '../../transcript/preset.ts'
import type { Session, TrastNode } from '../../transcript/trast.ts'
import { isRequest, walk } from '../../transcript/view.ts'
import { defined, ownValue } from '../../util/own.ts'
import { formatBytes } from '../../util/time.ts'
import { maskedContext } from './file-audit.ts'
import type { Found } from './text-hits.ts'

/** What the audit of a session needs. */
interface SessionAuditContext {
  thread: Thread
  /** Finds everything that is known to be private, whether or not a build replaces it. It replaces nothing. */
  redactor: Redactor
  /** Whether a build replaces what a rule finds. */
  isReplaced: (rule: string) => boolean
  add: (item: Finding) => void
}

/** The location of a text. */
interface SourceRef {
  field: string
  segment: number
  line?: number
  anchor?: string
  turn?: number
}

/** The most text of one page, in characters. A longer page is slow to load, even without its markup. */
const maxPageLength = 1 << 20

/** Returns the audit of one session, which takes its slices in order, before anything in them is replaced. */
export function sessionAudit(tools: SessionAuditContext): (slice: Session) => Promise<void> {
  let isFirst = true
  return async (slice) => {
    tools.redactor.beginPassage('page')
    // The head is the same in each slice.
    if (isFirst) readFields(headOf(slice), { field: 'head', segment: 0 }, tools)
    isFirst = false
    const around = { field: 'text', segment: 0 }
    readContext(slice, around, tools)
    for (const child of slice.children) readNode(child, around, tools)
    tools.redactor.beginPassage('around')
    await measure(slice, tools)
  }
}

function headOf({ children: _, stats, ...head }: Session): object {
  return { ...head, stats: {} satisfies Partial<typeof stats> }
}

function readNode(node: TrastNode, around: SourceRef, tools: SessionAuditContext): void {
  const location = locate(node, around)
  readContext(node, location, tools)
  const { children, ...fields } = { children: [], ...node }
  readFields(withoutRepeated(fields, children), location, tools)
  for (const child of children as readonly TrastNode[]) readNode(child, location, tools)
}

/** Removes the error of a turn that one of its children contains as well. */
function withoutRepeated(fields: object, children: readonly TrastNode[]): object {
  if (!('error' in fields)) return fields
  const { error, ...rest } = fields
  return children.some((child) => child.type === 'error' && child.message === error) ? rest : fields
}

function locate(node: TrastNode, around: SourceRef): SourceRef {
  const source = node.data?.sources?.[0]
  const isText = node.type === 'text' || node.type === 'markdown' || node.type === 'output'
  return {
    ...around,
    field: fieldOfNode(node, around.field),
    ...(source !== undefined && { segment: source.file ?? 0, line: source.line }),
    ...(!isText && source !== undefined && { anchor: node.id }),
    ...(node.type === 'turn' && { turn: node.number }),
  }
}

/**
 * Reports and replaces what only a node reveals as a secret in its children, such as what `cat .vault_pass` printed. It is
 * replaced so that the texts of the children do not report it again.
 */
function readContext(node: TrastNode, around: SourceRef, tools: SessionAuditContext): void {
  const { redactor } = tools
  let location = around
  const report = (text: string, found: readonly Found[]): void => {
    for (const item of found) addFinding(text, item, location, tools)
  }
  const reporter: TextRedactor = {
    ...redactor,
    enter(child) {
      // Only nodes of the tree are children of a node.
      location = locate(child as TrastNode, around)
    },
    text(text) {
      report(text, redactor.inspect(text))
      return redactor.text(text)
    },
    named(value, name) {
      report(value, foundIn(value, name, redactor))
      return redactor.named(value, name)
    },
    answer(value) {
      report(value, [entireValue(value, 'secret-answer')])
      return redactor.answer(value)
    },
  }
  redactByContext(node, reporter)
}

/** What `named` would replace of a value. */
function foundIn(value: string, name: string, redactor: Redactor): readonly Found[] {
  const found = redactor.inspect(value, name)
  return found.length === 0 && isNamedSecret(value, name) ? [entireValue(value, 'named-secret')] : found
}

const entireValue = (value: string, rule: string): Found => ({ start: 0, end: value.length, rule })

/** Reads the fields of a node with the visitor of redaction, and a redactor that only inspects. The node comes without its children. */
function readFields(fields: object, location: SourceRef, tools: SessionAuditContext): void {
  const { redactor } = tools
  const report = (text: string, field: string, found: readonly Found[]): void => {
    for (const item of found) addFinding(text, item, { ...location, field }, tools)
  }
  const watcher: Redactor = {
    ...redactor,
    text(text) {
      report(text, location.field, redactor.inspect(text))
      return text
    },
    named(value, name) {
      report(value, fieldOfKey(name, location.field), foundIn(value, name, redactor))
      return value
    },
  }
  redactStrings(fields, watcher)
}

function addFinding(
  text: string,
  { rule, ...range }: Found,
  location: SourceRef,
  { thread, isReplaced, add }: SessionAuditContext,
): void {
  const { segment, line, anchor, turn, field } = location
  const isPersonal = isPersonalRule(rule)
  const replaced = isReplaced(rule)
  const where = defined({ line, session: thread.id, place: anchor, turn })
  const file = thread.segments[segment]?.file.name ?? thread.id
  const context = `Around it: \`${maskedContext(text, range, `[redacted:${rule}]`)}\`.`
  const item = finding(`${isPersonal ? 'personal' : 'secret'}/${rule}`, { file, ...where, field, replaced }, context)
  // E-mail addresses stay unless the user asks. If other data that is replaced by default is not, the user decided to keep it.
  add(isPersonal && !replaced && rule !== 'email' ? { ...item, level: 'warning' } : item)
}

/** Reports a page whose text alone is too long, after its outputs are cut as in a page. */
async function measure(slice: Session, { thread, add }: SessionAuditContext): Promise<void> {
  await pageLimiter(pageLimits).run(slice)
  let size = 0
  walk(slice, (node) => {
    if ('value' in node) size += node.value.length
  })
  if (size <= maxPageLength) return
  const location = { file: thread.segments[0]?.file.name ?? thread.id, session: thread.id }
  const anchor = defined({ place: slice.children[0]?.id })
  add(finding('oversized-page', { ...location, ...anchor }, `Its text alone: ${formatBytes(size)}.`))
}

// What kind of text each field of a tree contains, in one word for people.

/** By type of node; `undefined` if the parent node decides. */
const byType: Readonly<Record<TrastNode['type'], string | undefined>> = {
  session: 'head',
  preamble: undefined,
  turn: 'turn',
  message: 'message',
  reasoning: 'reasoning',
  command: 'command',
  output: 'output',
  input: 'input',
  patch: 'patch',
  fileChange: 'patch',
  hunk: 'patch',
  toolCall: 'argument',
  search: 'search',
  plan: 'plan',
  planStep: 'plan',
  image: 'picture',
  agent: 'agent',
  approval: 'approval',
  question: 'question',
  notice: 'notice',
  finding: 'review',
  error: 'error',
  group: undefined,
  unknown: 'unknown record',
  markdown: undefined,
  text: undefined,
  reference: 'reference',
}

/** By name of the field, whatever the node. */
const byKey: Readonly<Record<string, string>> = {
  title: 'title',
  cwd: 'folder',
  path: 'path',
  movedTo: 'path',
  branch: 'branch',
  remote: 'remote',
  answer: 'answer',
  options: 'question',
  url: 'address',
}

/** The kind of text in a node; `around` is that of the parent node. */
function fieldOfNode(node: TrastNode, around: string): string {
  if (node.type !== 'message') return byType[node.type] ?? around
  if (node.role === 'assistant') return 'answer'
  return isRequest(node) ? 'prompt' : 'context'
}

/** The kind of text in a field of a node; `field` is that of the node. */
function fieldOfKey(key: string, field: string): string {
  return ownValue(byKey, key) ?? field
}
