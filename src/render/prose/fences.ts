/** Fences that a body leaves open would swallow what follows it. */
import type { Code } from 'mdast'
import { linePrefix, rangeOf, type Splice } from './splice.ts'

/** Closes a fenced block that only the end of its text or container ended. */
export function fenceSplices(node: Code, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const { start, end } = range
  const source = value.slice(start, end)
  const fence = /^(?:`{3,}|~{3,})/.exec(source)?.[0]
  if (fence === undefined) return []
  const prefix = linePrefix(value, start)
  if (isClosed(source, fence, prefix)) return []
  const text = source.endsWith('\n') ? `${prefix}${fence}\n` : `\n${prefix}${fence}`
  return [{ start: end, end, text }]
}

function isClosed(source: string, fence: string, prefix: string): boolean {
  const lines = source.split('\n')
  if (lines.length === 1) return false
  const last = lines.at(-1) ?? ''
  const quoted = prefix.includes('>')
  const indent = /^[ \t]*/.exec(last)?.[0].length ?? 0
  if (!quoted && indent > prefix.length + 3) return false
  const marks = (quoted ? last.replace(/^[ \t>]*/, '') : last).trim()
  return marks.length >= fence.length && marks === fence.charAt(0).repeat(marks.length)
}
