/** Columns of printed tables below a heading that says that they contain users. */

const heading = /(?<![\w-])(?:USER(?:NAME)?|User(?:name)?|OWNER|Owner|LOGIN|Login|AUTHOR|Author)(?![\w-])/g
const maxLine = 400
const maxTables = 100

/** A table: from the end of its headings to the next empty line, with the columns of users. */
export interface Table {
  from: number
  to: number
  columns: [start: number, end: number][]
}

/** The tables of a text that have columns of users. */
export function tablesIn(text: string): readonly Table[] {
  const tables: Table[] = []
  let [start, end, isHeading] = [0, -1, false]
  for (const { 0: word, index } of text.matchAll(heading)) {
    const isNewLine = index > end
    if (isNewLine) {
      // Each line is examined once, however many headings it may have.
      ;[start, end] = [text.lastIndexOf('\n', index) + 1, endOf(text, '\n', index)]
      isHeading = end - start <= maxLine && isHeadings(text.slice(start, end).replace(/^[+-]/, ''))
    }
    if (!isHeading) continue
    if (isNewLine && tables.length === maxTables) break
    if (isNewLine) tables.push({ from: end, to: endOf(text, '\n\n', end), columns: [] })
    tables.at(-1)?.columns.push([index - start, index - start + word.length])
  }
  return tables
}

/** Whether the name from `start` to `end` of a text is in a column of users. */
export function isInTable(text: string, start: number, end: number, tables: readonly Table[]): boolean {
  const table = tables.findLast(({ from, to }) => from < start && end <= to)
  if (table === undefined || !isEdge(text.charAt(start - 1)) || !isEdge(text.charAt(end))) return false
  // No column is further from the beginning of its line.
  const before = text.slice(Math.max(table.from, start - maxLine), start)
  const column = before.length - 1 - before.lastIndexOf('\n')
  if (column === before.length) return false
  return table.columns.some(([first, past]) => column <= past && column + end - start >= first)
}

/** Whether a character may be between two cells. */
const isEdge = (character: string): boolean => /^[\s|│]?$/.test(character)

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end
}

const capitals = /^[A-Z%][A-Z\d%()/_+:#-]*$/
const title = /^[A-Z][\w %()/#-]{0,30}$/

/** Whether a line consists of headings: at least three words in capitals, or at least two columns with a title each. */
function isHeadings(line: string): boolean {
  const words = line.trim().split(/\s+/)
  if (words.length >= 3 && words.every((word) => capitals.test(word))) return true
  const columns = line.trim().split(/\s*[|│]\s*| {2,}|\t/)
  return columns.length >= 2 && columns.every((column) => column === '' || title.test(column))
}
