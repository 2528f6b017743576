/** The plugin that leaves out what is not to be published. */
import fc from 'fast-check'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { describe, expect, it, test } from 'vitest'
import {
  contentKinds,
  foldableKinds,
  presets,
  publishAll,
  type SessionCuration,
  type Visibility,
} from '../../../src/config/publication.ts'
import { parseSelection, type Selection } from '../../../src/config/selectors.ts'
import { contentKindOf, curate, curation } from '../../../src/redact/curate/curate.ts'
import { planOf } from '../../../src/redact/curate/plan.ts'
import { parseEntry } from '../../../src/rollout/parse/entry.ts'
import { assemble } from '../../../src/transcript/fragment.ts'
import { normalizer } from '../../../src/transcript/preset.ts'
import { lineKey, type SliceData } from '../../../src/transcript/slice.ts'
import type { Session, Turn } from '../../../src/transcript/trast.ts'
import { everyKind } from '../../helpers/every-kind.ts'
import * as r from '../../helpers/records.ts'
import { all, dialogue, nodesOf, receiptSum, sliceData } from '../../helpers/slice.ts'
import { session } from '../../helpers/tree.ts'

interface Curated {
  tree: Session
  tally: Record<string, number>
}

/** The tree of records as a build curates it. */
async function curated(
  records: readonly r.Json[],
  visibility: Partial<Visibility> = {},
  decision: Partial<SessionCuration> = {},
  page: Partial<SliceData> = {},
): Promise<Curated> {
  const plan = planOf({ visibility: { ...publishAll.visibility, ...visibility } }, { exclude: [], ...decision })
  const omitted = new Set<number>()
  const slice = sliceData({ omitted, ...page })
  const file = new VFile({ path: 'rollout.jsonl', data: { slice } })
  const entries = records.map((record, index) => parseEntry(record, { line: index + 1 }))
  const plugins = curation({
    plan,
    rollouts: slice.rollouts,
    tally: slice.stats.omitted,
    omitted: (source) => omitted.add(lineKey(source)),
  })
  const tree = await normalizer([], [], plugins).run(assemble(entries, session([]), file), file)
  return { tree, tally: tree.stats.omitted }
}

const selections = (...texts: string[]): Selection[] =>
  texts.map((text) => {
    const selection = parseSelection(text)
    if (selection === undefined) throw new Error(`no selection: ${text}`)
    return selection
  })

/** Three turns. The prompt of turn n is on line 3n - 2 and its event on the next line. */
const threeTurns = r.envelopes(
  ['one', 'two', 'three'].flatMap((word) => [r.userItem(word), r.userEvent(word), r.answerItem(`${word} done`)]),
)

describe('content kinds', () => {
  it.each(contentKinds.filter((kind) => kind !== 'stats' && kind !== 'internals' && kind !== 'toolArguments'))(
    'that are omitted leave no node in the tree and are counted: %s',
    async (kind) => {
      const before = (await curated(everyKind)).tree
      const { tree, tally } = await curated(everyKind, { [kind]: 'omit' })
      expect(kinds(before)).toContain(kind)
      expect(kinds(tree)).not.toContain(kind)
      expect(tally[kind]).toBeGreaterThan(0)
    },
  )

  it.each(foldableKinds.filter((kind) => kind !== 'images'))('that are folded are collapsed: %s', async (kind) => {
    const { tree } = await curated(everyKind, { [kind]: 'fold' })
    const shown = inner(tree).filter(({ node, parent }) => contentKindOf(node, parent) === kind)
    const folded = shown.filter(({ node }) => node.data?.visibility === 'collapsed')
    expect(folded.length).toBe(shown.length)
    expect(folded.length).toBeGreaterThan(0)
  })

  it('keep what a script did if tool calls are omitted', async () => {
    const records = r.envelopes([
      r.userItem('go'),
      r.customCall('x', 'exec', 'await tools.shell_command({ command: "make" })'),
      ...r.command('c', 'make all'),
      r.customOutput('x', 'done'),
    ])
    const { tree } = await curated(records, { tools: 'omit' })
    expect(all(tree, 'toolCall')).toEqual([])
    expect(all(tree, 'command').map(({ script }) => script)).toContain('make all')
  })

  it('keep only short arguments of one line if tool arguments are omitted', async () => {
    const records = r.envelopes([
      r.userItem('go'),
      r.call('a', 'lookup', { name: 'gate', count: 3, deep: { secret: 'no' }, text: 'x'.repeat(81), lines: 'a\nb' }),
      r.customCall('b', 'note', 'free text'),
    ])
    const { tree, tally } = await curated(records, { toolArguments: 'omit' })
    expect(all(tree, 'toolCall').map(({ input }) => input)).toEqual(['{"name":"gate","count":3}', ''])
    expect(tally).toEqual({ toolArguments: 2 })
  })

  it.each(['diffs', 'commands', 'edits', 'toolArguments'] as const)(
    'leave no text of scripts if %s are omitted',
    async (kind) => {
      const patch = String.raw`await tools.apply_patch("*** Begin Patch\n*** Add File: a\n+hidden words\n*** End Patch")`
      const records = r.envelopes([
        r.userItem('go'),
        r.customCall('x', 'exec', patch),
        r.customCall('y', 'exec', `await tools.exec_command({cmd: "hidden words"}); ${patch}`),
      ])
      const { tree } = await curated(records, { [kind]: 'omit' })
      expect(JSON.stringify(all(tree, 'toolCall').map(({ input, data }) => [input, data]))).not.toContain('hidden')
      expect(JSON.stringify(all(tree, 'patch').map(({ data }) => data))).not.toContain('hidden')
    },
  )

  it('leave no words of requests for approval at commands and patches if approvals are omitted', async () => {
    const patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\nEOF"
    const records = r.envelopes([
      r.userItem('go'),
      r.call('a', 'exec_command', { cmd: 'make', justification: 'hidden words' }),
      r.call('b', 'exec_command', { cmd: patch, justification: 'hidden words' }),
      r.customCall('c', 'exec', 'await tools.exec_command({cmd: "ls", justification: "hidden words"})'),
    ])
    expect(JSON.stringify((await curated(records)).tree)).toContain('hidden words')
    expect(JSON.stringify((await curated(records, { approvals: 'omit' })).tree)).not.toContain('hidden words')
  })

  it('leave no memories that an answer drew on if context is omitted', async () => {
    const memory_citation = { entries: [{ path: 'MEMORY.md', lineStart: 1, lineEnd: 2, note: 'hidden words' }] }
    const records = r.envelopes([r.userItem('go'), r.answerEvent('Gone.', { memory_citation })])
    expect(JSON.stringify((await curated(records)).tree)).toContain('hidden words')
    expect(JSON.stringify((await curated(records, { injected: 'omit' })).tree)).not.toContain('hidden words')
  })

  it('leave no files that were attached to a prompt if context is omitted', async () => {
    const text = '# Files mentioned by the user:\n\n## a.ts: /hidden/a.ts\n\n## My request for Codex:\ngo'
    const records = r.envelopes([r.userItem(text), r.userEvent(text), r.answerEvent('Gone.')])
    const targets = async (injected: 'show' | 'omit') =>
      all((await curated(records, { injected })).tree, 'reference').map(({ target }) => target)
    expect([await targets('show'), await targets('omit')]).toEqual([['/hidden/a.ts'], []])
  })

  it('leave no token counts in turns and statistics if statistics are omitted', async () => {
    const { tree } = await curated(everyKind, { stats: 'omit' })
    expect(tree.stats.usage).toEqual({})
    for (const turn of all(tree, 'turn')) {
      expect(turn.usage).toBeUndefined()
      expect(turn.contextTokens).toBeUndefined()
    }
  })

  it('keep command lines and their exit codes if outputs are omitted', async () => {
    const { tree } = await curated(everyKind, { toolOutput: 'omit' })
    expect(all(tree, 'command').map(({ script, exitCode }) => [script, exitCode])).toContainEqual([
      'make dingoscript',
      2,
    ])
    expect(all(tree, 'output')).toEqual([])
  })

  it('keep what was searched for and opened, not what a search found, if outputs are omitted', async () => {
    const found = [{ ref_id: 'p1', url: 'https://a.test/', title: 'Dingoes' }]
    const searched = { call_id: 's1', query: 'dingo', action: { type: 'search', query: 'dingo' }, results: found }
    const opened = { call_id: 's2', query: '', action: { type: 'open_page', url: 'https://b.test/' } }
    const records = r.envelopes([r.event('web_search_end', searched), r.event('web_search_end', opened)])
    const targets = async (visibility: Partial<Visibility>) =>
      all((await curated(records, visibility)).tree, 'reference').map(({ target }) => target)
    expect(await targets({})).toEqual(['https://a.test/', 'https://b.test/'])
    expect(await targets({ toolOutput: 'omit' })).toEqual(['https://b.test/'])
  })

  it('count only what is kept', async () => {
    const { tree } = await curated(everyKind, { commands: 'omit', tools: 'omit' })
    expect(tree.stats.commands).toEqual({ total: 0, failed: 0 })
    expect(Object.keys(tree.stats.tools)).not.toContain('mcp__stock__echidnatool')
  })
})

describe('excluded turns and items', () => {
  it('leave a line in place of a turn, and the other turns keep their numbers', async () => {
    const { tree, tally } = await curated(threeTurns, {}, { exclude: selections('turn:2') })
    expect(dialogue(tree)).toEqual(['U one', 'A one done', 'U three', 'A three done'])
    expect(all(tree, 'turn').map(({ number }) => number)).toEqual([1, 3])
    expect(all(tree, 'group').map(({ kind, label }) => [kind, label])).toEqual([['omitted', '1 turn was left out']])
    expect(tally).toEqual({ turns: 1 })
  })

  it('leave one line for a run of turns, with the anchor of the first', async () => {
    const whole = await curated(threeTurns)
    const { tree } = await curated(threeTurns, {}, { exclude: selections('turn:1-2') })
    const [mark] = all(tree, 'group')
    expect(mark?.label).toBe('2 turns were left out')
    expect(mark?.id).toBe(all(whole.tree, 'turn')[0]?.id)
  })

  it('are selected by their anchors, or by any record of a call', async () => {
    const records = r.envelopes([r.userItem('go'), ...r.command('c', 'make'), r.answerItem('done')])
    for (const lines of ['l2', 'l3', 'l2-l3']) {
      const { tree, tally } = await curated(records, {}, { exclude: selections(lines) })
      expect(all(tree, 'command'), lines).toEqual([])
      expect(all(tree, 'group').map(({ label }) => label)).toEqual(['1 item was left out'])
      expect(tally).toEqual({ items: 1 })
    }
  })

  it('are selected by the first of two records of a prompt, as in the outline', async () => {
    expect(dialogue((await curated(threeTurns, {}, { exclude: selections('l1') })).tree)).not.toContain('U one')
    expect(dialogue((await curated(threeTurns, {}, { exclude: selections('l2') })).tree)).toContain('U one')
  })

  it('take the error of a turn along with its item', async () => {
    const records = r.envelopes([
      r.started('t'),
      r.userItem('go'),
      r.event('error', { message: 'private words' }),
      r.complete('t'),
    ])
    const { tree } = await curated(records, {}, { exclude: selections('l3') })
    expect(JSON.stringify(tree)).not.toContain('private words')
  })

  it('take along the error of a turn whose item is on a later page', async () => {
    const records = r.envelopes([r.started('t'), r.userItem('go')])
    const cut = { cutTurn: { status: 'failed', error: 'private words' }, last: false } as const
    const { tree } = await curated(records, {}, { exclude: selections('l1000') }, cut)
    expect(all(tree, 'turn')).toMatchObject([{ status: 'failed', data: { continues: true } }])
    expect(JSON.stringify(tree)).not.toContain('private words')
    expect(JSON.stringify((await curated(records, {}, {}, cut)).tree)).toContain('private words')
  })

  it('may be a kind of content in one session', async () => {
    const { tree } = await curated(everyKind, {}, { exclude: selections('category:reasoning') })
    expect(all(tree, 'reasoning')).toEqual([])
  })

  it('do not affect a note, which is shown once before everything else', async () => {
    const { tree } = await curated(threeTurns, {}, { note: 'Read **this**' })
    expect(tree.children[0]).toMatchObject({ type: 'notice', kind: 'note', children: [{ value: 'Read **this**' }] })
    expect(all(tree, 'notice')).toHaveLength(1)
  })
})

test('lines of what is left out are counted as omitted, and the receipt adds up', async () => {
  const { tree } = await curated(threeTurns, {}, { exclude: selections('turn:2') })
  expect(tree.stats.lines).toMatchObject({ total: 9, skipped: { omitted: 3 } })
})

const visibilities = fc.record(
  Object.fromEntries(
    contentKinds.map((kind) => {
      const isFoldable = foldableKinds.some((name) => name === kind)
      return [kind, fc.constantFrom('show', 'omit', ...(isFoldable ? ['fold'] : []))]
    }),
  ),
) as unknown as fc.Arbitrary<Visibility> // Each kind has one of its own values.

const exclusions = fc.array(
  fc.oneof(
    fc.nat(4).map((turn) => `turn:${turn}`),
    fc.tuple(fc.nat(50), fc.nat(9)).map(([from, length]) => `l${from}-l${from + length}`),
  ),
  { maxLength: 3 },
)

test('curating twice changes nothing, and every receipt adds up', async () => {
  await fc.assert(
    fc.asyncProperty(visibilities, exclusions, async (visibility, exclude) => {
      const decision = { exclude: selections(...exclude) }
      const { tree } = await curated(everyKind, visibility, decision)
      expect(receiptSum(tree.stats.lines)).toBe(tree.stats.lines.total)
      const again = structuredClone(tree)
      const options = { plan: planOf({ visibility }, decision), rollouts: ['thread'], tally: {}, omitted() {} }
      await unified()
        .use(curate, options)
        .run(again as never)
      expect(again).toEqual(tree)
      expect(options.tally).toEqual({})
    }),
    { numRuns: 60 },
  )
})

test('the presets publish less from `private` to `team` to `public`', () => {
  const strength = { show: 0, fold: 1, omit: 2 }
  for (const kind of contentKinds) {
    expect(strength[presets.private[kind]], kind).toBe(0)
    expect(strength[presets.team[kind]], kind).toBeLessThanOrEqual(strength[presets.public[kind]])
  }
})

function inner(tree: Session): { node: Turn['children'][number] | Session; parent: Session }[] {
  // `contentKindOf` only looks at types.
  return nodesOf(tree).flatMap((parent) =>
    'children' in parent ? parent.children.map((node) => ({ node, parent })) : [],
  ) as never
}

function kinds(tree: Session): (string | undefined)[] {
  return inner(tree).map(({ node, parent }) => contentKindOf(node, parent))
}
