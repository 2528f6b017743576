/** Unified diffs as Codex writes them: hunks with numbers, no file header (rollout-format 8.2). */
import { asCount } from './decode.ts'
import { optional } from './kinds/shared.ts'

interface DiffHunk {
  oldStart?: number
  newStart?: number
  header?: string
  value: string
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/

/** Hunks of a diff; text before the first hunk head is ignored, `\ No newline` notes stay. */
export function parseUnifiedDiff(text: string): DiffHunk[] {
  const hunks: { head: DiffHunk; lines: string[] }[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const match = hunkHead.exec(line)
    if (match === null) {
      hunks.at(-1)?.lines.push(line === '' ? ' ' : line)
      continue
    }
    const header = match[3]?.trim() ?? ''
    const head = {
      ...optional('oldStart', asCount(match[1])),
      ...optional('newStart', asCount(match[2])),
      value: '',
    }
    hunks.push({ head: header === '' ? head : { ...head, header }, lines: [] })
  }
  return hunks.map(({ head, lines }) => ({ ...head, value: lines.join('\n') }))
}
