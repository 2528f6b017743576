/** Keys by which records and errors name the calls of a code-mode script, to find the call to which they belong. */

import { scriptCall } from '../rollout/parse/call.ts'
import { readOutcome } from '../rollout/parse/exec-text.ts'
import type { CallFact, ChangeFact, Outcome, ResultFact } from '../rollout/parse/facts.ts'
import { readScript } from '../rollout/script/read-script-fs.ts'
import { plainOf } from '../rollout/script/value.ts'
import { baseName } from '../util/paths.ts'

/** A call of a script, with what is known about its end. */
interface EndedCall {
  fact: CallFact
  outcome: Outcome | undefined
}

// Names of calls.

/** The words by which records name a call: its command, tool, picture or the files of its patch; empty for others. */
export function wordsOf({ action, tool }: CallFact): string {
  if (action.type === 'tool') return tool
  if (action.type === 'patch') return filesOf(action.changes ?? [])
  return action.type === 'command' || action.type === 'viewImage' ? wordsIn(action) : ''
}

/** The same for what Codex recorded about a call. */
export function recordedWords(result: ResultFact['result'] | undefined): string {
  if (result?.type === 'tool') return result.tool
  if (result?.type === 'patch') return filesOf(result.changes)
  return result?.type === 'command' || result?.type === 'viewImage' ? wordsIn(result) : ''
}

function wordsIn(value: { type: 'command'; script: string } | { type: 'viewImage'; path: string }): string {
  return value.type === 'command' ? value.script : value.path
}

/** Names of files without their folders, because scripts contain relative paths and records absolute ones. */
function filesOf(changes: readonly ChangeFact[]): string {
  return changes
    .map(({ path }) => baseName(path))
    .toSorted()
    .join('/')
}

/** Whether a record of a call's kind may belong to it although the script does not determine all of its words. */
export function isLike(fact: CallFact, words: string): boolean {
  if (fact.action.type !== 'command') return true
  const own = wordsOf(fact)
  const at = own.indexOf('${')
  return at >= 0 && words.startsWith(own.slice(0, at))
}

/** The calls of a script in order, each as its kind and words: keys by which late records find their script. */
export function callKeys(code: string): string[] {
  return readScript(code).calls.map(({ tool, args }) => {
    const fact = scriptCall(tool, plainOf(args[0]).value)
    return `${fact.action.type} ${wordsOf(fact)}`
  })
}

/** The key of a record; `undefined` if its words say nothing. */
export function recordKey(result: ResultFact['result']): string | undefined {
  const words = recordedWords(result)
  return words === '' ? undefined : `${result.type} ${words}`
}

// Errors.

/**
 * The only call to which a tool's error can belong: if exactly one call of its kind has no known end, that one, else the
 * one that the error names.
 */
export function failingCall<Item extends EndedCall>(made: readonly Item[], error: string): Item | undefined {
  const { status, exitCode } = readOutcome(error)
  const isOfTool = exitCode !== undefined || status === 'failed' || status === 'declined'
  if (!isOfTool) return undefined
  const kind = kindOfError(error)
  const open = made.filter(
    ({ fact, outcome }) => outcome === undefined && (kind === undefined || fact.action.type === kind),
  )
  return open.length === 1 ? open[0] : namedCall(open, error)
}

function kindOfError(error: string): CallFact['action']['type'] | undefined {
  if (/^apply_patch verification failed|^patch rejected/.test(error)) return 'patch'
  if (/^unable to locate image/.test(error)) return 'viewImage'
  return /^\s*Exit code: |^exec_command failed|^exec command rejected/.test(error) ? 'command' : undefined
}

/** An error as the end of a call. */
export function errorOutcome(error: string): Outcome {
  const outcome = readOutcome(error)
  return outcome.status === 'unknown' || outcome.status === 'completed' ? { ...outcome, status: 'failed' } : outcome
}

/** The call whose command, file or tool an error quotes; if one command contains another, the longest. */
function namedCall<Item extends EndedCall>(open: readonly Item[], error: string): Item | undefined {
  // The output of a command may name anything.
  if (/^\s*Exit code: /.test(error)) return undefined
  const text = unquoted(error)
  const named = open.flatMap((item) => {
    const lengths = namesOf(item.fact)
      .map(unquoted)
      .flatMap((name) => (isQuoted(name, text) ? name.length : []))
    return lengths.length === 0 ? [] : [{ item, length: Math.max(...lengths) }]
  })
  const [first, second] = named.sort((one, other) => other.length - one.length)
  return first === undefined || first.length === second?.length ? undefined : first.item
}

function namesOf(fact: CallFact): string[] {
  return fact.action.type === 'patch' ? (fact.action.changes?.map(({ path }) => path) ?? []) : [wordsOf(fact)]
}

/** A text without quotes and escapes: shells quote what they are given, and escape Windows paths. */
function unquoted(text: string): string {
  return text.replace(/[\s"'`\\]+/g, ' ').trim()
}

/** Whether a text contains a name that is not part of a longer one. */
function isQuoted(name: string, text: string): boolean {
  if (name === '') return false
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    const isInsideWord = /^\w/.test(name) && /[\w.-]/.test(text.charAt(at - 1))
    const continues = /\w$/.test(name) && /^(?:[\w-]|\.\w)/.test(text.slice(end, end + 2))
    if (!isInsideWord && !continues) return true
  }
  return false
}
