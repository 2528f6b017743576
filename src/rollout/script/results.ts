/** Results of tools as a script may print them: their form tells what they are. */

import { parseJson } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { asObject, asString } from '../parse/decode.ts'

/** Codex joins the texts of a script where it has to cut them, and tells so in front of them. */
const cutHead = /^(?:[^\n]{1,200}\n)?Total output lines: \d+\n\n/

/** Whether Codex cut a text. */
export function isCut(text: string): boolean {
  return cutHead.test(text)
}

/** A text without the words of Codex about how long it was. */
export function withoutCutHead(text: string): string {
  return text.replace(cutHead, '')
}

/** Whether a text is only what tools say that have nothing to tell. */
export function isBoilerplate(text: string): boolean {
  return ['', '{}', 'Plan updated'].includes(text.trim())
}

const resultHead = /^\s*(?:Exit code: -?\d+\nWall time: |(?:Chunk ID: \S+\n)?Wall time: [\d.]+ seconds?\nProcess )/

/** Whether a text is the whole result of a command. */
export function isResult(text: string): boolean {
  return resultHead.test(text) || execResult(text) !== undefined
}

/** What `exec_command` gives to a script: output, exit code or the number of its session, and how long it took. */
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

/** An exit code as systems know them. */
export function codeIn(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && Math.abs(value) < 2 ** 32 ? value : undefined
}
