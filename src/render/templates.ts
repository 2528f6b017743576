/** Templates: eta sources compiled once, called once a page. */

import { Eta, type TemplateFunction } from 'eta/core'
import { ConfigError } from '../diagnostics/errors.ts'
import { sha256 } from '../util/hash.ts'
import { type Content, decoded } from '../util/pieces.ts'
import { hidingUnits, withoutControls } from './visible-text.ts'

/** The compiled templates. */
export interface Templates {
  /** Differs where any source differs. */
  key: string
  /** Whether there is a template of that name. */
  has: (name: string) => boolean
  /** The whole document that a template makes of a view, by the template's name such as `html/session`. */
  render: <View extends object>(name: string, view: View) => string
  /** The same in pieces, of a view that is made around a body: bytes, which become no string unless a theme may ask for it. */
  renderAround: <View extends object>(
    name: string,
    view: (body: string) => View,
    body: readonly Uint8Array[],
  ) => Content
}

/** Where a source comes from, for messages. */
export interface TemplateSource {
  source: string
  file: string
  /** It is the user's. */
  isTheme?: true
}

/**
 * Compiles templates by their names, below `templates/` and without `.eta`; one includes another as `@<name>`. What is
 * printed by `<%= %>` is escaped.
 * @throws ConfigError when a template does not compile or, later, when it fails on a page.
 */
export function compileTemplates(sources: ReadonlyMap<string, TemplateSource>): Templates {
  const eta = new Eta({ autoEscape: true, cache: true, escapeFunction: escapeText })
  for (const [name, { source, file, isTheme }] of sources) {
    // A mistake in a theme is told before the first page. Of our own templates, most calls use a few.
    const template = isTheme ? guard(file, 'compile', () => eta.compile(source)) : compiledLate(eta, source)
    eta.loadTemplate(`@${name}`, template)
  }
  const render: Templates['render'] = (name, view) => {
    const { file } = sources.get(name) ?? { file: name }
    return guard(file, 'render', () => eta.render(`@${name}`, view))
  }
  const isThemed = [...sources.values()].some(({ isTheme }) => isTheme)
  return {
    key: sha256(JSON.stringify([...sources].map(([name, { source }]) => [name, source]))),
    has: (name) => sources.has(name),
    render,
    renderAround(name, view, body) {
      if (isThemed) return render(name, view(body.map(decoded).join('')))
      // Our own templates print it as it is.
      return [...withBodies(render(name, view(bodyMark(0))), () => body)]
    },
  }
}

/** A template that is compiled when a page first asks for it. */
function compiledLate(eta: Eta, source: string): TemplateFunction {
  let template: TemplateFunction | undefined
  return function (this: Eta, data, options) {
    template ??= eta.compile(source)
    return template.call(this, data, options)
  }
}

/** Stands for a body in a document. Text of a transcript can never look like it: there, `<` is written as an entity. */
export function bodyMark(index: number): string {
  return `<!--body ${index}-->`
}

/** A document in pieces, with bodies in place of their marks. */
export function* withBodies(
  html: string,
  bodyOf: (index: number) => Iterable<Uint8Array>,
): Generator<string | Uint8Array> {
  let end = 0
  for (const match of html.matchAll(/<!--body (\d+)-->/g)) {
    yield html.slice(end, match.index)
    yield* bodyOf(Number(match[1]))
    end = match.index + match[0].length
  }
  yield html.slice(end)
}

function guard<T>(file: string, step: string, action: () => T): T {
  try {
    return action()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`The template \`${file}\` does not ${step}: ${reason}`, { cause })
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const special = new RegExp(`[&<>"'${hidingUnits}]`)

/** Text for HTML, in elements and in quoted attributes; controls become visible. `undefined` is empty. */
export function escapeText(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  // Most texts hold nothing of either.
  if (!special.test(text)) return text
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
