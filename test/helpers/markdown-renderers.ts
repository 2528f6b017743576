/** How common Markdown renderers read a text: raw HTML, pictures, destinations. */
import { type Node as CommonmarkNode, HtmlRenderer, Parser } from 'commonmark'
import MarkdownIt, { type Token } from 'markdown-it'
import { type Token as MarkedToken, marked } from 'marked'
import type { Nodes } from 'mdast'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { referenceEngine } from '../../src/render/transcript/prose/engine.ts'

/** What a renderer finds in a text. */
interface Reading {
  /** HTML that it passes on as markup. */
  html: string[]
  /** Sources of pictures. */
  images: string[]
  /** Destinations of links. */
  links: string[]
}

/** Reads a text and renders it. */
export interface Renderer {
  name: string
  read(source: string): Reading
  render(source: string): string
}

const nothing = (): Reading => ({ html: [], images: [], links: [] })

const named: Readonly<Record<string, string>> = { colon: ':', Tab: '\t', NewLine: '\n' }

function unescaped(address: string): string {
  return address
    .replace(/&#x([0-9a-f]{1,5});?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,6});?/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (entity, name: string) => named[name] ?? entity)
}

function walkMarked(tokens: readonly MarkedToken[], reading: Reading): void {
  marked.walkTokens([...tokens], (token) => {
    if (token.type === 'html' || token.type === 'tag') reading.html.push(token.raw)
    if (token.type === 'image') reading.images.push(String(Reflect.get(token, 'href')))
    // It leaves character references to the browser.
    if (token.type === 'link') reading.links.push(unescaped(String(Reflect.get(token, 'href'))))
  })
}

const markdownIt = new MarkdownIt({ html: true, linkify: true })
// Links that a renderer itself would refuse are judged as if it did not.
markdownIt.validateLink = () => true

function walkMarkdownIt(tokens: readonly Token[], reading: Reading): void {
  for (const token of tokens) {
    if (token.type === 'html_block' || token.type === 'html_inline') reading.html.push(token.content)
    if (token.type === 'image') reading.images.push(String(token.attrGet('src')))
    if (token.type === 'link_open') reading.links.push(String(token.attrGet('href')))
    if (token.children) walkMarkdownIt(token.children, reading)
  }
}

function walkCommonmark(root: CommonmarkNode, reading: Reading): void {
  const walker = root.walker()
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { entering, node } = event
    if (!entering) continue
    if (node.type === 'html_block' || node.type === 'html_inline') reading.html.push(node.literal ?? '')
    if (node.type === 'image') reading.images.push(node.destination ?? '')
    if (node.type === 'link') reading.links.push(node.destination ?? '')
  }
}

function walkMdast(node: Nodes, reading: Reading): void {
  if (node.type === 'html') reading.html.push(node.value)
  if (node.type === 'image' || node.type === 'imageReference') reading.images.push('url' in node ? node.url : '')
  if (node.type === 'link' || node.type === 'definition') reading.links.push(node.url)
  if ('children' in node) for (const child of node.children) walkMdast(child, reading)
}

function renderer(name: string, render: (source: string) => string, walk: (source: string, reading: Reading) => void) {
  return {
    name,
    render,
    read: (source: string): Reading => {
      const reading = nothing()
      walk(source, reading)
      return reading
    },
  }
}

/** A new one each time, because a parser keeps some state of the previous text. */
const commonmark = (source: string) => new Parser().parse(source)
const dangerous = { allowDangerousHtml: true, allowDangerousProtocol: true }

/** Renderers that allow HTML: marked, markdown-it, CommonMark's reference, and GitHub's dialect. */
export const renderers: readonly Renderer[] = [
  renderer(
    'marked',
    (source) => marked.parse(source, { async: false }),
    (source, reading) => walkMarked(marked.lexer(source), reading),
  ),
  renderer(
    'markdown-it',
    (source) => markdownIt.render(source),
    (source, reading) => walkMarkdownIt(markdownIt.parse(source, {}), reading),
  ),
  renderer(
    'commonmark',
    (source) => new HtmlRenderer().render(commonmark(source)),
    (source, reading) => walkCommonmark(commonmark(source), reading),
  ),
  renderer(
    'gfm',
    (source) => micromark(source, { extensions: [gfm()], htmlExtensions: [gfmHtml()], ...dangerous }),
    (source, reading) => walkMdast(referenceEngine(source), reading),
  ),
]

/** Whether the address of a link is relative or has a scheme of the web or of mail, as browsers read it. */
function isQuiet(address: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(decoded(address).replace(/[\0- \x7F-\x9F]/g, ''))?.[1]
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme) || /^[\w-]+\.[\w.-]+:\d+(?::\d+)?$/.test(address)
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/**
 * What is alive in a text for any of the renderers: HTML, pictures that are not its own, links that could run
 * something.
 */
export function aliveIn(source: string, isOwnPicture: (address: string) => boolean = () => false): string[] {
  return renderers.flatMap(({ name, read }) => {
    const { html, images, links } = read(source)
    return [
      ...html.map((text) => `${name}: HTML ${text}`),
      ...images.filter((address) => !isOwnPicture(address)).map((address) => `${name}: picture ${address}`),
      ...links.filter((address) => !isQuiet(address)).map((address) => `${name}: link ${address}`),
    ]
  })
}
