/** `codex-export search`: the command and its output. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { quoted } from '../../cli/called-as-fs.ts'
import { type CommandModule, exitCodes } from '../../cli/command.ts'
import { curationOf, personalOf, readSettings, sourcesOf } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import { hasColour, note, type World, widthOf } from '../../cli/world.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { anchorLink, sessionPage } from '../../transcript/urls.ts'
import { cutToWidth, partAround, textWidth } from '../../util/columns.ts'
import { sumBy } from '../../util/groups.ts'
import { printable, printableJson } from '../../util/printable.ts'
import { beginningOf } from '../../util/text.ts'
import { formatAmount, formatCount, formatInstant } from '../../util/time.ts'
import type { FoundLine, FoundSession, FoundText, FoundTurn } from './match.ts'
import type { Query } from './query.ts'
import type { SearchSum } from './sessions.ts'

/** Searches the sessions and prints turns with hits. */
export const searchCommand: CommandModule = {
  name: 'search',
  usage: 'search <query..>',
  describe: 'Search the sessions themselves, outputs and diffs included; needs no site',
  positionals: {
    query:
      'Words that one turn holds; `"a phrase"`, `-word`, `A OR B`, `kind:output`, `file:PATH`, `is:failed` and others',
  },
  examples: [
    ['search timeout kind:output', 'find turns whose outputs contain the word'],
    [`search 'ECONNREFUSED -redis' --since 30d`, 'leave out turns that also hold another word'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings(invocation)
    const { settings } = call
    const { json, count, open, around = 0, regex, timeZone, out } = settings
    if (json && count) throw new UsageError('`--json` and `--count` cannot be given together.')
    const [{ parseQuery }, { isFiltered, search }] = await Promise.all([import('./query.ts'), import('./search.ts')])
    const query = parseQuery([flags['query']].flat().map(String), { regex })
    const link = linker(out)
    const style = { timeZone, colour: hasColour(world.stdout, world.env), width: widthOf(world.stdout), link }
    let first: string | undefined
    const take = async (found: FoundSession): Promise<void> => {
      first ??= link(found, 0)
      if (json) return world.stdout.write(`${printableJson(JSON.stringify(withLinks(found, link)))}\n`)
      await world.stdout.write(count ? countLine(found, style) : sessionLines(found, style))
    }
    const options = {
      ...{ ...sourcesOf(call), query, redact: settings.redact, personal: personalOf(call) },
      ...{ curation: curationOf(call), around, take },
    }
    const sum = await supervise(world, (host) => search(options, host))
    await printSummary(sum, { query, isFiltered: isFiltered(options), world })
    if (open && sum.turns > 0) await openFirst(first, out, world)
    return sum.turns > 0 && sum.failed === 0 ? exitCodes.fine : exitCodes.findings
  },
}

/**
 * Prints the same words whether or not a session that was left out holds what was asked for, so that nobody can learn
 * that from them.
 */
async function printSummary(
  sum: SearchSum,
  { query, isFiltered, world }: { query: Query; isFiltered: boolean; world: World },
): Promise<void> {
  const { sessions, turns, failed, places } = sum
  const unread = failed === 0 ? '' : '; not everything could be read'
  if (turns > 0) {
    const amount = `${formatAmount(turns, 'turn')} in ${formatAmount(sessions, 'session')}`
    const how =
      sum.isPasted === true
        ? '; they hold the text exactly as typed (to leave out a word, put it in quotes: `-"word"`)'
        : ''
    return note(world, `${amount}${how}${unread}${contextAdvice(sum, query, world)}\n`)
  }
  const searched = `everything that is kept of the sessions in ${places.join(', ')}`
  const selected = isFiltered ? ' that pass the filters' : ''
  await note(world, `Nothing was found${unread}. Searched ${searched}${selected}.\n`)
}

/** Advice on excluding what Codex itself tells the model, if most of the turns were found only by that. */
function contextAdvice({ turns, contextTurns }: SearchSum, { asked, kinds }: Query, { args }: World): string {
  const isAsked = kinds?.size === 1 && kinds.has('context')
  if (isAsked || asked.regex || contextTurns * 2 <= turns) return ''
  const end = args.includes('--') ? '-kind:context' : '-- -kind:context'
  const which = contextTurns === turns ? 'all' : `${formatCount(contextTurns)} of them`
  return `; ${which} only in context that Codex added: put \`${end}\` at the end to leave it out`
}

/** The address of the first hit of a turn, given by its index; `undefined` if there is no site or it lacks the session. */
type Link = (found: FoundSession, turn: number) => string | undefined

function linker(out: string): Link {
  return ({ id, pages, turns }, turn) => {
    const [first] = turns[turn]?.texts ?? []
    if (first === undefined || !existsSync(join(out, sessionPage(id)))) return undefined
    const [path = '', anchor = ''] = anchorLink(id, { page: first.page, anchor: first.id, pages }).split('#')
    return `${pathToFileURL(join(out, path)).href}#${anchor}`
  }
}

function withLinks(found: FoundSession, link: Link): object {
  const turns = found.turns.map((turn, index) => ({ ...turn, link: link(found, index) }))
  return { ...found, turns }
}

async function openFirst(address: string | undefined, out: string, { stderr }: World): Promise<void> {
  const { lockedAdvice, openInBrowser } = await import('../../cli/browser-fs.ts')
  if (address === undefined)
    throw new UsageError(
      lockedAdvice(out) ??
        `\`--open\` needs a page of what was found in \`${out}\`: run \`codex-export build --out ${quoted(out)}\` first.`,
    )
  if (!(await openInBrowser(address))) await stderr.write(`No browser could be started. Open ${address}\n`)
}

// The hits, as lines for a terminal.

/** How results are shown. */
interface ResultStyle {
  timeZone: string
  colour: boolean
  /** Columns of the terminal; `undefined` if the output is none. */
  width: number | undefined
  link: Link
}

/** At most this many lines of a text are shown; of others only the number. */
const maxLines = 5
/** Columns of a line around its first hit that are shown if the output is no terminal. */
const maxLineLength = 200

const maxTitleLength = 120
/** Columns that a longer title has at least before the time and the project are left out. */
const minTitleWidth = 20

/** The lines of a session: its heading, its turns and their hits. */
function sessionLines(found: FoundSession, style: ResultStyle): string {
  const lines = [heading(found, style)]
  for (const [index, turn] of found.turns.entries()) {
    const address = style.link(found, index)
    lines.push(turnLine(turn, style), ...turn.texts.flatMap((text) => textLines(text, style)))
    if (address !== undefined) lines.push(`    ${faint(address, style)}`)
  }
  return `${lines.join('\n')}\n\n`
}

/** One line for a session, with the number of its turns. */
function countLine(found: FoundSession, style: ResultStyle): string {
  return `${heading(found, style, `${String(found.turns.length).padStart(5)}  `)}\n`
}

/** Id, time, project and title after a prefix. On a narrow terminal, the time and then the project give way to the title. */
function heading({ id, title, project, startedAt }: FoundSession, style: ResultStyle, prefix = ''): string {
  const name = beginningOf(printable(title), maxTitleLength)
  const when = startedAt === undefined ? [] : [formatInstant(startedAt, style.timeZone)]
  const place = printable(project)
  const beforeTitle = [[id, ...when, place], [id, place], [id]].map((parts) => `${prefix}${parts.join('  ')}`)
  const titleWidth = (before: string): number => (style.width ?? Number.POSITIVE_INFINITY) - textWidth(before) - 2
  const before = beforeTitle.find((text) => titleWidth(text) >= Math.min(minTitleWidth, textWidth(name)))
  // The id stays whole, because people copy it.
  const start = before ?? `${prefix}${id}`
  const shown = cutToWidth(name, Math.min(maxTitleLength, titleWidth(start)))
  return shown === '' ? start : `${start}  ${bold(shown, style)}`
}

function turnLine({ number, startedAt, model, texts }: FoundTurn, style: ResultStyle): string {
  const when = startedAt === undefined ? [] : [formatInstant(startedAt, style.timeZone)]
  const name = number === undefined ? 'Before the first turn' : `Turn ${number}`
  const facts = [...when, ...(model === undefined ? [] : [printable(model)]), amountOf(texts)]
  const columns = style.width === undefined ? Number.POSITIVE_INFINITY : style.width - name.length - 4
  return `  ${name}  ${faint(cutToWidth(facts.join('  '), columns), style)}`
}

/** `1 place`, or `6 places, 16 lines` if a text has several lines with hits. Lines around them do not count. */
function amountOf(texts: readonly FoundText[]): string {
  const lines = sumBy(texts, (text) => text.lines.filter(({ hits }) => hits.length > 0).length)
  const places = formatAmount(texts.length, 'place')
  // In a query without words, no line has a hit.
  return lines === texts.length || lines === 0 ? places : `${places}, ${formatAmount(lines, 'line')}`
}

/** Columns of the longest name of a kind. */
const kindWidth = 'commentary'.length

/** The lines of one text; the first one starts with the kind. */
function textLines({ kind, lines }: FoundText, style: ResultStyle): string[] {
  const more = lines.length - maxLines
  const shown = lines.slice(0, maxLines).map((line) => lineText(line, style))
  if (more > 0) shown.push(faint(`and ${formatAmount(more, 'more line', 'more lines')}`, style))
  return shown.map((line, index) => `    ${(index === 0 ? kind : '').padEnd(kindWidth)} ${line}`)
}

/** A line cut to the width, so that its first hit is visible, with its hits highlighted. */
function lineText({ text, hits }: FoundLine, style: ResultStyle): string {
  // The rest is for the kind before the line and an ellipsis at each end.
  const columns = style.width === undefined ? maxLineLength : Math.max(20, style.width - kindWidth - 7)
  const { start, end } = partAround(text, hits[0]?.start ?? 0, columns)
  let [at, line] = [start, start > 0 ? '…' : '']
  for (const hit of hits) {
    const [from, to] = [Math.max(hit.start, at), Math.min(hit.end, end)]
    if (from >= to) continue
    line += printable(text.slice(at, from)) + strong(printable(text.slice(from, to)), style)
    at = to
  }
  return line + printable(text.slice(at, end)) + (end < text.length ? '…' : '')
}

const bold = (text: string, { colour }: ResultStyle): string => (colour ? `\x1b[1m${text}\x1b[22m` : text)
const faint = (text: string, { colour }: ResultStyle): string => (colour ? `\x1b[2m${text}\x1b[22m` : text)
const strong = (text: string, { colour }: ResultStyle): string => (colour ? `\x1b[1;31m${text}\x1b[22;39m` : text)
