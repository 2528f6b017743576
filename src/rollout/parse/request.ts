/** Requests in prompts that a program wrote around them (rollout-format 5.4, rules 4 and 7): IDE clients, approval reviews. */

import { parseJson } from '../../util/json.ts'
import { asArray, asObject, asString } from './decode.ts'
import { scriptOf } from './shell.ts'

const ideMarker = /^## My request for Codex:[ \t]*$/m
const ideHeadings =
  /^\s*(?:# Context from my IDE setup:|# Files mentioned by the user:|## Prior conversation with Codex:|# Review findings:|## Code review guidelines:|## Referenced ChatGPT conversation:|## My request for Codex:)/

/** Splits a typed text; `preamble + request` equals the whole. The preamble is empty without a marker. */
export function splitIdePreamble(text: string): { preamble: string; request: string } {
  const match = ideHeadings.test(text) ? ideMarker.exec(text) : null
  if (match === null) return { preamble: '', request: text }
  const end = match.index + match[0].length
  const gap = /^\r?\n+/.exec(text.slice(end))?.[0].length ?? 0
  return { preamble: text.slice(0, end + gap), request: text.slice(end + gap) }
}

/** What a reviewer is asked to allow. */
export interface ApprovalRequest {
  /** The command that is to run, else the tool and the files or the place it is for. */
  action: string
  /** The patch that is to be applied. */
  patch?: string
  /** The other fields of the request as JSON. */
  rest?: string
}

const approvalStart = '\n>>> APPROVAL REQUEST START\n'
const approvalEnd = /\n>>> APPROVAL REQUEST END\s*$/

/** The request that a prompt of an approval review ends with, behind the transcript that is reviewed. */
export function approvalRequest(text: string): ApprovalRequest | undefined {
  const start = text.lastIndexOf(approvalStart)
  const end = start === -1 ? -1 : text.search(approvalEnd)
  const json = text.slice(start + approvalStart.length - 1, Math.max(end, 0))
  const fields = end > start ? asObject(parseJson(json.slice(json.indexOf('\n{')))) : undefined
  const tool = asString(fields?.['tool'])
  if (fields === undefined || tool === undefined) return undefined
  const { command, patch, files, tool: _, ...rest } = fields
  const argv = asArray(command).flatMap((word) => asString(word) ?? [])
  const script = asString(command) ?? (argv.length === 0 ? undefined : scriptOf(argv))
  const places = asArray(files).flatMap((file) => asString(file) ?? [])
  const diff = asString(patch)
  return {
    action: script ?? [tool, ...places].join(' '),
    ...(diff === undefined ? {} : { patch: diff }),
    ...(Object.keys(rest).length === 0 ? {} : { rest: JSON.stringify(rest) }),
  }
}

/** The text that titles, outlines and search snippets use. */
export function requestText(text: string): string {
  return (approvalRequest(text)?.action ?? splitIdePreamble(text).request).trim()
}
