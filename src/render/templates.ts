/** Templates: eta sources, compiled once and rendered once per page. */

import { Eta, type TemplateFunction } from 'eta/core'
import { ConfigError } from '../diagnostics/errors.ts'
import { sha256 } from '../util/hash.ts'
import { type Content, decoded } from '../util/pieces.ts'
import { hidingUnits, withoutControls } from './visible-text.ts'

/** The compiled templates. */
export interface Templates {
  /** Hash of all sources: differs if any source differs. */
  key: string
  /** Whether a template of that name exists. */
  has: (name: string) => boolean
  /** The whole document that a template, named for example `html/session`, makes of a view. */
  render: <View extends object>(name: string, view: View) => string
  /** Like `render`, in pieces, for a view made around a body; the body's bytes become a string only if a theme may need it. */
  renderAround: <View extends object>(
    name: string,
    view: (body: string) => View,
    body: readonly Uint8Array[],
  ) => Content
}

/** The source of a template and, for messages, where it comes from. */
export interface TemplateSource {
  source: string
  file: string
  /** It is the user's file, not the package's. */
  isTheme?: true
}

/**
 * Compiles templates, named by their paths below `templates/` without `.eta`; one includes another as `@<name>`. Output of
 * `<%= %>` is escaped.
 * @throws ConfigError if a template of a theme does not compile or, later, if one fails on a page.
 */
export function compileTemplates(sources: ReadonlyMap<string, TemplateSource>): Templates {
  const eta = new Eta({ autoEscape: true, cache: true, escapeFunction: escapeText })
  const isThemed = [...sources.values()].some(({ isTheme }) => isTheme)
  for (const [name, { source, file, isTheme }] of sources) {
    // A mistake in a theme is reported before the first page. Our own templates compile on demand, because most runs use few.
    const template = isTheme ? guard(file, 'compile', () => eta.compile(source)) : compiledLate(eta, source)
    eta.loadTemplate(`@${name}`, template)
  }
  const render: Templates['render'] = (name, view) => {
    const { file } = sources.get(name) ?? { file: name }
    const run = (): string => eta.render(`@${name}`, view)
    // Only a theme can be at fault for what its user can mend.
    return isThemed ? guard(file, 'render', run) : run()
  }
  return {
    key: sha256(JSON.stringify([...sources].map(([name, { source }]) => [name, source]))),
    has: (name) => sources.has(name),
    render,
    renderAround(name, view, body) {
      if (isThemed) return render(name, view(body.map(decoded).join('')))
      // Our own templates print the body unchanged, so its bytes can take the place of a mark.
      return [...withBodies(render(name, view(bodyMark(0))), () => body)]
    },
  }
}

/** A template that is compiled when a page first uses it. */
function compiledLate(eta: Eta, source: string): TemplateFunction {
  let template: TemplateFunction | undefined
  return function (this: Eta, data, options) {
    template ??= eta.compile(source)
    return template.call(this, data, options)
  }
}

/** The mark of a body in a document. Text of a transcript cannot imitate it, because its `<` is written as an entity. */
export function bodyMark(index: number): string {
  return `<!--body ${index}-->`
}

/** A document in pieces, with each mark replaced by its body. */
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
    // For a syntax error in the code of a template, eta adds all code that it made of the template, below a line.
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split(/\n=+\n/)
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

/** Text for HTML elements and quoted attributes; controls become visible, `undefined` and `null` become empty. */
export function escapeText(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  // Most texts need neither step.
  if (!special.test(text)) return text
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
