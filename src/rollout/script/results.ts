/** Recognises results of tools that a script prints by their form. */

import { parseJson } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { asObject, asString } from '../parse/decode.ts'

/** If Codex has to cut a script's texts, it joins them and says so at the beginning. */
const cutHead = /^(?:[^\n]{1,200}\n)?Total output lines: \d+\n\n/

/** Whether Codex cut a text. */
export function isCut(text: string): boolean {
  return cutHead.test(text)
}

/** A text without Codex's note about its length. */
export function withoutCutHead(text: string): string {
  return text.replace(cutHead, '')
}

/** Whether a text is only what tools return when they have nothing to say. */
export function isBoilerplate(text: string): boolean {
  return ['', '{}', 'Plan updated'].includes(text.trim())
}

const resultHead = /^\s*(?:Exit code: -?\d+\nWall time: |(?:Chunk ID: \S+\n)?Wall time: [\d.]+ seconds?\nProcess )/

/** Whether a text is the whole result of a command. */
export function isResult(text: string): boolean {
  return resultHead.test(text) || execResult(text) !== undefined
}

/** What `exec_command` returns to a script: output, exit code or session number, and how long it took. */
export interface ExecResult {
  output: string
  exitCode?: number
  sessionId?: string
  seconds?: number
}

/** Reads the JSON of such a result. */
export function execResult(text: string): ExecResult | undefined {
  if (!/^\s*\{/.test(text) || !text.includes('"output"')) return undefined
  const object = asObject(parseJson(text))
  const output = asString(object?.['output'])
  if (object === undefined || output === undefined) return undefined
  const [code, session, seconds] = ['exit_code', 'session_id', 'wall_time_seconds'].map((key) => numberIn(object[key]))
  const exitCode = codeIn(code)
  if (exitCode === undefined && session === undefined) return undefined
  return {
    output,
    ...defined({ exitCode }),
    ...(session === undefined || exitCode !== undefined ? {} : { sessionId: String(session) }),
    ...defined({ seconds }),
  }
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e12 ? value : undefined
}

/** A number that can be an exit code, else `undefined`. */
export function codeIn(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && Math.abs(value) < 2 ** 32 ? value : undefined
}
