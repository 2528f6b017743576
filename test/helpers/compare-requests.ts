/** Compares the model's memory with a request that a genuine Codex sent to the model, item by item. */
import { tmpdir } from 'node:os'
import { isBetween } from '../../src/features/memory/history/items.ts'
import { historyOf, readMemory } from '../../src/features/memory/history/read.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import { chainSegments } from '../../src/survey/catalog.ts'
import { scanWithLineage, type ThreadIndex, threadIndex } from '../../src/survey/lineage.ts'
import { survey } from '../../src/survey/survey.ts'
import { openThread } from '../../src/survey/thread-lines.ts'
import { defined } from '../../src/util/own.ts'
import type { CorpusHome } from './corpus.ts'
import { type RecordedRequest, recordedRequests, type WireItem } from './recorded-requests.ts'
import { eachLine } from './thread.ts'
import { wireRules } from './wire-rules.ts'

const options = { spoolDir: () => tmpdir() }

/** The thread at the time of a request: without later segments and what they undid. */
function threadAt(thread: Thread, time: string): Thread {
  const segments = thread.segments.filter(({ head }, index) => index === 0 || (head.startedAt ?? '') <= time)
  const bare = segments.map(({ file, head, rolloutId }) => ({ file, head, rolloutId }))
  return { ...thread, segments: chainSegments(thread.id, bare) }
}

interface RawLine {
  timestamp?: string
  type?: string
  payload?: WireItem
}

/** Builds of 2025 write outputs a moment after they sent them; the delay in milliseconds. */
function delayOf({ segments }: Thread): number {
  return isBetween(segments[0]?.head.version, 0, 77) ? 60 : 0
}

/** Whether a record is the answer to a request. */
function isAnswer({ type, payload }: RawLine, { input, output = [] }: RecordedRequest): boolean {
  if (type === 'compacted') return JSON.stringify(input.at(-1)).includes('CONTEXT CHECKPOINT COMPACTION')
  return output.some((item) => {
    if (item['call_id'] !== undefined) return payload?.['call_id'] === item['call_id']
    return item['type'] === payload?.['type'] && gist(item) === gist(payload ?? {})
  })
}

/** The first line that was written after a request was sent, and the instructions in the head. */
async function endOf(
  thread: Thread,
  request: RecordedRequest,
): Promise<{ end?: [number, number]; instructions?: string }> {
  let end: [number, number] | undefined
  let instructions: string | undefined
  const sent = Date.parse(request.time)
  const delay = delayOf(thread)
  const readers = await openThread(thread, options.spoolDir)
  for (const reader of readers) {
    eachLine(reader, (line) => {
      if (end !== undefined) return
      for (const value of line.values().values) {
        const raw = value as RawLine
        const base = raw.payload?.['base_instructions'] as { text?: string } | undefined
        instructions ??= base?.text
        const at = Date.parse(raw.timestamp ?? '')
        if (at > sent + delay || (at >= sent && isAnswer(raw, request))) end = [line.segment, line.line]
      }
    })
    reader.close()
  }
  return defined({ end, instructions })
}

/** What the model reads of an item: all but ids, states and bookkeeping. */
function gist(item: WireItem): string {
  const {
    type,
    role,
    name,
    namespace,
    call_id,
    arguments: args,
    input,
    output,
    encrypted_content,
    author,
    recipient,
  } = item
  const compared = { type, role, name, namespace, call_id, args, input, encrypted_content, author, recipient }
  return JSON.stringify({
    ...compared,
    output: partsOf(output),
    content: partsOf(item['content']),
    summary: partsOf(item['summary']),
    tools: item['tools'],
    action: item['action'],
  })
}

function partsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? undefined
  return value.map((part) => {
    const { text, image_url, encrypted_content } = part as WireItem
    return text ?? image_url ?? encrypted_content
  })
}

function unlessEmpty(items: string[], otherwise: string[]): string[] {
  return items.length > 0 ? items : otherwise
}

/** How a request differs from the memory that was rebuilt. */
export interface Outcome {
  name: string
  rules: string[]
  missing: string[]
  extra: string[]
}

async function compare(
  request: RecordedRequest,
  previous: RecordedRequest | undefined,
  index: ThreadIndex,
): Promise<Outcome | undefined> {
  const found = index.byId.get(request.thread)
  if (found === undefined) return undefined
  const thread = threadAt(found, request.time)
  const { facts } = await scanWithLineage(thread, index, options)
  if (facts === undefined) throw new Error(`no facts of ${thread.id}`)
  const { end, instructions } = await endOf(thread, request)
  const reading = { ...options, keepItems: true, ...(end === undefined ? {} : { end }) }
  const { built, head } = await readMemory({ thread, facts }, index, reading)
  const ours = historyOf(built, head).items.map(({ item }) => item)
  let sent = request.input
  const rules: string[] = []
  for (const rule of wireRules) {
    const rest = rule.without(sent, ours, { request, previous, instructions })
    if (rest === undefined) continue
    sent = rest
    rules.push(rule.name)
  }
  const [left, right] = [sent.map(gist), ours.map(gist)]
  const equal = left.length === right.length && left.every((item, index) => item === right[index])
  return {
    name: request.name,
    rules,
    // If only the order differs, both are reported completely.
    missing: equal
      ? []
      : unlessEmpty(
          left.filter((item) => !right.includes(item)),
          left,
        ),
    extra: equal
      ? []
      : unlessEmpty(
          right.filter((item) => !left.includes(item)),
          [],
        ),
  }
}

/** Compares all requests of a home. */
export async function compareHome(home: CorpusHome) {
  const { catalog } = await survey(findRoots([home.path], { env: {}, homeDir: home.path }), options)
  const index = threadIndex(catalog.threads)
  const last = new Map<string, RecordedRequest>()
  const result = { requests: 0, rules: {} as Record<string, number>, withoutFile: [] as RecordedRequest[] }
  const different: Outcome[] = []
  for (const request of recordedRequests(home)) {
    const outcome = await compare(request, last.get(request.thread), index)
    last.set(request.thread, request)
    if (outcome === undefined) {
      result.withoutFile.push(request)
      continue
    }
    result.requests++
    for (const name of outcome.rules) result.rules[name] = (result.rules[name] ?? 0) + 1
    if (outcome.missing.length + outcome.extra.length > 0) different.push(outcome)
  }
  return { ...result, different }
}
