/** A page as a browser reads it: its texts, comments and attributes decoded, and what it would load and run. */

import { type EndTag, SAXParser, type StartTag, type Text } from 'parse5-sax-parser'
import type { FindingRuleId } from '../../diagnostics/finding.ts'
import { defined } from '../../util/own.ts'
import type { PageLink } from './links.ts'
import { type InlineCode, type PageRules, pageRules } from './page-rules.ts'
import {
  droppedAttributes,
  escapedParts,
  type PageSource,
  pageSource,
  unescapeCss,
  unescapedParts,
} from './page-source.ts'
import { addressKind, hostOf, readTag, type Tag, trimAddress } from './page-tags.ts'
import type { Mark, TextScan } from './text-scan.ts'

/** What the audit of a page needs. */
interface PageAuditContext {
  /**
   * Whether it is a page of the site rather than a drawing or a feed: it must have a policy, and its links must lead somewhere.
   */
  isPage: boolean
  /** Receives texts and scripts. */
  texts: TextScan
  /** Receives comments; a text may continue after one. */
  comments: TextScan
  /** Receives attributes, each as `name="value"`. */
  attributes: TextScan
  report: (ruleId: FindingRuleId, mark: Mark, detail?: string) => void
  /** Receives a picture embedded in the page, as a `data:` address. */
  onPicture: (address: string, mark: Mark) => void
}

/** What is known about a page after it was read. */
export interface PageFacts {
  ids: ReadonlySet<string>
  links: readonly PageLink[]
  webLinks: number
}

/** Receives the text of a page in pieces. */
interface PageAudit {
  write(text: string): Promise<void>
  end(): Promise<PageFacts>
}

/** Elements within a line of text. A key may continue after their tags. */
const inline =
  /^(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|output|q|s|samp|slot|small|span|strike|strong|sub|sup|time|tspan|tt|u|var|wbr|[a-z]+-[\w.-]+)$/
/** A longer script or style is not hashed as a whole; no page has one. */
const maxCodeLength = 16 << 20

/** What was read of a page so far. */
interface State {
  tools: PageAuditContext
  rules: PageRules
  ids: Set<string>
  links: PageLink[]
  webLinks: number
  /** The most recent id of an element. */
  place: string | undefined
  /** The script or style that is open. */
  code: InlineCode | undefined
  /** The content of each `noscript`, which the parser reads as text, as a browser that runs scripts does. */
  fallbacks: { text: string; mark: Mark }[]
  isInFallback: boolean
  source: PageSource
  /** Offset of the end of the last token. */
  readTo: number
}

/** Creates the audit of one page. */
export function pageAudit(tools: PageAuditContext): PageAudit {
  const { isPage, texts, comments, attributes, report } = tools
  const state: State = {
    ...{ tools, rules: pageRules(), ids: new Set(), links: [], webLinks: 0 },
    ...{ place: undefined, code: undefined, fallbacks: [], isInFallback: false, source: pageSource(), readTo: 0 },
  }
  const parser = new SAXParser({ sourceCodeLocationInfo: true })
  parser.on('startTag', (token) => startTag(token, state))
  parser.on('endTag', (token) => endTag(token, state))
  parser.on('text', (token) => {
    const { code, fallbacks, isInFallback } = state
    const open = isInFallback ? fallbacks.at(-1) : code
    if (open !== undefined && open.text.length < maxCodeLength) open.text += token.text
    texts.write(token.text, markOf(token, state))
  })
  parser.on('comment', (token) => comments.write(`${token.text}\n`, markOf(token, state)))

  return {
    async write(text) {
      state.source.add(text)
      await new Promise<void>((resolve) => parser.write(text, () => resolve()))
      state.source.dropBefore(state.readTo)
    },
    async end() {
      await new Promise<void>((resolve) => parser.end(() => resolve()))
      for (const { text, mark } of state.fallbacks) await readFallback(text, mark, state)
      for (const scan of [texts, comments, attributes]) scan.end()
      if (isPage) for (const { ruleId, mark, detail } of state.rules.finish()) report(ruleId, mark, detail)
      const { ids, links, webLinks } = state
      return { ids, links: isPage ? links : [], webLinks }
    },
  }
}

function markOf({ sourceCodeLocation }: Pick<Text, 'sourceCodeLocation'>, state: State): Mark {
  state.readTo = sourceCodeLocation?.endOffset ?? state.readTo
  return defined({ line: sourceCodeLocation?.startLine, place: state.place })
}

function startTag(token: StartTag, state: State): void {
  const { isPage, texts, attributes, report } = state.tools
  const tag = tagOf(token)
  const id = tag.attributes.get('id')
  if (id !== undefined) addId(id, state)
  const mark = markOf(token, state)
  if (!inline.test(tag.name)) texts.write('\n', mark)
  for (const [name, value] of tag.attributes) {
    if (isWorthReading(value)) attributes.write(`${name}="${value}"\n`, mark)
  }
  for (const dropped of droppedBy(token, tag, state)) attributes.write(`${dropped}\n`, mark)
  readTagEffects(tag, mark, state)
  if (isPage) state.rules.addTag(tag, mark)
  else if (isOwnScript(tag)) report('inline-script', mark, 'A drawing or feed has no policy.')
  if (tag.name === 'noscript') {
    state.fallbacks.push({ text: '', mark })
    state.isInFallback = true
  }
  if ((tag.name === 'script' && !tag.attributes.has('src')) || tag.name === 'style') {
    state.code = { kind: tag.name, type: tag.attributes.get('type') ?? '', text: '', mark }
  }
}

function droppedBy({ sourceCodeLocation: at }: StartTag, { attributes }: Tag, { source }: State): string[] {
  return at ? droppedAttributes(source.slice(at.startOffset, at.endOffset), attributes) : []
}

/** Reports what a tag loads and runs, and records where it leads. */
function readTagEffects(tag: Tag, mark: Mark, state: State): void {
  const { report, onPicture } = state.tools
  const { faults, links, pictures, webLinks } = readTag(tag)
  for (const { ruleId, detail } of faults) report(ruleId, mark, detail)
  for (const link of links) state.links.push({ link, ...mark })
  for (const picture of pictures) onPicture(picture, mark)
  for (const [name, value] of tag.attributes) if (painting.test(name)) reportLoads(styleLoads(value), mark, state)
  state.webLinks += webLinks
}

/** Attributes of SVG whose value may load something, as in a style sheet. */
const painting = /^(?:fill|stroke|filter|mask|clip-path|cursor|marker(?:-(?:start|mid|end))?)$/

/** Whether a tag begins an inline script. In XML its name may have a prefix. */
function isOwnScript({ name, attributes }: Tag): boolean {
  return /(?:^|:)script$/.test(name) && !['src', 'href', 'xlink:href'].some((from) => attributes.has(from))
}

/** Reads what readers without scripts get. */
async function readFallback(text: string, mark: Mark, state: State): Promise<void> {
  const parser = new SAXParser()
  parser.on('startTag', (token) => {
    const tag = tagOf(token)
    const id = tag.attributes.get('id')
    if (id !== undefined) state.ids.add(id)
    readTagEffects(tag, mark, state)
  })
  reportLoads(styleLoads(text), mark, state)
  await new Promise<void>((resolve) => parser.end(text, () => resolve()))
}

function reportLoads(found: readonly Load[], mark: Mark, { tools }: State): void {
  for (const { address } of found) tools.report('external-request', mark, `It asks \`${hostOf(address)}\`.`)
}

function addId(id: string, state: State): void {
  state.ids.add(id)
  if (/^[\w.-]{1,80}$/.test(id)) state.place = id
}

/** Whether an attribute is read: short values contain nothing, and pictures are read as bytes. */
function isWorthReading(value: string): boolean {
  return value.length > 5 && !value.startsWith('data:image/')
}

function endTag(token: EndTag, state: State): void {
  const { rules, code, tools } = state
  if (code?.kind === token.tagName) {
    rules.addCode(code)
    const parts = code.kind === 'style' ? escapedParts(code.text) : unescapedParts(code.text)
    for (const part of parts) tools.texts.write(`\n${part}\n`, code.mark)
    reportLoads(code.kind === 'style' ? styleLoads(code.text) : scriptLoads(code.text), code.mark, state)
    state.code = undefined
  }
  if (token.tagName === 'noscript') state.isInFallback = false
  if (!inline.test(token.tagName)) tools.texts.write('\n', markOf(token, state))
}

function tagOf({ tagName, attrs }: StartTag): Tag {
  const attributes = attrs.map(({ name, prefix, value }) => [prefix ? `${prefix}:${name}` : name, value] as const)
  return { name: tagName.toLowerCase(), attributes: new Map(attributes) }
}

// What style sheets and scripts load from outside the site, as far as their text shows.

/** An address in a text, with its offset. */
interface Load {
  at: number
  address: string
}

const inStyles =
  /url\(\s{0,8}(?:"(?<double>[^"\n]{0,2048})"|'(?<single>[^'\n]{0,2048})'|(?<bare>[^\s"'()]{0,2048}))|(?:@import\s{0,8}|image-set\(\s{0,8})["'](?<named>[^"'\n]{0,2048})/gi
const inScripts =
  /\b(?:fetch|import|importScripts|open|sendBeacon|Worker|SharedWorker|EventSource|WebSocket|XMLHttpRequest)\s{0,4}\(\s{0,4}(?:["'`][A-Z]{3,7}["'`]\s{0,4},\s{0,4})?["'`](?<address>(?:(?:https?|wss?):)?\/\/[^"'`\n]{1,2048})|\b(?:from|import)\s{0,4}["'](?<module>(?:https?:)?\/\/[^"'\n]{1,2048})|(?:\.src|\blocation(?:\.href)?)\s{0,4}=\s{0,4}["'`](?<target>https?:\/\/[^"'`\n]{1,2048})/g

/** Addresses of other hosts that a style sheet loads, with offsets in the style sheet without its escapes. */
export function styleLoads(text: string): Load[] {
  return loads(unescapeCss(text), inStyles)
}

/** Addresses of other hosts that a script requests. */
export function scriptLoads(text: string): Load[] {
  return loads(text, inScripts)
}

function loads(text: string, pattern: RegExp): Load[] {
  return Array.from(text.matchAll(pattern), ({ index, groups = {} }) => ({
    at: index,
    address: trimAddress(Object.values(groups).find((value) => value !== undefined) ?? ''),
  })).filter(({ address }) => addressKind(address) === 'web')
}
