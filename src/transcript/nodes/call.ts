/** Makes the nodes of a paired call, by what it asks for (rollout-format 3.7). */

import type { FoundPage } from '../../rollout/parse/action.ts'
import type { Action, AgentWork, CallFact, PictureFact, ResultFact, WebSearch } from '../../rollout/parse/facts.ts'
import { startedId } from '../../rollout/parse/result.ts'
import { isBoilerplate } from '../../rollout/script/match.ts'
import { defined, ownValue } from '../../util/own.ts'
import { isUuid } from '../../util/time.ts'
import type { CallFragment, CallGroup } from '../fragment.ts'
import type { Agent, Approval, FlowContent, Image, Message, Plan, Question, Reference, Search } from '../trast.ts'
import {
  base,
  encryptedNote,
  idMaker,
  image,
  isCiphertext,
  missingStatus,
  type NodeContext,
  output,
  prose,
} from './context.ts'
import { messageNodes } from './message.ts'
import { stdinNodes } from './process.ts'
import { scriptNodes } from './script.ts'
import { commandNode, patchNode, toolFrame, toolNode } from './tool.ts'

type Maker = (group: CallFragment, context: NodeContext) => FlowContent[]

const makers: Readonly<Record<string, Maker>> = {
  command: (group, context) => [commandNode(group, context)],
  patch: (group, context) => [patchNode(group, context)],
  stdin: stdinNodes,
  cell: (group, context) => scriptNodes(group, context, () => toolFrame(group, context)),
  plan: planNodes,
  viewImage: imageNodes('viewed'),
  generateImage: imageNodes('generated'),
  search: searchNodes,
  questions: questionNodes,
  permissions: permissionNodes,
  agent: agentNodes,
}

/** The nodes of a group, made from its call, else its end record, else an orphan output. */
export function callNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const type = callKind(group.fact)
  const { said } = group.fact
  if (said !== undefined && type !== 'questions') return messageNodes({ ...group, fact: said }, context)
  const made = makers[type]?.(group, context) ?? [toolNode(group, context)]
  return [...made, ...assessments(group)]
}

/** The kind of a call. The end record knows better if a shell applied a patch, or if the call has an unknown shape. */
function callKind({ call, results }: CallGroup): string {
  const resultTypes = results.map(({ result }) => result.type)
  if (resultTypes.includes('patch')) return 'patch'
  const asked = call?.action.type ?? 'tool'
  return asked === 'tool' ? (resultTypes.find((type) => type !== 'assessment') ?? asked) : asked
}

/** Guardian assessments follow the call that they judge. */
function assessments(group: CallFragment): Approval[] {
  return group.fact.results.flatMap(({ result }, index) =>
    result.type === 'assessment'
      ? [
          {
            type: 'approval',
            id: `${group.id}.a${index}`,
            subject: 'command',
            decision: result.text,
            status: 'completed',
            children: [],
          },
        ]
      : [],
  )
}

/** A plan with its steps. A plan that was refused, or got an unusual answer, is a call like any other. */
function planNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const { call, outputs } = group.fact
  const action = call?.action
  const isUpdated = outputs.every(({ outcome }) => outcome.status !== 'failed' && isBoilerplate(outcome.body))
  if (action?.type !== 'plan' || !isUpdated) return [toolNode(group, context)]
  const next = idMaker(group)
  const node: Plan = { ...base(group), type: 'plan', children: [] }
  if (action.explanation !== undefined) node.children.push({ type: 'markdown', id: next(), value: action.explanation })
  for (const { step, status } of action.steps) node.children.push({ type: 'planStep', id: next(), value: step, status })
  return [node]
}

/** Pictures that were viewed or generated; a failed view stays a tool call with its error. */
function imageNodes(origin: Image['origin']): Maker {
  return (group, context) => {
    const { call, results, outputs } = group.fact
    const action = call?.action ?? results[0]?.result
    const pictures = firstPictures(group.fact)
    const failed = outputs.some(({ outcome }) => outcome.status === 'failed')
    if (pictures.length === 0 && (failed || results.length === 0)) return [toolNode(group, context)]
    const path = action?.type === 'viewImage' ? action.path : savedPath(group.fact)
    const alt = action?.type === 'generateImage' ? action.prompt : undefined
    const shown = pictures.length > 0 ? pictures : [{}]
    return shown.map((picture, index) => ({
      ...image(
        { ...picture, ...defined({ url: picture.url ?? path }) },
        index === 0 ? group.id : `${group.id}.${index}`,
        context,
        origin,
      ),
      ...defined({ at: group.at, position: group.position, alt, data: index === 0 ? group.data : undefined }),
    }))
  }
}

/** Where Codex saved a picture that it generated. Only the end record of the call says so. */
function savedPath({ results }: CallGroup): string | undefined {
  const made = results.find(({ result }) => result.type === 'generateImage')?.result
  return made?.type === 'generateImage' ? made.path : undefined
}

function firstPictures({ call, outputs, results, pictures }: CallGroup): PictureFact[] {
  const shown = [...outputs.flatMap((item) => item.pictures), ...pictures]
  if (shown.length > 0) return shown
  const made = [call?.action, ...results.map(({ result }) => result)].find(
    (item) => item?.type === 'generateImage' && item.picture !== undefined,
  )
  return made?.type === 'generateImage' && made.picture !== undefined ? [made.picture] : []
}

function searchNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const { call, results, outputs } = group.fact
  const ended = results.find(({ result }) => result.type === 'search')
  const requests = withAddresses(searchRequests(call, ended), ended, context.slice.carry.pages)
  // Only a search in a script has an output that shows what was found.
  const outcome = outputs.at(-1)?.outcome
  const nodes = requests.map(({ url, title, pattern, action, queries }, index): Search => {
    const isFirst = index === 0
    const id = isFirst ? group.id : `${group.id}.r${index}`
    return {
      ...base(isFirst ? group : { ...group, id, data: { sources: [], sameCall: true } }),
      ...defined({
        callId: call?.callId ?? ended?.callId,
        durationMs: isFirst ? (ended?.durationMs ?? outcome?.durationMs) : undefined,
        url,
        pattern,
      }),
      type: 'search',
      action,
      queries,
      status: ended?.status ?? searchStatus(group.fact, context),
      children:
        url === undefined
          ? []
          : [{ type: 'reference', id: `${id}.1`, kind: 'url', target: url, ...defined({ label: title }) }],
    }
  })
  nodes.findLast(({ queries }) => queries.length > 0)?.children.push(...foundPages(group.id, requests, ended))
  const last = nodes.at(-1)
  if (outcome !== undefined && outcome.body !== '')
    last?.children.push(output(outcome.body, `${last.id}.2`, outcome.truncated))
  return nodes
}

/** References to the pages that a search found, without those that the same call opened. */
function foundPages(id: string, requests: readonly WebSearch[], ended: ResultFact | undefined): Reference[] {
  const opened = new Set(requests.map(({ url }) => url))
  return pagesIn(ended).flatMap(({ name, url, title, excerpt }, index): Reference[] => {
    if (url !== undefined && opened.has(url)) return []
    const label = title ?? (url === undefined ? excerpt : undefined)
    const page = defined({ label, excerpt: label === excerpt ? undefined : excerpt })
    return [{ type: 'reference', id: `${id}.f${index + 1}`, kind: 'url', target: url ?? name, ...page }]
  })
}

/** The pages that a search found or opened, as its result records them. */
function pagesIn(ended: ResultFact | undefined): readonly FoundPage[] {
  return (ended?.result.type === 'search' ? ended.result.found : undefined) ?? []
}

/** The requests of a search call. Records only contain the first request of a call in a script. */
function searchRequests(call: CallFact | undefined, ended: ResultFact | undefined): WebSearch[] {
  const asked = call?.action.type === 'search' ? call.action : undefined
  if (asked?.more !== undefined) return [asked, ...asked.more]
  const result = ended?.result.type === 'search' ? ended.result : undefined
  const queries = result !== undefined && result.queries.length > 0 ? result.queries : (asked?.queries ?? [])
  const { action = asked?.action ?? 'search' } = result ?? {}
  const addresses = defined({ url: result?.url ?? asked?.url, pattern: result?.pattern ?? asked?.pattern })
  return [{ type: 'search', action, queries, ...addresses }]
}

/** Most page names that are kept. */
const maxPages = 5000

/**
 * Replaces page names in requests with addresses that the session gives, and adds the titles of opened pages. A name
 * stands for the page that a search gave it; a link leads to what this very call opened, in the order of its requests.
 */
function withAddresses(
  requests: readonly WebSearch[],
  ended: ResultFact | undefined,
  pages: Map<string, string>,
): readonly (WebSearch & { title?: string | undefined })[] {
  const found = pagesIn(ended)
  for (const { name, url } of found) if (url !== undefined && pages.size < maxPages) pages.set(name, url)
  const isEach = found.length === requests.length && requests.every(({ queries }) => queries.length === 0)
  return requests.map((request, index) => {
    const [, name = '', link] = pageName.exec(request.url ?? '') ?? []
    const named = link === undefined ? pages.get(name) : undefined
    const opened = isEach ? found[index] : undefined
    const address = name === '' ? undefined : (named ?? opened?.url)
    const url = address ?? request.url
    const { title } = opened ?? found.find((page) => page.url !== undefined && page.url === url) ?? {}
    return { ...request, ...defined({ url, title }) }
  })
}

/** A page name, and the position in the page that is asked for. */
const pageName = /^([\w-]+)(?:, (?:(link)|line|page) .*)?$/

function searchStatus({ call, outputs }: CallGroup, context: NodeContext): Search['status'] {
  if (call === undefined) return missingStatus(context.turn)
  return outputs.at(-1)?.outcome.status === 'failed' ? 'failed' : 'completed'
}

/** Questions to the user, with the answers; secret answers are replaced by marks (3.7). */
function questionNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const { call, outputs, said } = group.fact
  if (call?.action.type !== 'questions') return [toolNode(group, context)]
  const next = idMaker(group)
  const outcome = outputs.at(-1)?.outcome
  const answers = answersOf(outcome?.body ?? '')
  const { secretAnswer } = context.slice
  const node: Approval = {
    ...base(group),
    ...defined({ callId: call.callId }),
    type: 'approval',
    subject: 'question',
    status: outcome === undefined ? missingStatus(context.turn) : answeredStatus(outcome.status),
    children: call.action.questions.map(({ id, header, text, options, descriptions, secret }): Question => {
      const answer = id === undefined ? undefined : ownValue(answers, id)
      return {
        type: 'question',
        id: next(),
        ...defined({ header, answer: secret && answer !== undefined ? secretAnswer(answer) : answer }),
        options,
        ...defined({ descriptions }),
        secret,
        children: [{ type: 'text', id: next(), value: text }],
      }
    }),
  }
  // If the work continues meanwhile, the output only says that the question was asked; the answer is a prompt of its own.
  if (said === undefined && outcome !== undefined && Object.keys(answers).length === 0 && outcome.body !== '') {
    // An answer in an unknown shape may contain the secret.
    const secret = call.action.questions.some((question) => question.secret)
    node.children.push({ type: 'text', id: next(), value: secret ? secretAnswer(outcome.body) : outcome.body })
  }
  return [node]
}

function answeredStatus(status: Approval['status']): Approval['status'] {
  return status === 'unknown' ? 'completed' : status
}

function answersOf(body: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(body)
    const answers = (value as { answers?: Record<string, { answers?: unknown }> } | null)?.answers ?? {}
    return Object.fromEntries(
      Object.entries(answers).map(([id, item]) => [
        id,
        Array.isArray(item?.answers) ? item.answers.join('; ') : String(item?.answers ?? ''),
      ]),
    )
  } catch {
    return {}
  }
}

function permissionNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const { call, outputs } = group.fact
  const outcome = outputs.at(-1)?.outcome
  const next = idMaker(group)
  const reason = call?.action.type === 'permissions' ? call.action.reason : undefined
  return [
    {
      ...base(group),
      ...defined({ callId: call?.callId, decision: outcome?.body }),
      type: 'approval',
      subject: 'permission',
      status: outcome === undefined ? missingStatus(context.turn) : answeredStatus(outcome.status),
      children: [
        ...(reason === undefined ? [] : [{ type: 'text' as const, id: next(), value: reason }]),
        { type: 'text', id: next(), value: call?.input ?? '', lang: 'json' },
      ],
    },
  ]
}

function agentNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const { call, outputs, results } = group.fact
  const asked = agentOf(call?.action)
  const ended = results.find(({ result }) => result.type === 'agent')
  const result = agentOf(ended?.result)
  const outcome = outputs.at(-1)?.outcome
  const body = outcome?.body.trim() ?? ''
  const next = idMaker(group)
  const message = asked?.message ?? result?.message
  // Older parents do not record which thread they started, but that thread names the call.
  const linked = context.slice.agents?.get(call?.callId ?? '')
  const node: Agent = {
    ...base(group),
    ...defined({
      callId: call?.callId ?? ended?.callId,
      tool: asked === undefined ? undefined : call?.tool,
      threadId: result?.threadIds[0] ?? startedId(body) ?? asked?.threadIds.find(isUuid) ?? linked,
      name: result?.name ?? asked?.name,
      role: result?.role ?? asked?.role,
      durationMs: ended?.durationMs ?? outcome?.durationMs,
    }),
    type: 'agent',
    action: asked?.action ?? result?.action ?? 'wait',
    status: ended?.status ?? (outcome === undefined ? missingStatus(context.turn) : answeredStatus(outcome.status)),
    children: [],
  }
  if (message !== undefined) node.children.push(prompt(message, next))
  if (body !== '') node.children.push(output(body, next(), outcome?.truncated ?? false))
  return [node]
}

function agentOf(value: Action | ResultFact['result'] | undefined): AgentWork | undefined {
  return value?.type === 'agent' ? value : undefined
}

/** The message that an agent was given. */
function prompt(message: string, next: () => string): Message {
  return {
    type: 'message',
    id: next(),
    role: 'user',
    origin: 'agent',
    children: [isCiphertext(message) ? { type: 'text', id: next(), value: encryptedNote } : prose(message, next())],
  }
}
