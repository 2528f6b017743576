/** A page as a browser reads it: its texts, comments and attributes decoded, and what it would load and run. */

import { type EndTag, SAXParser, type StartTag, type Text } from 'parse5-sax-parser'
import type { FindingRuleId } from '../../diagnostics/finding.ts'
import { defined } from '../../util/own.ts'
import type { PageLink } from './links.ts'
import { type InlineCode, type PageRules, pageRules } from './page-rules.ts'
import { addressKind, hostOf, readTag, type Tag, trimAddress } from './page-tags.ts'
import type { Mark, TextScan } from './text-scan.ts'

/** What the audit of a page needs. */
export interface PageAuditContext {
  /** A page of the site rather than a drawing or a feed: it must have a policy, and its links must lead somewhere. */
  isPage: boolean
  /** Takes texts, comments and scripts. */
  texts: TextScan
  /** Takes attributes, each as `name="value"`. */
  attributes: TextScan
  report: (ruleId: FindingRuleId, mark: Mark, detail?: string) => void
  /** Takes a picture that stands in the page, as a `data:` address. */
  onPicture: (address: string, mark: Mark) => void
}

/** What is known of a page once it was read. */
export interface PageFacts {
  ids: ReadonlySet<string>
  links: readonly PageLink[]
  webLinks: number
}

/** Takes the text of a page in pieces. */
export interface PageAudit {
  write(text: string): Promise<void>
  end(): Promise<PageFacts>
}

/** Elements within a line of text: a key may go on behind their tags. */
const inline =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/
/** A script or style that is longer is not hashed whole: no page has one. */
const maxCodeLength = 16 << 20

/** What was seen of a page so far. */
interface State {
  tools: PageAuditContext
  rules: PageRules
  ids: Set<string>
  links: PageLink[]
  webLinks: number
  /** Id of the last element that had one. */
  place: string | undefined
  /** The script or style that is open. */
  code: InlineCode | undefined
}

/** The audit of one page. */
export function pageAudit(tools: PageAuditContext): PageAudit {
  const { isPage, texts, attributes, report } = tools
  const state: State = {
    ...{ tools, rules: pageRules(), ids: new Set(), links: [], webLinks: 0 },
    ...{ place: undefined, code: undefined },
  }
  const parser = new SAXParser({ sourceCodeLocationInfo: true })
  parser.on('startTag', (token) => startTag(token, state))
  parser.on('endTag', (token) => endTag(token, state))
  parser.on('text', (token) => {
    const { code } = state
    if (code !== undefined && code.text.length < maxCodeLength) code.text += token.text
    texts.write(token.text, markOf(token, state))
  })
  parser.on('comment', (token) => texts.write(`\n${token.text}\n`, markOf(token, state)))

  return {
    write: (text) => new Promise((resolve) => parser.write(text, () => resolve())),
    async end() {
      await new Promise<void>((resolve) => parser.end(() => resolve()))
      texts.end()
      attributes.end()
      if (isPage) for (const { ruleId, mark, detail } of state.rules.finish()) report(ruleId, mark, detail)
      const { ids, links, webLinks } = state
      return { ids, links: isPage ? links : [], webLinks }
    },
  }
}

function markOf({ sourceCodeLocation }: Pick<Text, 'sourceCodeLocation'>, { place }: State): Mark {
  return defined({ line: sourceCodeLocation?.startLine, place })
}

function startTag(token: StartTag, state: State): void {
  const { isPage, texts, attributes, report, onPicture } = state.tools
  const tag = tagOf(token)
  const id = tag.attributes.get('id')
  if (id !== undefined) addId(id, state)
  const mark = markOf(token, state)
  if (!inline.test(tag.name)) texts.write('\n', mark)
  for (const [name, value] of tag.attributes) {
    if (isWorthReading(value)) attributes.write(`${name}="${value}"\n`, mark)
  }
  const { faults, links, pictures, webLinks } = readTag(tag)
  for (const { ruleId, detail } of faults) report(ruleId, mark, detail)
  for (const link of links) state.links.push({ link, ...mark })
  for (const picture of pictures) onPicture(picture, mark)
  state.webLinks += webLinks
  if (isPage) state.rules.take(tag, mark)
  if ((tag.name === 'script' && !tag.attributes.has('src')) || tag.name === 'style') {
    state.code = { kind: tag.name, type: tag.attributes.get('type') ?? '', text: '', mark }
  }
}

function addId(id: string, state: State): void {
  state.ids.add(id)
  if (/^[\w.-]{1,80}$/.test(id)) state.place = id
}

/** Short values hold nothing, and pictures are read as bytes. */
function isWorthReading(value: string): boolean {
  return value.length > 5 && !value.startsWith('data:image/')
}

function endTag(token: EndTag, state: State): void {
  const { rules, code, tools } = state
  if (code?.kind === token.tagName) {
    rules.addCode(code)
    const loads = code.kind === 'style' ? styleLoads(code.text) : scriptLoads(code.text)
    for (const { address } of loads) tools.report('external-request', code.mark, `It asks \`${hostOf(address)}\`.`)
    state.code = undefined
  }
  if (!inline.test(token.tagName)) tools.texts.write('\n', markOf(token, state))
}

function tagOf({ tagName, attrs }: StartTag): Tag {
  const attributes = attrs.map(({ name, prefix, value }) => [prefix ? `${prefix}:${name}` : name, value] as const)
  return { name: tagName.toLowerCase(), attributes: new Map(attributes) }
}

// What style sheets and scripts load from outside the site, as far as their text tells.

/** An address in a text, by the place where it stands. */
interface Load {
  at: number
  address: string
}

const inStyles =
  /url\(\s{0,8}(?:"(?<double>[^"\n]{0,2048})"|'(?<single>[^'\n]{0,2048})'|(?<bare>[^\s"'()]{0,2048}))|@import\s{1,8}["'](?<imported>[^"'\n]{0,2048})/gi
const inScripts =
  /\b(?:fetch|import|importScripts|open|sendBeacon|Worker|SharedWorker|EventSource|WebSocket|XMLHttpRequest)\s{0,4}\(\s{0,4}(?:["'`](?:GET|POST|HEAD)["'`]\s{0,4},\s{0,4})?["'`](?<address>(?:(?:https?|wss?):)?\/\/[^"'`\n]{1,2048})|\bfrom\s{0,4}["'](?<module>https?:\/\/[^"'\n]{1,2048})/g

/** Addresses of other hosts that a style sheet loads. */
export function styleLoads(text: string): Load[] {
  return loads(text, inStyles)
}

/** Addresses of other hosts that a script names where it asks for something. */
export function scriptLoads(text: string): Load[] {
  return loads(text, inScripts)
}

function loads(text: string, pattern: RegExp): Load[] {
  return Array.from(text.matchAll(pattern), ({ index, groups = {} }) => ({
    at: index,
    address: trimAddress(Object.values(groups).find((value) => value !== undefined) ?? ''),
  })).filter(({ address }) => addressKind(address) === 'web')
}
