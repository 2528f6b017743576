/**
 * What failed in genuine threads, against a second, simpler count over their raw lines: the code is another than 0, and
 * the last program of the script is none that answers by it. Programs have names of programs; nothing is told twice.
 */
import { expect } from 'vitest'
import { programOf } from '../../src/rollout/shell/program.ts'
import type { Command, Message, Search, Session } from '../../src/transcript/trast.ts'
import type { GenuineHome } from '../helpers/genuine-home.ts'
import { all, textOf } from '../helpers/slice.ts'

/** Programs that answer "no" by 1, as a reader of manuals lists them. */
const asking =
  /(?:^|[\s;&|(/\\'"])(?:rg|[efz]?grep|ag|ack|findstr|which|where|pgrep|pkill|diff|cmp|test|\[|kill -0|lsof|command -v|type|git (?:.*\s)?(?:diff|grep|check-ignore|merge-base|config|rev-parse|show-ref)|Get-\w+|Select-String|Test-Path|gcm|sls)(?:\.exe)?\s/i

/** Names that are pieces of source: variables, quotes, brackets, operators, addresses. */
const source = /["'`$(){}<>|;&=\n]|:\/\/|^\d+(?:\.\d+){3}|^-/

/** Prompts of one turn that say the same, one behind the other. */
function doubledPrompts(session: Session): string[] {
  return all(session, 'turn').flatMap(({ children }) => {
    const prompts = children.filter((child): child is Message => child.type === 'message' && child.origin === 'typed')
    const keys = prompts.map((prompt) => textOf(prompt).replace(/\s+/g, ''))
    return prompts.filter((_, index) => keys[index] !== '' && keys[index] === keys[index - 1]).map(({ id }) => id)
  })
}

/** Searches that only one log tells of, beside one that only the other tells of, with the same words. */
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

/** As many failures as the raw lines tell, each "no" of a program that says so, and nothing twice. */
export function expectFailures({ threads }: GenuineHome): void {
  for (const { thread, session, raw } of threads) {
    const commands = all(session, 'command')
    const told = (command: Command): boolean => command.outcome === 'noMatch'
    // Every code but 0 is a failure or a "no"; each "no" is of a program that says so by that code.
    // Commands of code-mode scripts have no records of their own.
    const isRecorded = ({ data }: Command): boolean =>
      (data?.sources ?? []).some(({ kind }) => kind.startsWith('event_msg/')) ||
      !data?.sources?.some(({ kind }) => kind.includes('custom_tool_call'))
    const recorded = commands.filter(isRecorded)
    expect(recorded.filter(({ exitCode }) => (exitCode ?? 0) !== 0).length, thread.id).toBe(
      raw.filter(({ exitCode }) => (exitCode ?? 0) !== 0).length,
    )
    for (const command of commands.filter(told)) expect(` ${command.script} `, command.id).toMatch(asking)
    const lone = commands.filter(
      ({ script, exitCode }) => exitCode === 1 && /^(?:rg|grep|pgrep|which) [^;&|\n]*$/.test(script),
    )
    const silent = lone.filter(({ children }) =>
      children.every((child) => child.type !== 'output' || child.value.trim() === ''),
    )
    expect(
      silent.filter((command) => !told(command)).map(({ script }) => script),
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
