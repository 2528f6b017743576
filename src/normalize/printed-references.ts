/** Commits and pull requests that a command made, by what it ran and printed. */
import type { Reference } from '../model/trast.ts'

/** A reference before it has an id. */
export type Printed = Pick<Reference, 'kind' | 'target'> & { label: string }

/** Words behind `git` that make a commit and print it. */
const commits = /\bgit\b[^\n;&|]{0,300}?\s(?:commit|cherry-pick|revert)(?![\w-])/
/** Words that open a pull request or merge request and print its address. */
const requests = /\b(?:gh\b[^\n;&|]{0,300}?\spr|glab\b[^\n;&|]{0,300}?\smr)\s+(?:create|new)(?![\w-])/

/** `[main abc1234] Subject`, also with `(root-commit)`, as git prints a new commit. */
const commitLine = /^\[[^\n\][]{1,250} ([0-9a-f]{7,64})\] (.*)$/gm
/**
 * The address alone on its line, as `gh` and `glab` print what they made. The hints of a push stand behind `remote:`,
 * and end in `/pull/new/branch`.
 */
const requestLine =
  /^[ \t]*(https?:\/\/[\w.-]{1,250}(?::\d{1,5})?((?:\/[\w.~+-]{1,250}){2,20}?)\/(pull|merge_requests)\/(\d{1,12}))[ \t]*\r?$/gm

/** More are not listed: the output still tells them. */
const most = 100

/** What a command that succeeded printed of commits and pull requests that it made, each once. */
export function printedReferences(script: string, output: string): Printed[] {
  const found = new Map<string, Printed>()
  const add = (item: Printed): void => {
    if (found.size < most && !found.has(item.target)) found.set(item.target, item)
  }
  if (commits.test(script)) {
    for (const [, hash = '', subject = ''] of output.matchAll(commitLine))
      add({ kind: 'commit', target: hash, label: subject.trim() })
  }
  if (requests.test(script)) {
    for (const [, url = '', path = '', word, number = ''] of output.matchAll(requestLine)) {
      const repository = path.replace(/\/-$/, '').slice(1)
      add({ kind: 'pullRequest', target: url, label: `${repository}${word === 'pull' ? '#' : '!'}${number}` })
    }
  }
  return [...found.values()]
}
