import fc from 'fast-check'
import type { Code, Nodes, Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../../src/model/trast.ts'
import {
  renderMarkdown,
  renderMarkdownFoot,
  renderMarkdownHead,
  renderMarkdownSlice,
} from '../../src/render/markdown.ts'
import { type Engine, parseMarkdown, referenceEngine } from '../../src/render/prose/engine.ts'
import { loadEngine } from '../../src/render/prose/engine-fs.ts'
import { isProse } from '../../src/render/prose/prose.ts'
import { isSafeUrl } from '../../src/render/prose/schemes.ts'
import { stripControls } from '../../src/util/ansi-strip.ts'
import { hostileMarkdown } from '../helpers/hostile.ts'
import { assistant, markdown, notice, reasoning, session, toolCall, turn, user } from '../helpers/tree.ts'

const engines: [string, Engine][] = []

beforeAll(async () => {
  engines.push(['native', await loadEngine()], ['reference', referenceEngine])
})

function context(tree: Session, engine: Engine) {
  return { threadId: tree.threadId, timeZone: 'UTC', threads: () => undefined, engine }
}

/** The bodies in every place where a body can stand. */
function everyPlace(first: string, second: string): Session {
  return session([
    turn([
      user(first),
      reasoning(second),
      assistant([markdown(first), markdown(second)]),
      toolCall('look', first, [markdown(second)]),
      notice('compaction', [markdown(first), markdown(second)]),
      assistant(second),
    ]),
  ])
}

const frame = ['Mend the garden gate', 'Turn 1', 'User', 'Assistant', 'Assistant', 'Receipt']

function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

function frameHeadings(root: Root): string[] {
  const found: string[] = []
  visit(root, 'heading', (node) => {
    if (node.depth <= 3) found.push(textOf(node))
  })
  return found
}

function isBalanced(node: Code, source: string): boolean {
  const lines = source.slice(node.position?.start.offset, node.position?.end.offset).trimEnd().split('\n')
  const fence = /^(?:`{3,}|~{3,})/.exec(lines[0] ?? '')?.[0]
  const last = (lines.at(-1) ?? '').replace(/^[ \t>]*/, '')
  return fence === undefined || (lines.length > 1 && last.startsWith(fence))
}

/** What must not be in a transcript, whoever reads it. */
function trouble(root: Root, source: string): string[] {
  const found: string[] = []
  visit(root, (node) => {
    if (node.type === 'html') found.push(`html ${node.value}`)
    if (node.type === 'image') found.push(`image ${node.url}`)
    if ((node.type === 'link' || node.type === 'definition') && !isSafeUrl(node.url)) found.push(`link ${node.url}`)
    if (node.type === 'code' && !isBalanced(node, source)) found.push(`open fence ${node.value}`)
  })
  return found
}

describe('a transcript of hostile bodies', () => {
  it('reads as the frame that was written, without HTML, pictures, unsafe links or open fences', () => {
    fc.assert(
      fc.property(hostileMarkdown, hostileMarkdown, (first, second) => {
        const tree = everyPlace(first, second)
        for (const [at, [, engine]] of engines.entries()) {
          const written = renderMarkdown(tree, context(tree, engine))
          // What the reference engine wrote is for machines without a native one.
          for (const [reader, parse] of engines.slice(at)) {
            const root = parse(written)
            expect(frameHeadings(root), reader).toEqual(frame)
            expect(trouble(root, written), reader).toEqual([])
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('loses no word of a body', () => {
    fc.assert(
      fc.property(hostileMarkdown, (body) => {
        const tree = session([turn([assistant(body)])])
        for (const [, engine] of engines) {
          const written = renderMarkdown(tree, context(tree, engine))
          for (const word of stripControls(body).match(/[a-z]{3,}/g) ?? []) expect(written).toContain(word)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is the same whole or in slices', () => {
    fc.assert(
      fc.property(fc.array(hostileMarkdown, { minLength: 1, maxLength: 4 }), (bodies) => {
        const turns = bodies.map((body) => turn([user(body), assistant(body)]))
        const tree = session(turns)
        for (const [, engine] of engines) {
          const setting = context(tree, engine)
          const slices = turns.map((child) => renderMarkdownSlice(session([child]), setting))
          const pieces = [renderMarkdownHead(tree, setting), ...slices, renderMarkdownFoot(tree)]
          expect(pieces.join('')).toBe(renderMarkdown(tree, setting))
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the prose seam', () => {
  it('parses any text with any engine, and positions lie inside the text', () => {
    fc.assert(
      fc.property(fc.oneof(hostileMarkdown, fc.string({ unit: 'binary' })), (value) => {
        for (const [, engine] of engines) {
          const root = parseMarkdown(value, engine)
          visit(root, (node) => {
            if (node.position?.end.offset === undefined) return
            expect(node.position.end.offset).toBeLessThanOrEqual(value.length)
          })
        }
      }),
      { numRuns: 300 },
    )
  })

  it('tells prose from other text for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => typeof isProse(value) === 'boolean'))
  })
})
