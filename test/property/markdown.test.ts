import fc from 'fast-check'
import type { Code, Nodes, Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadEngine } from '../../src/render/transcript/engines-fs.ts'
import {
  renderMarkdown,
  renderMarkdownFoot,
  renderMarkdownHead,
  renderMarkdownSlice,
} from '../../src/render/transcript/markdown.ts'
import { type Engine, parseMarkdown, referenceEngine } from '../../src/render/transcript/prose/engine.ts'
import { portableBody } from '../../src/render/transcript/prose/portable.ts'
import { isProse } from '../../src/render/transcript/prose/read.ts'
import { isSafeUrl, mayRunAfterMark } from '../../src/render/transcript/prose/schemes.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { stripControls } from '../../src/util/printable.ts'
import { hostileCode, hostileMarkdown } from '../helpers/hostile.ts'
import { vectors } from '../helpers/hostile-vectors.ts'
import { aliveIn } from '../helpers/markdown-renderers.ts'
import { assistant, markdown, notice, reasoning, session, toolCall, turn, user } from '../helpers/tree.ts'
import { wellFormedMarkdown } from '../helpers/well-formed.ts'

const engines: [string, Engine][] = []

beforeAll(async () => {
  engines.push(['native', await loadEngine()], ['reference', referenceEngine])
})

function context(tree: Session, engine: Engine) {
  return { threadId: tree.threadId, timeZone: 'UTC', threads: () => undefined, engine }
}

/** A session with the bodies in every place where a body may be. */
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

/** Attacks except those that are nested so deeply that renderers take seconds. */
const shortVectors = vectors.filter((vector) => vector.length < 1500)

const frame = ['Mend the garden gate', 'Turn 1', 'User', 'Assistant', 'Assistant', 'Receipt']

function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('alt' in node) return node.alt ?? ''
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

/** What must not be in a transcript, whichever renderer reads it. */
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

/** Sources of links and pictures whose destination an engine could run. */
function runningSources(root: Root, source: string): string[] {
  const found: string[] = []
  visit(root, (node) => {
    const isTarget = node.type === 'link' || node.type === 'definition' || node.type === 'image'
    if (!isTarget || isSafeUrl(node.url)) return
    found.push(source.slice(node.position?.start.offset, node.position?.end.offset))
  })
  return found
}

describe('a destination that could run something', () => {
  it('is always checked, for every engine and however it is written', () => {
    const named = /(?:script|data|file|blob)\s*(?::|&|\\)/i
    let count = 0
    const look = (body: string): void => {
      for (const [, parse] of engines) {
        const found = runningSources(parse(body), body).filter((source) => named.test(source))
        count += found.length
        if (found.length > 0) expect(mayRunAfterMark(body), body).toBe(true)
      }
    }
    for (const vector of shortVectors) look(vector)
    fc.assert(fc.property(hostileMarkdown, look), { numRuns: 800 })
    expect(count).toBeGreaterThan(20)
  })
})

describe('a transcript of hostile bodies', () => {
  it('has only the headings of its frame, and no HTML, pictures, unsafe links or open fences', () => {
    fc.assert(
      fc.property(hostileMarkdown, hostileMarkdown, (first, second) => {
        const tree = everyPlace(first, second)
        for (const [at, [, engine]] of engines.entries()) {
          const written = renderMarkdown(tree, context(tree, engine))
          // What the reference engine wrote is for machines without the native engine.
          for (const [reader, parse] of engines.slice(at)) {
            const root = parse(written)
            expect(frameHeadings(root), reader).toEqual(frame)
            expect(trouble(root, written), reader).toEqual([])
          }
        }
      }),
      { numRuns: 25 },
    )
  })

  it('has no live HTML, picture or link in marked, markdown-it, CommonMark and GitHub', () => {
    const bodies = fc.oneof(hostileCode, hostileCode, hostileMarkdown, fc.constantFrom(...shortVectors))
    fc.assert(
      fc.property(bodies, bodies, (first, second) => {
        const tree = everyPlace(first, second)
        for (const [, engine] of engines) expect(aliveIn(renderMarkdown(tree, context(tree, engine)))).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  it('has nothing live for any of the known attacks', () => {
    for (const vector of shortVectors) {
      const tree = session([turn([user(vector), reasoning(vector)])])
      for (const [, engine] of engines) expect(aliveIn(renderMarkdown(tree, context(tree, engine))), vector).toEqual([])
    }
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
      { numRuns: 100 },
    )
  })

  it('is the same as a whole and in slices', () => {
    fc.assert(
      fc.property(fc.array(hostileMarkdown, { minLength: 1, maxLength: 4 }), (bodies) => {
        const turns = bodies.map((body) => turn([user(body), assistant(body)]))
        const tree = session(turns)
        for (const [, engine] of engines) {
          const setting = context(tree, engine)
          const slices = turns.map((child) => renderMarkdownSlice(session([child]), setting))
          const pieces = [renderMarkdownHead(tree, setting), ...slices, renderMarkdownFoot(tree, {})]
          expect(pieces.join('')).toBe(renderMarkdown(tree, setting))
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('a transcript of ordinary bodies', () => {
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

  it('shows every letter that was typed, in order', () => {
    fc.assert(
      fc.property(wellFormedMarkdown, (body) => {
        const typed = letters(textOf(referenceEngine(body)))
        for (const [, engine] of engines) {
          const portable = portableBody(body, { id: 'l7', engine })
          expect(letters(textOf(referenceEngine(portable ?? '')))).toBe(typed)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the Markdown parser', () => {
  it('parses any text with any engine, and its positions are inside the text', () => {
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

  it('takes many lines for a log, and the same as paragraphs or in a fence for prose', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,3}$/), { minLength: 401, maxLength: 800 })
    fc.assert(
      fc.property(words, (lines) => {
        expect(isProse(lines.join('\n'))).toBe(false)
        expect(isProse(lines.join('\n\n'))).toBe(true)
        expect(isProse(`\`\`\`\n${lines.join('\n')}\n\`\`\``)).toBe(true)
        expect(isProse(lines.slice(0, 400).join('\n'))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
