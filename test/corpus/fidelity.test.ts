/**
 * Our reading of genuine threads against Codex's own: who said what, in order. Codex 0.169 wrote its answers down for
 * each home that it still reads (from 0.36 on). Where the two differ by design, a comment names the place in
 * the description of the format (rollout-format).
 */
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { survey } from '../../src/app/survey.ts'
import { transcribeThread } from '../../src/app/transcript.ts'
import { findRoots } from '../../src/discover/homes-fs.ts'
import type { Message, Session, TrastNode } from '../../src/model/trast.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'

/** A message as both sides have it. */
type Said = ['user' | 'assistant', string]

/** The parts of Codex's answer that matter here. */
interface OracleItem {
  type: string
  text?: string
  content?: { type: string; text?: string }[]
}
interface OracleThread {
  id: string
  historyMode: string
  turns: { items: OracleItem[] }[]
}

/** Codex's messages of a thread. */
function codexSaid(thread: OracleThread): Said[] {
  const said = thread.turns.flatMap(({ items }) => items.flatMap(messageOf))
  // The notice of a compaction is no message (rollout-format 5.1).
  return tidy(said).filter(([, text]) => text !== 'Compact task completed')
}

function messageOf(item: OracleItem): Said[] {
  if (item.type === 'agentMessage') return [['assistant', item.text ?? '']]
  if (item.type !== 'userMessage') return []
  const texts = (item.content ?? []).filter(({ type }) => type === 'text').map(({ text }) => text ?? '')
  return [['user', texts.join('\n')]]
}

/** Empty texts and pictures alone say nothing (rollout-format 12, rows 6 and 13). */
function tidy(said: Said[]): Said[] {
  return said.map(([role, text]): Said => [role, text.replace(/\r\n/g, '\n').trim()]).filter(([, text]) => text !== '')
}

/** Codex reads the events of legacy files only, so steering without an event is missing there (rollout-format 12, row 1). */
function isUnheardSteering({ role, data }: Message): boolean {
  const kinds = (data?.sources ?? []).map(({ kind }) => kind)
  return role === 'user' && kinds.every((kind) => kind === 'response_item/message')
}

/** Messages below a node, in order, without those of some groups. */
function messagesIn(node: TrastNode, without: readonly string[]): Message[] {
  if (node.type === 'message') return [node]
  if (node.type === 'group' && without.includes(node.kind)) return []
  return 'children' in node ? node.children.flatMap((child) => messagesIn(child, without)) : []
}

/**
 * Our messages of a tree, in order. Rolled-back turns are left out as Codex does (rollout-format 12, row 19). It lists copied history
 * as own turns in legacy files (row 4) and in users' forks that were migrated, never history by reference, nor the segments
 * before the last (row 3).
 */
function weSaid(session: Session, legacy: boolean): Said[] {
  const last = session.lineage.segments.length - 1
  const lists = legacy || session.lineage.parentId === undefined
  const messages = messagesIn(session, lists ? ['rolledBack'] : ['rolledBack', 'inherited'])
  const said = messages.flatMap((message): Said[] => {
    const { role, origin, data, children } = message
    if (role !== 'user' && role !== 'assistant') return []
    if (origin !== 'typed' && origin !== 'generated') return []
    if ((data?.sources?.[0]?.file ?? 0) < last || (legacy && isUnheardSteering(message))) return []
    return [[role, children.map((child) => ('value' in child ? child.value : '')).join('\n')]]
  })
  return tidy(said)
}

/** Number of reviews in a tree. */
function countReviews(node: TrastNode): number {
  const own = node.type === 'notice' && node.kind === 'review' ? 1 : 0
  return own + ('children' in node ? node.children.reduce((sum, child) => sum + countReviews(child), 0) : 0)
}

/**
 * Codex's messages without those of reviews: it lists the prompt, once or twice, and the reviewer's text as messages,
 * we have one entry (rollout-format 12, row 7). What is left out must be just that: the same prompt, then one answer.
 */
function withoutReviews(codex: Said[], ours: Said[], reviews: number): Said[] {
  const rest = ours.map(([role, text]) => `${role} ${text}`)
  const dropped: Said[] = []
  const kept = codex.filter(([role, text]) => {
    const index = rest.indexOf(`${role} ${text}`)
    if (index >= 0) rest.splice(index, 1)
    else dropped.push([role, text])
    return index >= 0
  })
  const prompts = dropped.filter(([role]) => role === 'user')
  expect(prompts.every(([, text]) => text.startsWith('Review the current code changes'))).toBe(true)
  expect(prompts.length).toBeLessThanOrEqual(2 * reviews)
  expect(dropped.length - prompts.length).toBeLessThanOrEqual(reviews)
  return kept
}

function readOracle(folder: string, name: string): OracleThread[] {
  const path = join(folder, 'oracle', `${name}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).threads : []
}

describeWithCorpus('messages of a genuine home', ({ folder, homes }) => {
  const read = homes.map((home) => ({ ...home, oracle: readOracle(folder, home.name) }))

  it.each(read.filter(({ oracle }) => oracle.length > 0))('are those of Codex: $name', async ({ path, oracle }) => {
    const options = { spoolDir: () => tmpdir() }
    const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
    const threads = new Map(catalog.threads.map((thread) => [thread.id, thread]))
    const different: unknown[] = []
    let compared = 0
    for (const answer of oracle) {
      const thread = threads.get(answer.id)
      if (thread === undefined) throw new Error(`the thread \`${answer.id}\` was not found`)
      const codex = codexSaid(answer)
      // Codex shows migrated sub-agents and reviews empty (rollout-format 12, row 5).
      if (codex.length === 0) continue
      const { session } = await transcribeThread(thread, { ...options, family: catalog.threads })
      const ours = weSaid(session, answer.historyMode === 'legacy')
      const reviews = countReviews(session)
      const theirs = reviews === 0 ? codex : withoutReviews(codex, ours, reviews)
      if (JSON.stringify(ours) !== JSON.stringify(theirs)) different.push({ id: answer.id, ours, theirs })
      compared++
    }
    expect(different).toEqual([])
    expect(compared).toBeGreaterThan(0)
  })
})
