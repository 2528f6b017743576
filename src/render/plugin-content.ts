/** Content of plugins as HTML that a page may contain: text stays text, and a tree is sanitised by a list of allowed parts. */

import type { Element, ElementContent, Nodes, Properties, Root, RootContent } from 'hast'
import { type Schema, sanitize } from 'hast-util-sanitize'
import { PluginFault } from '../diagnostics/errors.ts'
import { relativeLink } from '../transcript/urls.ts'
import { reasonOf } from '../util/reason.ts'
import { eachElement, h, isDeeper, unlink } from './hast.ts'
import type { PluginContent } from './plugin.ts'
import { headingLevels, widen } from './transcript/hast/prose.ts'
import { foreignRel, leadsOut } from './transcript/prose/schemes.ts'
import { serialize } from './transcript/serialize.ts'
import { withoutControls } from './visible-text.ts'

/** The page that the content is for, and how its texts are redacted. */
export interface ContentContext {
  /** Path of the page that contains it. */
  path: string
  /** Level of its first heading. */
  level: number
  /** Elements keep their ids, because the page has hardly any others. */
  keepIds: boolean
  /** Replaces secrets and personal data. */
  text: (text: string) => string
}

/** Levels of nesting; no real content has more. */
const maxDepth = 64

/** HTML of what a plugin returned. Throws if it is not a tree of plain data, or nested too deeply. */
export function contentHtml(content: PluginContent, context: ContentContext): string {
  const root = rootOf(content)
  if (isDeeper(root, maxDepth)) throw new PluginFault(`its tree has more than ${maxDepth} levels`)
  showText(root, context.text)
  const headings = headingLevels(context.level)
  const ids = new Set<string>(reservedIds)
  eachElement(root, (node) => {
    if (/^h[1-6]$/.test(node.tagName)) node.tagName = headings(Number(node.tagName.slice(1)))
    changes[node.tagName]?.(node, context)
    keepId(node, context.keepIds ? ids : undefined)
  })
  widen(root)
  return serialize(sanitize(root, schema), withoutControls)
}

function rootOf(content: PluginContent): Root {
  if (typeof content === 'string') {
    const paragraphs = content.split(/\n{2,}/).filter((text) => text.trim() !== '')
    return { type: 'root', children: paragraphs.map((text) => h('p', {}, text)) }
  }
  // A copy, because the plugin may use its tree again.
  const given = copyOf(content) as Nodes | Root['children']
  return { type: 'root', children: withoutRoots(Array.isArray(given) ? given : [given as ElementContent]) }
}

/** Nodes with the children of a root instead of the root, so that what follows meets only elements and leaves. */
function withoutRoots(nodes: readonly (Nodes | RootContent)[]): ElementContent[] {
  return nodes.flatMap((node) => {
    if ('children' in node) node.children = withoutRoots(node.children)
    return node.type === 'root' ? (node.children as ElementContent[]) : [node as ElementContent]
  })
}

function copyOf<T>(content: T): T {
  try {
    return structuredClone(content)
  } catch (error) {
    throw new PluginFault(`its tree is not plain data: ${reasonOf(error)}`)
  }
}

/** Redacts the texts of a tree and of its attributes, in place. */
function showText(parent: Root | Element, text: ContentContext['text']): void {
  if (parent.type === 'element') showAttributes(parent.properties, text)
  for (const child of parent.children) {
    if (child.type === 'text') child.value = text(child.value)
    else if (child.type === 'element') showText(child, text)
  }
}

function showAttributes(properties: Properties, text: ContentContext['text']): void {
  for (const [name, value] of Object.entries(properties)) {
    // Words of a list are read as the page will contain them: together.
    const whole = Array.isArray(value) ? value.join(' ') : value
    if (typeof whole !== 'string') continue
    const shown = text(whole)
    if (shown !== whole) properties[name] = shown
  }
}

// Links and pictures.

const changes: Readonly<Record<string, (node: Element, place: ContentContext) => void>> = {
  a: tidyLink,
  img: (node, { path }) => {
    const target = sitePath(node.properties['src'])
    node.properties['src'] = target && relativeLink(path, target)
    node.properties['alt'] ??= ''
  },
  pre: (node) => {
    node.properties['tabIndex'] = 0
  },
}

function tidyLink(node: Element, { path }: ContentContext): void {
  const href = String(node.properties['href'] ?? '')
  if (/^#[\w.-]+$/.test(href)) return
  if (leadsOut(href)) {
    node.properties['rel'] = [...foreignRel]
    return
  }
  const [, target, hash = ''] = /^([^#?]*)(#[\w.-]*)?$/.exec(href) ?? []
  const inside = sitePath(target)
  if (inside !== undefined) node.properties['href'] = relativeLink(path, inside) + hash
  else unlink(node)
}

/** A path within the site, from its root; `undefined` for anything that leads elsewhere. */
function sitePath(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(value) ? value : undefined
}

// Ids, elements and attributes.

/** Ids that pages use themselves. */
const reservedIds = ['main']

function keepId({ properties }: Element, usedIds: Set<string> | undefined): void {
  const { id } = properties
  if (id === undefined) return
  if (usedIds === undefined || typeof id !== 'string' || !/^[a-z0-9][\w.-]{0,80}$/i.test(id) || usedIds.has(id))
    delete properties['id']
  else usedIds.add(id)
}

const blocks =
  'blockquote br dd details div dl dt figcaption figure h2 h3 h4 h5 h6 hr li nav ol p pre section summary ul'
const tables = 'caption table tbody td tfoot th thead tr'
const inlines = 'a abbr b code del em i img kbd mark s small span strong sub sup time'

/** No style, script or form, and nothing that loads except pictures of the site; any class is allowed, for themes. */
const schema: Schema = {
  tagNames: [blocks, tables, inlines].flatMap((names) => names.split(' ')),
  attributes: {
    '*': ['id', 'className', 'lang', 'dir', 'title', 'ariaLabel', 'ariaLabelledBy'],
    a: ['href', ['rel', ...foreignRel]],
    details: ['open'],
    div: ['tabIndex'],
    img: ['src', 'alt', 'width', 'height', ['loading', 'lazy']],
    ol: ['start'],
    pre: ['tabIndex'],
    span: ['role'],
    td: ['colSpan', 'rowSpan'],
    th: ['colSpan', 'rowSpan', 'scope'],
    time: ['dateTime'],
  },
  clobber: [],
  required: {},
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
}
