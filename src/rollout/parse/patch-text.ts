/** Parses patches: the `*** Begin Patch` grammar (rollout-format 8.1) and structured changes (8.2). */

import { defined } from '../../util/own.ts'
import { asCount, asObject, asString } from './decode.ts'
import type { ChangeFact } from './facts.ts'

const begin = /^[ \t]*\*\*\* Begin Patch[ \t\r]*$/m
const fileHead = /^\s*\*\*\* (Add|Delete|Update) File: (.*\S)\s*$/
const moveLine = /^\s*\*\*\* Move to: (.*\S)\s*$/
const endOfFile = /^\*\*\* End of File\s*$/
const endOfPatch = /^\s*\*\*\* End Patch\s*$/
const environment = /^\s*\*\*\* Environment ID:/

const operations: Readonly<Record<string, 'add' | 'delete' | 'update'>> = {
  Add: 'add',
  Delete: 'delete',
  Update: 'update',
}

interface OpenChange {
  change: ChangeFact
  hunk: string[] | undefined
}

/**
 * The part of a text from its begin marker to its last end marker (or to its end); `undefined` if there is no begin
 * marker.
 */
export function findPatch(text: string): string | undefined {
  const start = begin.exec(text)?.index
  if (start === undefined) return undefined
  const end = [...text.slice(start).matchAll(/^[ \t]*\*\*\* End Patch[ \t\r]*$/gm)].at(-1)
  return end === undefined ? text.slice(start) : text.slice(start, start + end.index + end[0].length)
}

/** The files of a patch text, or `undefined` if the text breaks the grammar. Hunks have no line numbers. */
export function parsePatch(text: string): ChangeFact[] | undefined {
  const lines = text.trim().split(/\r?\n/)
  const end = lines.findLastIndex((line) => endOfPatch.test(line))
  if (end < 0 || !/^\s*\*\*\* Begin Patch\s*$/.test(lines[0] ?? '')) return undefined
  const changes: ChangeFact[] = []
  let open: OpenChange | undefined
  for (const line of lines.slice(1, end)) {
    const next = openedBy(line, open)
    const sound = next === undefined ? pushLine(open, line) : closeChange(open, changes)
    if (!sound) return undefined
    open = next ?? open
  }
  return closeChange(open, changes) ? changes : undefined
}

/** The file whose section this line begins, if it begins one. */
function openedBy(line: string, open: OpenChange | undefined): OpenChange | undefined {
  const head = isKept(open, line) ? null : fileHead.exec(line)
  return head === null ? undefined : openChange(head[1] ?? '', head[2] ?? '')
}

/**
 * Whether a line is an unchanged line of an updated file, even if it looks like a marker: patches may edit texts about
 * patches.
 */
function isKept(open: OpenChange | undefined, line: string): boolean {
  return (
    line.startsWith(' ') && open !== undefined && open.change.operation !== 'add' && open.change.operation !== 'delete'
  )
}

function openChange(word: string, path: string): OpenChange {
  const operation = operations[word] ?? 'update'
  return { change: { path, operation, hunks: [] }, hunk: operation === 'add' ? [] : undefined }
}

function closeChange(open: OpenChange | undefined, changes: ChangeFact[]): boolean {
  if (open === undefined) return changes.length === 0
  closeHunk(open)
  changes.push(open.change)
  const { operation, hunks } = open.change
  return operation !== 'update' || hunks.length > 0
}

function closeHunk(open: OpenChange): void {
  if (open.hunk === undefined || open.hunk.length === 0) return
  const last = open.change.hunks.at(-1)
  const value = open.hunk.join('\n')
  if (last !== undefined && last.value === '') last.value = value
  else open.change.hunks.push({ value })
  open.hunk = undefined
}

/** Adds one line to a file's section; `false` if the grammar forbids it. */
function pushLine(open: OpenChange | undefined, line: string): boolean {
  if (open === undefined) return line.trim() === '' || environment.test(line)
  const { change } = open
  if (change.operation === 'add') {
    if (!line.startsWith('+')) return line.trim() === ''
    open.hunk?.push(line)
    return true
  }
  if (change.operation === 'delete') return line.trim() === ''
  return pushUpdateLine(open, line)
}

function pushUpdateLine(open: OpenChange, line: string): boolean {
  const { change } = open
  const move = moveLine.exec(line)
  if (move !== null && open.hunk === undefined && change.hunks.length === 0) {
    change.operation = 'move'
    change.movedTo = move[1] ?? ''
    return true
  }
  if (endOfFile.test(line)) return true
  if (line.startsWith('@@')) {
    closeHunk(open)
    const header = line.slice(2).trim()
    change.hunks.push({ value: '', ...(header === '' ? {} : { header }) })
    open.hunk = []
    return true
  }
  if (line === '') {
    open.hunk?.push(' ')
    return true
  }
  if (!/^[ +-]/.test(line)) return false
  open.hunk ??= []
  open.hunk.push(line)
  return true
}

/** The files of a `changes` map from any build, sorted by path (rollout-format 8.2). */
export function structuredChanges(value: unknown): ChangeFact[] {
  const map = asObject(value)
  if (map === undefined) return []
  return Object.keys(map)
    .sort()
    .map((path) => structuredChange(path, asObject(map[path]) ?? {}))
}

function structuredChange(path: string, value: Record<string, unknown>): ChangeFact {
  const tag = asString(value['type']) ?? ['add', 'delete', 'update'].find((name) => name in value) ?? 'update'
  const body = asString(value['type']) === undefined ? (asObject(value[tag]) ?? {}) : value
  if (tag === 'add' || tag === 'delete') {
    return { path, operation: tag, hunks: wholeFile(asString(body['content']) ?? '', tag === 'add' ? '+' : '-') }
  }
  const movedTo = asString(body['move_path'])
  const hunks = parseUnifiedDiff(asString(body['unified_diff']) ?? '')
  return movedTo === undefined ? { path, operation: 'update', hunks } : { path, operation: 'move', movedTo, hunks }
}

function wholeFile(content: string, sign: '+' | '-'): ChangeFact['hunks'] {
  if (content === '') return []
  const lines = content.replace(/\r?\n$/, '').split('\n')
  const start = sign === '+' ? { oldStart: 0, newStart: 1 } : { oldStart: 1, newStart: 0 }
  return [{ ...start, value: lines.map((line) => sign + line).join('\n') }]
}

// Unified diffs as Codex writes them: hunks with line numbers, no file header (rollout-format 8.2).

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/

/** The hunks of a diff; text before the first hunk header is ignored, `\ No newline` notes are kept. */
function parseUnifiedDiff(text: string): ChangeFact['hunks'] {
  const hunks: { head: ChangeFact['hunks'][number]; lines: string[] }[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const match = hunkHead.exec(line)
    if (match === null) {
      hunks.at(-1)?.lines.push(line === '' ? ' ' : line)
      continue
    }
    const header = match[3]?.trim() || undefined
    const starts = { oldStart: asCount(match[1]), newStart: asCount(match[2]) }
    hunks.push({ head: { ...defined(starts), value: '', ...defined({ header }) }, lines: [] })
  }
  return hunks.map(({ head, lines }) => ({ ...head, value: lines.join('\n') }))
}
