/** Processes one slice: records in, tree out, through the same assembly and plugins that a build uses. */
import type { PluggableList } from 'unified'
import { VFile } from 'vfile'
import { assetSink } from '../../src/redact/picture.ts'
import { parseEntry } from '../../src/rollout/parse/entry.ts'
import type { Entry } from '../../src/rollout/parse/facts.ts'
import { assemble } from '../../src/transcript/fragment.ts'
import { normalizer } from '../../src/transcript/preset.ts'
import { emptyCarry, emptyDistinct, emptyLines, emptyStats, type SliceData } from '../../src/transcript/slice.ts'
import type { Message, Output, Session, TrastNode } from '../../src/transcript/trast.ts'
import { envelopes, type Json } from './records.ts'
import { session } from './tree.ts'

/** Slice data before the first line; `fields` override. */
export function sliceData(fields: Partial<SliceData> = {}): SliceData {
  return {
    threadId: 'thread',
    rollouts: ['thread'],
    rolledBack: [],
    last: true,
    carry: emptyCarry(),
    assets: assetSink(() => {}),
    secretAnswer: () => '[redacted:secret-answer]',
    carried: new Map(),
    anchors: new Set(),
    lines: emptyLines(),
    stats: emptyStats(),
    usage: {},
    distinct: emptyDistinct(),
    counted: false,
    ...fields,
  }
}

/** The result of a slice. */
export interface SliceResult {
  tree: Session
  slice: SliceData
  file: VFile
  /** `ruleId:line` of every message. */
  said: string[]
}

/** Entries of values on the lines from `firstLine` on. */
function entriesOf(values: readonly unknown[], firstLine = 1): Entry[] {
  return values.map((value, index) => parseEntry(value, { line: firstLine + index }))
}

/** Runs the complete preset over bare values (any generation). */
export async function runValues(
  values: readonly unknown[],
  fields: Partial<SliceData> = {},
  { firstLine = 1, plugins = [] }: { firstLine?: number; plugins?: PluggableList } = {},
): Promise<SliceResult> {
  const slice = sliceData(fields)
  const file = new VFile({ path: 'rollout.jsonl', data: { slice } })
  const tree = await normalizer(plugins).run(assemble(entriesOf(values, firstLine), session([]), file), file)
  return { tree, slice, file, said: file.messages.map(({ ruleId, line }) => `${ruleId}:${line}`) }
}

/** Runs the complete preset over enveloped records, one second apart. */
export function run(records: readonly Json[], fields: Partial<SliceData> = {}): Promise<SliceResult> {
  return runValues(envelopes(records), fields)
}

/** All nodes of a tree in display order. */
export function nodesOf(tree: TrastNode): TrastNode[] {
  return [tree, ...('children' in tree ? tree.children.flatMap(nodesOf) : [])]
}

/** All nodes of one type in display order. */
export function all<T extends TrastNode['type']>(tree: TrastNode, type: T): Extract<TrastNode, { type: T }>[] {
  return nodesOf(tree).filter((node): node is Extract<TrastNode, { type: T }> => node.type === type)
}

/** The only node of a type; fails if there is not exactly one. */
export function only<T extends TrastNode['type']>(tree: TrastNode, type: T): Extract<TrastNode, { type: T }> {
  const found = all(tree, type)
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`expected one \`${type}\`, found ${found.length}`)
  return first
}

/** Text of a message: its prose, with pictures as `[image]`. */
export function textOf(message: Message): string {
  return message.children
    .map((child) => {
      if ('value' in child) return child.value
      return child.type === 'image' ? '[image]' : `[${child.type}]`
    })
    .join('\n')
}

/** The conversation: `U text` for typed prompts, `A text` for answers, in display order. */
export function dialogue(tree: TrastNode): string[] {
  return all(tree, 'message').flatMap((message) => {
    if (message.origin === 'typed') return [`U ${textOf(message)}`]
    return message.origin === 'generated' ? [`A ${textOf(message)}`] : []
  })
}

/** Lines of the sources of a node. */
export function linesOf(node: TrastNode): number[] {
  return (node.data?.sources ?? []).map(({ line }) => line)
}

/** Whether a receipt adds up. */
export function receiptSum(lines: Session['stats']['lines']): number {
  const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0)
  return lines.shown + lines.folded + sum(lines.skipped) + sum(lines.unknown) + lines.damaged
}

/** Bodies of a node's outputs. */
export function bodies(node: { children: { type: string }[] }): string[] {
  return node.children.filter((child): child is Output => child.type === 'output').map(({ value }) => value)
}
