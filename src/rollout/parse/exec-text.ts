/** Reads from the text of a tool output how the call ended (rollout-format 3.8). */

import { jsonOf, parseJson } from '../../util/json.ts'
import { defined, withDefined } from '../../util/own.ts'
import { contentTexts } from './content.ts'
import { asBoolean, asExitCode, asObject, asSeconds, asString, type JsonObject } from './decode.ts'
import type { Outcome } from './facts.ts'

const cutMark = /…\s*\d+ (?:tokens|chars|lines|bytes) truncated\s*…|\[\.\.\. (?:omitted|output truncated)/
const codeHead = /^\s*Exit code: (-?\d+)\nWall time: ([\d.]+) seconds?\n(?:Total output lines: \d+\n)?Output:\n?/
const unifiedHead =
  /^\s*(?:Command: [\s\S]*?\n(?=(?:Chunk ID: \S+\n)?Wall time: [\d.]+ seconds?\nProcess ))?(?:Chunk ID: \S+\n)?Wall time: ([\d.]+) seconds?\n(?:Process exited with code (-?\d+)|Process running with session ID (\d+))\n(?:Warning.*\n)?(?:Original token count: \d+\n)?Output:\n?/
const scriptHead =
  /^\s*Script (completed|failed|running with cell ID (\S+))\s*\nWall time:? ([\d.]+) seconds?\s*(?:\n+Output:\n{0,2}|$)/
const wallHead = /^\s*Wall time: ([\d.]+) seconds?\nOutput:\n?/
const aborted = /^\s*(?:Wall time: ([\d.]+) seconds?\n)?aborted(?: by user(?: after ([\d.]+) ?s(?:econds?)?)?)?\s*$/
const timedOut = /^\s*(?:Error: )?command timed out after (\d+) milliseconds/
const declined =
  /^\s*(?:exec command rejected|patch rejected by user|approval policy is UnlessTrusted; reject command|Rejected\(|exec_command failed[\s\S]{0,8000}?Rejected\(\\?"rejected by user|`[\s\S]{0,8000}?` rejected: )/
const failed =
  /^\s*(?:failed in sandbox|execution error:|exec_command failed|write_stdin failed:|error: |Command blocked by PreToolUse hook:|unable to locate image at|unsupported call:|failed to parse function arguments|apply_patch verification failed|Invalid patch|Failed to |collab spawn failed:)/
const patched = /^Success\. Updated the following files:\n/

/** The last text and its outcome: a page's tree and the record of what the model remembers ask for it in succession. */
let last: { text: string; outcome: Readonly<Outcome> } | undefined

/** Longest text, in UTF-16 units, that is kept: a longer one is read only for the tree, and would stay in memory. */
const maxKeptLength = 200_000

/** Reads an output's text by the first shape that matches. Total. */
export function readOutcome(text: string): Readonly<Outcome> {
  if (last?.text === text) return last.outcome
  const outcome = outcomeOf(text)
  last = text.length > maxKeptLength ? undefined : { text, outcome }
  return outcome
}

function outcomeOf(text: string): Outcome {
  const { rest, durationMs } = withoutWallTimes(text)
  // After "Output:" the word `aborted` is what a tool printed.
  const stopped = rest === text ? abortedShape(text) : undefined
  const outcome =
    stopped ??
    jsonShape(rest) ??
    codeShape(rest) ??
    unifiedShape(rest) ??
    scriptShape(rest) ??
    stateShape(rest) ??
    otherShape(rest)
  return { ...defined({ durationMs }), ...outcome }
}

/** Shape 5: wall times before a text that has a shape of its own. A loop, because a tool may print any number of them. */
function withoutWallTimes(text: string): { rest: string; durationMs: number | undefined } {
  let rest = text
  let durationMs: number | undefined
  for (let match = wallHead.exec(rest); match !== null; match = wallHead.exec(rest)) {
    durationMs = asSeconds(match[1]) ?? durationMs
    rest = rest.slice(match[0].length)
  }
  return { rest, durationMs }
}

/** Shape 10. */
function otherShape(text: string): Outcome {
  return { status: 'unknown', truncated: hasCutMark(text), body: text }
}

/** The status of what ended with a code. A code that is out of bounds, and thus absent, does not mean success. */
export function statusByCode(exitCode: number | undefined): 'completed' | 'failed' {
  return exitCode === 0 ? 'completed' : 'failed'
}

/** Shapes 1, 8 and 9: JSON objects and MCP block lists. */
function jsonShape(text: string): Outcome | undefined {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  const value = parseJson(text)
  if (Array.isArray(value)) return blocks(value, undefined)
  const object = asObject(value)
  if (object === undefined) return undefined
  const output = asString(object['output'])
  const exitCode = asExitCode(asObject(object['metadata'])?.['exit_code'])
  if (output !== undefined && exitCode !== undefined) {
    return {
      exitCode,
      ...defined({ durationMs: asSeconds(asObject(object['metadata'])?.['duration_seconds']) }),
      status: statusByCode(exitCode),
      truncated: hasCutMark(output),
      body: output,
    }
  }
  const content = asString(object['content'])
  if (content !== undefined && Object.keys(object).length <= 2) {
    const success = asBoolean(object['success'])
    return { status: statusOf(success), truncated: hasCutMark(content), body: content }
  }
  if (!Array.isArray(object['content'])) return undefined
  const found = blocks(object['content'], asBoolean(object['isError']))
  const { content: _, isError: _error, ...more } = object
  // If the result contains more than its blocks, all of it is shown.
  return found === undefined || Object.keys(more).length === 0 || repeats(more, found.body)
    ? found
    : { ...found, truncated: hasCutMark(text), body: text }
}

function statusOf(success: boolean | undefined): Outcome['status'] {
  if (success === undefined) return 'unknown'
  return success ? 'completed' : 'failed'
}

function blocks(list: unknown[], isError: boolean | undefined): Outcome | undefined {
  const texts = list.map((block) => asString(asObject(block)?.['text']))
  if (list.length === 0 || texts.some((text) => text === undefined)) return undefined
  const body = texts.join('\n')
  return {
    status: isError === undefined ? 'unknown' : statusOf(!isError),
    truncated: hasCutMark(body),
    body,
  }
}

/** Whether everything that a result contains besides its blocks repeats what they say, as JSON. */
function repeats({ structuredContent, ...others }: JsonObject, body: string): boolean {
  const json = jsonOf(structuredContent)
  return json !== undefined && Object.keys(others).length === 0 && jsonOf(parseJson(body)) === json
}

/** Shape 2. */
function codeShape(text: string): Outcome | undefined {
  const match = codeHead.exec(text)
  if (match === null) return undefined
  const exitCode = asExitCode(match[1])
  const body = text.slice(match[0].length)
  const truncated = match[0].includes('Total output lines') || hasCutMark(body)
  const durationMs = asSeconds(match[2])
  return withDefined({ status: statusByCode(exitCode), truncated, body }, { exitCode, durationMs })
}

/** Shape 3. */
function unifiedShape(text: string): Outcome | undefined {
  const match = unifiedHead.exec(text)
  if (match === null) return undefined
  const body = text.slice(match[0].length)
  const truncated = hasCutMark(body) || match[0].includes('Warning')
  const durationMs = asSeconds(match[1])
  if (match[3] !== undefined)
    return withDefined({ status: 'running' as const, truncated, body, processId: match[3] }, { durationMs })
  const exitCode = asExitCode(match[2])
  return withDefined({ status: statusByCode(exitCode), truncated, body }, { exitCode, durationMs })
}

/** Shape 4. */
function scriptShape(text: string): Outcome | undefined {
  const match = scriptHead.exec(text)
  if (match === null) return undefined
  const body = text.slice(match[0].length)
  const base = { ...defined({ durationMs: asSeconds(match[3]) }), truncated: hasCutMark(body), body }
  if (match[2] !== undefined) return { ...base, status: 'running', cellId: match[2] }
  return { ...base, status: match[1] === 'completed' ? 'completed' : 'failed' }
}

/** Shape 6. */
function abortedShape(text: string): Outcome | undefined {
  const stopped = aborted.exec(text)
  if (stopped === null) return undefined
  const durationMs = asSeconds(stopped[1] ?? stopped[2])
  return { ...defined({ durationMs }), status: 'interrupted', truncated: false, body: '' }
}

/** Shapes 7 and 7b: words that state how the call ended. */
function stateShape(text: string): Outcome | undefined {
  if (timedOut.test(text)) return { exitCode: 124, status: 'failed', truncated: false, body: text }
  if (declined.test(text)) return { status: 'declined', truncated: false, body: text }
  if (failed.test(text)) return { status: 'failed', truncated: false, body: text }
  if (patched.test(text)) return { exitCode: 0, status: 'completed', truncated: false, body: text }
  return undefined
}

/**
 * The texts that a code-mode script printed, one by one, without the head that Codex puts before them; `undefined` for
 * any other output.
 */
export function scriptParts(output: unknown): string[] | undefined {
  const texts = typeof output === 'string' ? [output] : contentTexts(output)
  const [first, ...rest] = texts
  const head = first === undefined ? null : scriptHead.exec(first)
  if (first === undefined || head === null) return undefined
  const after = first.slice(head[0].length)
  return after === '' ? rest : [after, ...rest]
}

/** The text of an `output` value of any shape; the caller handles pictures. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return contentTexts(output).join('\n')
  const object = asObject(output)
  if (object === undefined) return output === null || output === undefined ? '' : JSON.stringify(output)
  return asString(object['content']) !== undefined || asString(object['output']) !== undefined
    ? JSON.stringify(object)
    : outputText(object['content'] ?? JSON.stringify(object))
}

/**
 * Whether a text says that Codex left something out. Checks for fixed characters first: that takes a fraction of the
 * pattern's time.
 */
export function hasCutMark(text: string): boolean {
  return (text.includes('…') || text.includes('[... ')) && cutMark.test(text)
}
