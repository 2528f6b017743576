/** Sessions as rows of a list. */

import type { SiteField } from '../../config/plugins.ts'
import type { SessionSummary } from '../../transcript/summary.ts'
import { assetPath, dayPage, relativeLink, sessionPage, threadFolder } from '../../transcript/urls.ts'
import { sha256 } from '../../util/hash.ts'
import { defined, oncePer } from '../../util/own.ts'
import { formatAmount, formatDuration, formatInstant } from '../../util/time.ts'
import { dayAnchor, dayOf, dayPieces, dayTitle, timeView } from '../dates.ts'
import { failuresLeft, firstLine, signedLines, statusWord } from '../phrases.ts'
import type { SiteInfo } from '../site-info.ts'
import type { DayView, RowView } from '../views.ts'
import { scriptLanguage, withoutControls } from '../visible-text.ts'
import type { PagesInput, SitePage } from './page-type.ts'

/** UTF-8 bytes of texts in a row, so that 200 rows stay far below the budget in any script. */
const titleBytes = 150
const gistBytes = 110
/** UTF-8 bytes of a project's name, a branch or another short name in a row. */
export const shortNameBytes = 60

/** The page that the list is on, and the zone of its days. */
export interface ListContext {
  path: string
  timeZone: string
  /** All sessions are of one project, which the page names. */
  oneProject?: boolean
  /** Fields of plugins. */
  fields: readonly SiteField[]
}

/** The context of a list on the page at `path`. */
export function listContext(path: string, { timeZone, pluginParts }: SiteInfo): ListContext {
  return { path, timeZone, fields: pluginParts?.fields ?? [] }
}

/** Orders sessions: newest first, those without a start last, equal ones by id. */
export function byStart(a: SessionSummary, b: SessionSummary): number {
  const [from, to] = [a.startedAt ?? '', b.startedAt ?? '']
  if (from !== to) return from < to ? 1 : -1
  return a.threadId < b.threadId ? -1 : 1
}

/** Days of sorted sessions, each with its rows. */
export function dayViews(summaries: readonly SessionSummary[], context: ListContext): DayView[] {
  const days = new Map<string, DayView>()
  for (const summary of summaries) {
    const day = dayOf(summary.startedAt, context.timeZone)
    const view = days.get(day) ?? dayView(day, context.path)
    view.rows.push(rowView(summary, context))
    days.set(day, view)
  }
  return [...days.values()]
}

function dayView(day: string, path: string): DayView {
  const page = dayPage(day)
  const id = dayAnchor(day)
  if (page === path) return { id, heading: ['Sessions'], rows: [] }
  return { id, heading: dayPieces(day), href: relativeLink(path, page), rows: [] }
}

function rowView(summary: SessionSummary, { path, timeZone, oneProject, fields }: ListContext): RowView {
  const { project, added, removed, left, errors, ...texts } = rowTexts(summary)
  return defined({
    href: relativeLink(path, sessionPage(summary.threadId)),
    time: timeView(summary.startedAt, timeZone, 'time'),
    ...texts,
    project: oneProject ? undefined : project,
    fields: shownFields(summary, fields),
    ...signedLines({ added, removed }),
    left: left === 0 ? undefined : failuresLeft(left),
    errors: errors === 0 ? undefined : formatAmount(errors, 'error'),
  })
}

/** Values of one field that a row shows; for the others it shows their number, as the script does. */
const maxShown = 3

/** Values of plugins' fields that the row of a session shows. */
function shownFields(
  { fields = {} }: SessionSummary,
  siteFields: readonly SiteField[],
): { label: string; text: string }[] | undefined {
  const shown = siteFields.filter(({ column }) => column)
  const values = shown.flatMap(({ name, label }) => {
    const all = fields[name] ?? []
    const texts = all.length > maxShown ? [...all.slice(0, maxShown), `+${all.length - maxShown}`] : all
    return texts.map((text) => ({ label, text }))
  })
  return values.length === 0 ? undefined : values
}

/** What a row says, short enough for a list; used by rows that the build writes and by rows that the script makes. */
interface RowTexts {
  title: string
  project: string
  added: number
  removed: number
  left: number
  errors: number
  branch?: string
  person?: string
  tags?: readonly string[]
  gist?: string
  /** BCP 47 tag of title and gist, if their letters show the language. */
  language?: string
  duration?: string
  state?: string
  badge?: string
}

/** The texts of a session's row, cut to their limits; made once for the lists of its day, month, project and the catalog. */
const rowTexts = oncePer((summary: SessionSummary): RowTexts => {
  const { edits, branch, label, star, tags, activeMs = 0 } = summary
  const title = cutBytes(firstLine(summary.title, 200), titleBytes)
  const words = cutBytes(firstLine(summary.subtitle ?? summary.firstPrompt ?? '', 200), gistBytes)
  const gist = words === '' || isRepeated(words, title) ? undefined : words
  return defined({
    title,
    gist,
    language: scriptLanguage(`${title} ${gist ?? ''}`),
    project: cutName(summary.project.name),
    added: edits.added,
    removed: edits.removed,
    left: summary.failuresLeft,
    errors: summary.errors,
    branch: branch === undefined ? undefined : cutName(branch),
    person: label === undefined ? undefined : cutName(label),
    // Only time inside turns counts, because nobody worked between them.
    duration: activeMs > 0 ? formatDuration(activeMs) : undefined,
    state: statusWord(summary.status) || undefined,
    badge: badgeOf(summary),
    tags: star || tags ? [...(star ? ['★'] : []), ...(tags ?? []).map(withoutControls)] : undefined,
  })
})

function badgeOf(summary: SessionSummary): string | undefined {
  if (summary.sourceMissing) return 'source gone'
  if (summary.agent !== undefined) return summary.parentMissing ? `${summary.agent}, parent missing` : summary.agent
  return summary.archived ? 'archived' : undefined
}

/** Whether a gist repeats the title, which is often the prompt itself. */
function isRepeated(gist: string, title: string): boolean {
  const [a, b] = [gist, title].map((text) => text.replace(/…$/, '').trim().toLowerCase())
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a))
}

/** A text cut to at most `limit` UTF-8 bytes, between code points, plus an ellipsis. */
export function cutBytes(text: string, limit: number): string {
  let bytes = 0
  let length = 0
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0)
    if (bytes > limit) return `${text.slice(0, length).trimEnd()}…`
    length += character.length
  }
  return text
}

/** A name or a path within so many UTF-8 bytes, else cut in the middle, because long names often differ at their ends. */
export function cutName(text: string, limit: number = shortNameBytes): string {
  if (cutBytes(text, limit) === text) return text
  const half = limit >> 1
  let bytes = 0
  let from = text.length
  for (const character of [...text.slice(-half)].reverse()) {
    bytes += utf8Length(character.codePointAt(0) ?? 0)
    if (bytes > half) break
    from -= character.length
  }
  return `${cutBytes(text, half)}${text.slice(from).trimStart()}`
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

// All sessions of the site as data for the filters of the start page: classic scripts, because those load from a
// folder on disk too, each with the rows of up to 4,000 sessions as columns.

/** Sessions in one part, which keeps it below one megabyte, so that no part takes a reader's machine long. */
const partSize = 4000

/**
 * The parts of the catalog, newest sessions first, from sessions sorted by `byStart`. They are cut starting from the oldest
 * session, so that a full part stays unchanged when sessions are added. A part is named after its content, which need not
 * be made if the name is known from its key.
 */
export function catalogFiles(
  sorted: readonly SessionSummary[],
  { timeZone, pluginParts }: Pick<SiteInfo, 'timeZone' | 'pluginParts'>,
  { keyOf = () => undefined, pathOf = () => undefined }: CatalogKeys = {},
): SitePage[] {
  const files: SitePage[] = []
  const newest = sorted.length % partSize
  for (let from = 0, to = newest || partSize; from < sorted.length; from = to, to += partSize) {
    const part = sorted.slice(from, to)
    const key = keyOf(part, 'catalog')
    let made: string | undefined
    const content = (): string => {
      made ??= catalogScript(part, timeZone, pluginParts?.fields ?? [])
      return made
    }
    const keptPath = key === undefined ? undefined : pathOf(key)
    files.push({ path: keptPath ?? assetPath(`catalog.${sha256(content()).slice(0, 10)}.js`), key, content })
  }
  return files
}

/** How parts of the catalog made by the previous build are found. */
interface CatalogKeys extends Partial<Pick<PagesInput, 'keyOf'>> {
  /** Path of the file that the previous build made under a key. */
  pathOf?: (key: string) => string | undefined
}

/** Name of a plugin's field in addresses and in the catalog; none of our own filters starts with `x-`. */
export function fieldName(name: string): string {
  return `x-${name}`
}

/**
 * Whether something went wrong in a session: a command, the model's service, or the session itself. What was fixed later
 * counts too, because a search must not hide hits.
 */
function hasTrouble({ commands, errors, status }: SessionSummary): boolean {
  return commands.failed > 0 || errors > 0 || status === 'failed'
}

function catalogScript(
  summaries: readonly SessionSummary[],
  timeZone: string,
  siteFields: readonly SiteField[],
): string {
  const words = new Words()
  const rows = summaries.map((summary) => ({
    summary,
    texts: rowTexts(summary),
    day: dayOf(summary.startedAt, timeZone),
  }))
  type Row = (typeof rows)[number]
  const texts = (of: (row: Row) => string) => rows.map((row) => withoutControls(of(row)))
  const coded = (of: (row: Row) => string | undefined) => rows.map((row) => words.index(withoutControls(of(row) ?? '')))
  const numbers = (of: (row: Row) => number) => rows.map(of)
  const columns = {
    id: texts(({ summary }) => threadFolder(summary.threadId)),
    title: texts((row) => row.texts.title),
    gist: texts((row) => row.texts.gist ?? ''),
    project: coded(({ summary }) => summary.project.slug),
    lang: coded((row) => row.texts.language),
    name: coded((row) => row.texts.project),
    branch: coded((row) => row.texts.branch),
    person: coded((row) => row.texts.person),
    models: coded(({ summary }) => summary.models.join('\n')),
    day: coded(({ day }) => day),
    heading: coded(({ day }) => dayTitle(day)),
    time: coded(({ summary: { startedAt } }) => startedAt && formatInstant(startedAt, timeZone, 'time')),
    duration: coded((row) => row.texts.duration),
    status: coded(({ summary }) => summary.status),
    state: coded((row) => row.texts.state),
    badge: coded((row) => row.texts.badge),
    tags: coded((row) => row.texts.tags?.join('\n')),
    at: numbers(({ summary: { startedAt } }) => Date.parse(startedAt ?? '') || 0),
    active: numbers(({ summary: { activeMs = 0 } }) => activeMs),
    tokens: numbers(({ summary: { usage } }) => usage?.total ?? 0),
    added: numbers((row) => row.texts.added),
    removed: numbers((row) => row.texts.removed),
    left: numbers((row) => row.texts.left),
    errors: numbers((row) => row.texts.errors),
    trouble: numbers(({ summary }) => Number(hasTrouble(summary))),
    edits: numbers(({ summary }) => Number(summary.edits.files > 0)),
  }
  const fields = siteFields.map(({ name, label, column }) => ({
    ...{ name: fieldName(name), label, column },
    values: coded(({ summary }) => summary.fields?.[name]?.join('\n')),
  }))
  const all = { words: words.list, ...columns, ...(fields.length > 0 && { fields }) }
  return `;(self.codexCatalog??=[]).push(${JSON.stringify(all)})\n`
}

/** A list of repeating texts, each stored once; the empty text is the first. */
class Words {
  readonly list: string[] = ['']
  readonly #indexes = new Map([['', 0]])

  /** Index of a text in the list, to which it is added if it is new. */
  index(text: string): number {
    const existing = this.#indexes.get(text)
    if (existing !== undefined) return existing
    this.#indexes.set(text, this.list.length)
    return this.list.push(text) - 1
  }
}
