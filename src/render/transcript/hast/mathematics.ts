/** Formulas of prose as MathML, which browsers draw without a script or a font. Unreadable formulas are shown as source. */

import type { Element, ElementContent, Properties } from 'hast'
import { h } from '../../hast.ts'

/** A node of MathML as the reader of TeX returns it. */
interface MathNode {
  type?: string
  text?: string
  attributes?: Readonly<Record<string, unknown>>
  classes?: readonly string[]
  style?: Readonly<Record<string, unknown>>
  children?: readonly MathNode[]
}

/** Converts TeX to MathML. Throws if it cannot. */
export type DrawTex = (tex: string, display: boolean) => MathNode

/** The placeholder of a formula while prose is sanitised: its source, without anything that a browser would draw. */
export function formulaMark({ value, tex, display }: { value: string; tex: string; display: boolean }): Element {
  return h('math', { dataTex: tex, dataDisplay: display ? 'block' : 'inline' }, value)
}

/** Replaces the placeholders in sanitised prose by drawn formulas, in place. */
export function drawFormulas(children: readonly ElementContent[], draw: DrawTex | undefined): void {
  for (const node of children) {
    if (node.type !== 'element') continue
    if (node.tagName === 'math') drawFormula(node, draw)
    else drawFormulas(node.children, draw)
  }
}

function drawFormula(node: Element, draw: DrawTex | undefined): void {
  const { dataTex, dataDisplay } = node.properties
  const drawn = draw === undefined ? undefined : mathOf(String(dataTex), dataDisplay === 'block', draw)
  node.tagName = drawn === undefined ? 'span' : 'math'
  node.properties = drawn === undefined ? { className: ['tex'] } : drawn.properties
  if (drawn !== undefined) node.children = drawn.children
}

/**
 * Commands that define others, link, change styles, or strike out with a style sheet that pages do not have. A formula with
 * one of them is not drawn, because it would mean something else without it.
 */
const refused =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|char|href|url|html\w*|class|style|id|cssId|data|includegraphics|x?cancel\w*|bcancel|sout|phase|longdiv|angl\w*|ref|eqref|label|tag)(?![a-zA-Z])/

function mathOf(tex: string, display: boolean, draw: DrawTex): Element | undefined {
  if (refused.test(tex)) return undefined
  try {
    const budget = { nodes: maxNodes }
    const tree = draw(tex, display)
    const inner = (tree.children ?? []).flatMap((child) => toHast(child, budget, maxDepth))
    const source = h('annotation', { encoding: 'application/x-tex' }, tex)
    return h('math', display ? { display: 'block', tabIndex: 0 } : {}, h('semantics', {}, h('mrow', {}, inner), source))
  } catch {
    // Invalid TeX, or too much of it.
    return undefined
  }
}

/** Limits of one formula; a larger one is data, not mathematics. */
const maxNodes = 5000
const maxDepth = 60

/** Elements that MathML Core draws, and two that browsers lay out as rows. */
const elements = setOf(
  'mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom',
  'msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd',
)

const attributeNames = setOf(
  'accent accentunder columnspan depth displaystyle fence form height largeop linethickness lspace mathvariant maxsize',
  'minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width',
)

function setOf(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((names) => names.split(' ')))
}

/** Words, small numbers and lengths of at most two digits before the point. */
const plainValue = /^(?:[a-z-]{1,30}|[+-]?\d{0,2}(?:\.\d{1,6})?(?:em|ex|pt|px|mu|%)?)$/

/** Our classes for what is only expressed by styles. */
const styleClasses: Readonly<Record<string, string>> = {
  'tml-left': 'ml',
  'tml-right': 'mr',
  'tml-overline': 'mover',
  'tml-underline': 'munder',
  'tml-fbox': 'mbox',
}

function toHast(node: MathNode, budget: { nodes: number }, levels: number): ElementContent[] {
  if (budget.nodes-- === 0 || levels === 0) throw new RangeError('A formula of this size is not drawn')
  const { type, text } = node
  if (type === undefined && text !== undefined) return text === '' ? [] : [{ type: 'text', value: text }]
  // Invisible operators, such as function application: pages contain no invisible characters.
  if (type === 'mo' && /^[\u2061-\u2064]$/.test(node.children?.[0]?.text ?? '')) return []
  const children = (node.children ?? []).flatMap((child) => toHast(child, budget, levels - 1))
  // Fragments have no type.
  if (type === undefined) return children
  if (!elements.has(type)) throw new TypeError(`No way to draw <${type}>`)
  return [{ type: 'element', tagName: type, properties: propertiesOf(node), children }]
}

function propertiesOf({ attributes = {}, classes = [], style }: MathNode): Properties {
  const properties: Properties = {}
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value)
    if (attributeNames.has(name) && plainValue.test(text)) properties[name] = text
  }
  const names = classes.flatMap((name) => styleClasses[name] ?? [])
  if (style?.['border'] !== undefined) names.push('mbox')
  return names.length === 0 ? properties : { ...properties, className: names }
}
