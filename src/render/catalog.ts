/**
 * All sessions of the site as data for the filters of the start page: classic scripts, because those load from a
 * folder on disk too, each with the rows of up to 4,000 sessions as columns.
 */
import type { OutputFile } from '../model/output.ts'
import type { SessionSummary } from '../model/summary.ts'
import { assetPath, threadFolder } from '../model/urls.ts'
import { sha256 } from '../util/hash.ts'
import { formatInstant } from '../util/time.ts'
import { dayOf, dayTitle } from './dates.ts'
import { withoutControls } from './literal.ts'
import { rowTexts } from './rows.ts'

/** Sessions in one part: below one megabyte, so that no part takes a reader's machine long. */
const partSize = 4000

/**
 * The parts of the catalog, newest sessions first, from sessions sorted by `byStart`. They are cut from the oldest
 * session on: a full part stays as it is when sessions are added.
 */
export function catalogFiles(sorted: readonly SessionSummary[], timeZone: string): OutputFile[] {
  const files: OutputFile[] = []
  const newest = sorted.length % partSize
  for (let from = 0, to = newest || partSize; from < sorted.length; from = to, to += partSize) {
    const content = catalogScript(sorted.slice(from, to), timeZone)
    files.push({ path: assetPath(`catalog.${sha256(content).slice(0, 10)}.js`), content })
  }
  return files
}

/** Whether something went wrong in a session: a command, the model's service, or the session itself. */
function hasTrouble({ commands, errors, status }: SessionSummary): boolean {
  return commands.failed > 0 || errors > 0 || status === 'failed'
}

function catalogScript(summaries: readonly SessionSummary[], timeZone: string): string {
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
    name: coded((row) => row.texts.project),
    branch: coded((row) => row.texts.branch),
    models: coded(({ summary }) => summary.models.join('\n')),
    day: coded(({ day }) => day),
    heading: coded(({ day }) => dayTitle(day)),
    time: coded(({ summary: { startedAt } }) => startedAt && formatInstant(startedAt, timeZone, 'time')),
    duration: coded((row) => row.texts.duration),
    status: coded(({ summary }) => summary.status),
    state: coded((row) => row.texts.state),
    badge: coded((row) => row.texts.badge),
    at: numbers(({ summary: { startedAt } }) => Date.parse(startedAt ?? '') || 0),
    added: numbers((row) => row.texts.added),
    removed: numbers((row) => row.texts.removed),
    failed: numbers((row) => row.texts.failed),
    errors: numbers((row) => row.texts.errors),
    trouble: numbers(({ summary }) => Number(hasTrouble(summary))),
    edits: numbers(({ summary }) => Number(summary.edits.files > 0)),
  }
  return `;(self.codexCatalog??=[]).push(${JSON.stringify({ words: words.list, ...columns })})\n`
}

/** Texts that repeat, each stored once; the empty text is the first. */
class Words {
  readonly list: string[] = ['']
  readonly #indexes = new Map([['', 0]])

  /** Place of a text in the list. */
  index(text: string): number {
    const known = this.#indexes.get(text)
    if (known !== undefined) return known
    this.#indexes.set(text, this.list.length)
    return this.list.push(text) - 1
  }
}
