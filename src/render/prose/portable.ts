/** Bodies of messages as portable Markdown: verbatim but for the least that must change. */
import { stripControls } from '../../util/ansi-strip.ts'
import { type CollectOptions, collectSplices, hardBreak, htmlLevels } from './collect.ts'
import { disarm, hasActiveMarks } from './disarm.ts'
import { type Engine, parseMarkdown } from './engine.ts'
import { isProse } from './prose.ts'
import { applySplices } from './splice.ts'
import { isPortable, isSameQuoted, isSuspicious } from './verify.ts'

/** How a body is made portable. */
export interface BodyOptions {
  /** Id of the item that holds the body. */
  id: string
  engine: Engine
  /** Line breaks are kept, as a prompt needs it (default: false). */
  breaks?: boolean
  /** The body will stand in a blockquote (default: false). */
  quoted?: boolean
}

/** To expressions of JavaScript, and so to some parsers, these end a line. */
const separators = /[\u2028\u2029]/g
/** What could need a change: HTML, heading, fence, link, an underline. A body without any is taken as it is. */
const special = /[<#`~[\t]|[=-][ \t]*$/m
/** A tag in indented code right behind the mark of a list: some of these are a pasted diff and no list of blocks of code. */
const pastedLine = /^[ >]*[-*+](?: {5}|\t).*<[a-z/!?]/gim
const maxPastedLines = 2

/**
 * The Markdown of a body, without blank lines around it, or `undefined` when the body is no prose or cannot be
 * made safe: it must then be fenced. The result holds no HTML and no heading above level 4, leaves nothing open,
 * loads nothing, and its labels carry the item's id; each of this is proved by parsing the result.
 */
export function portableBody(value: string, options: BodyOptions): string | undefined {
  const body = stripControls(value)
    .replace(separators, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (!isProse(body) || (body.match(pastedLine)?.length ?? 0) > maxPastedLines) return undefined
  const { id, engine, breaks = false, quoted = false } = options
  if (!special.test(body) && !(breaks && body.includes('\n')) && !hasActiveMarks(body)) return body
  const result = spliced(body, { id, breaks }, engine)
  return result === undefined || (quoted && !isSameQuoted(result, engine)) ? undefined : result
}

function spliced(body: string, options: Omit<CollectOptions, 'html'>, engine: Engine): string | undefined {
  const root = parseMarkdown(body, engine)
  if (root.data?.unparsed) return undefined
  for (const html of htmlLevels) {
    const splices = collectSplices(root, body, { ...options, html })
    const spliced = applySplices(body, splices)
    const result = disarm(spliced)
    if (result === undefined) continue
    // Spaces at the end of a line change nothing else; all other changes are put to the proof.
    const trusted = result === spliced && splices.every(({ text }) => text === hardBreak) && !isSuspicious(body)
    if (trusted || isPortable(result, options.id, engine)) return result
  }
  return undefined
}
