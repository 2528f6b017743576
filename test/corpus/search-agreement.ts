/** The search of the site and that of the terminal find a word in the same turns of a genuine session. */
import { expect } from 'vitest'
import { turnMatcher } from '../../src/features/terminal-search/match.ts'
import { parseQuery } from '../../src/features/terminal-search/query.ts'
import { loadEngine } from '../../src/render/transcript/engines-fs.ts'
import { searchPagePieces } from '../../src/search/page.ts'
import type { Session, TrastNode } from '../../src/transcript/trast.ts'
import { isRequest, walk } from '../../src/transcript/view.ts'
import { defined } from '../../src/util/own.ts'
import type { SlicedThread } from '../helpers/genuine-slices.ts'
import { context } from '../helpers/render.ts'

/** How many words of a thread are searched for, spread over everything that the site searches of it. */
const asked = 20
/** UTF-16 units of a text that the site searches as a whole, including its Markdown. */
const searchedWhole = 2000

const engine = await loadEngine()

/** Texts of turns by their numbers; 0 is what comes before the first. */
type TurnTexts = Map<number, string>

function add(texts: TurnTexts, turn: number, text: string): void {
  const plain = text
    .replace(/\[redacted:[^\]]*\]/g, ' ')
    .normalize()
    .toLowerCase()
  texts.set(turn, `${texts.get(turn) ?? ''} ${plain}`)
}

const wordsOf = (texts: TurnTexts): Set<string> =>
  new Set([...texts.values()].flatMap((text) => text.match(/[\p{L}\p{N}]{3,60}/gu) ?? []))

/** Ids of items with the number of their turn. */
function turnsOf(slice: Session): Map<string, number> {
  const turns = new Map<string, number>()
  for (const child of slice.children)
    walk(child, (node: TrastNode) => {
      const turn = child.type === 'turn' ? child : undefined
      if (node.id !== undefined) turns.set(node.id, node.type === 'turn' ? node.number : (turn?.number ?? 0))
    })
  return turns
}

/** What the site searches of a slice: the text at each target of a hit, without words that were made for the index. */
function addSiteTexts(texts: TurnTexts, slice: Session): void {
  const turns = turnsOf(slice)
  const html = searchPagePieces(slice, context({}, { threadId: slice.threadId, engine }), {
    ...{ title: '', project: '', words: [], outputs: true },
    ...defined({ cwd: slice.cwd }),
  }).join('')
  const [, body = ''] = html.split(/<body[^>]*>/)
  for (const place of body.split(/(?=<[\w-]+ id=)/)) {
    const [, id = ''] = /^<[\w-]+ id="([^"]+?)(?:\.rest)?"/.exec(place) ?? []
    const text = place.replace(/<[^>]*>/g, ' ').replace(/~\^~.*?~\^~/gs, ' ')
    add(texts, turns.get(id) ?? 0, unescaped(text))
  }
}

const unescaped = (html: string): string =>
  html.replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))

/** What the site omits from Markdown but the terminal searches: targets of links, languages of fences, tags. */
const withoutTargets = (body: string): string =>
  body
    .replace(/\]\((?:[^()]|\([^()]*\))*\)|^\[[^\]]+\]:.*$/gm, ' ')
    .replace(/(?:```|~~~).*$/gm, ' ')
    .replace(/<[^<>]*>/g, ' ')

/**
 * Prompts, requests of Codex and answers that both search as a whole: short texts of turns that were not taken back.
 */
function addDialogue(texts: TurnTexts, slice: Session): void {
  for (const turn of slice.children) {
    if (turn.type !== 'turn') continue
    walk(turn, (node) => {
      if (node.data?.inherited === true || node.data?.visibility === 'hidden' || node.type === 'group') return false
      if (node.type !== 'message') return true
      const body = node.children.map((child) => ('value' in child ? child.value : '')).join('\n')
      if ((isRequest(node) || node.role === 'assistant') && body.length <= searchedWhole)
        add(texts, turn.number, withoutTargets(body))
      return false
    })
  }
}

/** Words that only one of the two finds, by word and turn. */
function disagreements({ thread, trees }: SlicedThread): { words: number; wrong: string[] } {
  const site: TurnTexts = new Map()
  const dialogue: TurnTexts = new Map()
  for (const tree of trees) {
    addSiteTexts(site, tree)
    addDialogue(dialogue, tree)
  }
  const all = [...new Set([...wordsOf(site), ...wordsOf(dialogue)])]
  const step = Math.max(1, Math.floor(all.length / asked))
  const chosen = all.filter((_, index) => index % step === 0)
  const wrong = chosen.flatMap((word) => {
    const matcher = turnMatcher(parseQuery([`"${word}"`]), 0)
    for (const [index, tree] of trees.entries()) matcher.take(tree, index + 1)
    const terminal = new Set(matcher.finish().map(({ number = 0 }) => number))
    const onlySite = [...site].filter(([turn, text]) => text.includes(word) && !terminal.has(turn))
    const onlyTerminal = [...dialogue].filter(([turn, text]) => text.includes(word) && !site.get(turn)?.includes(word))
    return [
      ...onlySite.map(([turn]) => `the site alone finds ${word} in turn ${turn} of ${thread.id}`),
      ...onlyTerminal.map(([turn]) => `the terminal alone finds ${word} in turn ${turn} of ${thread.id}`),
    ]
  })
  return { words: chosen.length, wrong }
}

/** Both searches find each word in the same turns. */
export function expectAgreement(threads: readonly SlicedThread[]): void {
  const found = threads.map(disagreements)
  expect(found.reduce((sum, { words }) => sum + words, 0)).toBeGreaterThan(0)
  expect(found.flatMap(({ wrong }) => wrong)).toEqual([])
}
