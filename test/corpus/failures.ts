/**
 * What failed in genuine threads, compared with a second, simpler count over their raw lines: a command failed if its exit
 * code is not 0, unless its last program is one that answers "no" by that code. Names of programs are no pieces of source
 * code, and nothing is shown twice.
 */
import { expect } from 'vitest'
import { programOf } from '../../src/rollout/shell/program.ts'
import type { Command, Message, Search, Session, ToolCall } from '../../src/transcript/trast.ts'
import type { GenuineHome } from '../helpers/genuine-home.ts'
import { all, textOf } from '../helpers/slice.ts'

/** Programs that answer "no" with exit code 1, according to their manuals. */
const asking =
  /(?:^|[\s;&|(/\\'"])(?:rg|[efz]?grep|ag|ack|findstr|which|where|pgrep|pkill|diff|cmp|test|\[|kill -0|lsof|command -v|type|git (?:.*\s)?(?:diff|grep|check-ignore|merge-base|config|rev-parse|show-ref)|Get-\w+|Select-String|Test-Path|gcm|sls)(?:\.exe)?\s/i

/** Names that are pieces of source code: variables, quotes, brackets, operators, addresses. */
const source = /["'`$(){}<>|;&=\n]|:\/\/|^\d+(?:\.\d+){3}|^-/

/** Prompts of one turn with the same words, one after the other. */
function doubledPrompts(session: Session): string[] {
  return all(session, 'turn').flatMap(({ children }) => {
    const prompts = children.filter((child): child is Message => child.type === 'message' && child.origin === 'typed')
    const keys = prompts.map((prompt) => textOf(prompt).replace(/\s+/g, ''))
    return prompts.filter((_, index) => keys[index] !== '' && keys[index] === keys[index - 1]).map(({ id }) => id)
  })
}

/** Searches that only one log records, next to one with the same words that only the other log records. */
function doubledSearches(session: Session): string[] {
  const searches = all(session, 'search')
  const logOf = ({ data }: Search): string => (data?.sources ?? []).map(({ kind }) => kind).join()
  return searches
    .filter((search, index) => {
      const before = searches[index - 1]
      if (before === undefined || before.queries.join() !== search.queries.join() || before.url !== search.url)
        return false
      return /^event_msg\/[^,]*$/.test(logOf(before)) && /^response_item\/[^,]*$/.test(logOf(search))
    })
    .map(({ id }) => id)
}

/** Whether a node was made from the call of a script. */
const isScript = ({ data }: Command | ToolCall): boolean =>
  data?.sources?.some(({ kind }) => kind.includes('custom_tool_call')) === true

/**
 * There are as many failures as in the raw lines, each "no" comes from a program that says it by its code, and nothing
 * is shown twice.
 */
export function expectFailures({ threads }: GenuineHome): void {
  for (const { thread, session, raw } of threads) {
    const commands = all(session, 'command')
    const isNoMatch = (command: Command): boolean => command.outcome === 'noMatch'
    // Every code except 0 is a failure or a "no", and each "no" comes from a program that says it by this code.
    // Commands of code-mode scripts have no records of their own: they have those of the script, or none.
    const ofScripts = new Set(
      all(session, 'toolCall')
        .filter(isScript)
        .flatMap((call) => all(call, 'command')),
    )
    const isRecorded = (command: Command): boolean =>
      (command.data?.sources ?? []).some(({ kind }) => kind.startsWith('event_msg/')) ||
      !(isScript(command) || ofScripts.has(command))
    const recorded = commands.filter(isRecorded)
    expect(recorded.filter(({ exitCode }) => (exitCode ?? 0) !== 0).length, thread.id).toBe(
      raw.filter(({ exitCode }) => (exitCode ?? 0) !== 0).length,
    )
    for (const command of commands.filter(isNoMatch)) expect(` ${command.script} `, command.id).toMatch(asking)
    const lone = commands.filter(
      ({ script, exitCode }) => exitCode === 1 && /^(?:rg|grep|pgrep|which) [^;&|\n]*$/.test(script),
    )
    const silent = lone.filter(({ children }) =>
      children.every((child) => child.type !== 'output' || child.value.trim() === ''),
    )
    expect(
      silent.filter((command) => !isNoMatch(command)).map(({ script }) => script),
      thread.id,
    ).toEqual([])
    expect(session.stats.commands.failed, thread.id).toBe(
      commands.filter(({ status, data }) => status === 'failed' && data?.inherited !== true).length,
    )
    const programs = commands.map((command) => programOf(command) ?? 'unknown')
    expect(
      programs.filter((name) => source.test(name)),
      thread.id,
    ).toEqual([])
    expect([...doubledPrompts(session), ...doubledSearches(session)], thread.id).toEqual([])
  }
}
