/** What the user's own repository says, asked without changing anything in it. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ConfigError } from '../diagnostics/errors.ts'
import { askGit, type GitHost } from './git-fs.ts'
import { readSettings } from './git-words.ts'

/** Address of the remote that the working folder's repository calls `origin`. Throws a `ConfigError` where there is none. */
export async function originOf(cwd: string, host: GitHost): Promise<string> {
  const address = await askGit(cwd, ['remote', 'get-url', '--push', 'origin'], host)
  if (address === undefined || address.startsWith('-')) {
    const hint = 'name it by `--to`, or run the command in a repository that has a remote `origin`.'
    throw new ConfigError(`\`publish git\` needs a repository: ${hint}`)
  }
  const isPath = !/^[a-z][a-z0-9+.-]+:\/\/|^[^/\\]+:/i.test(address)
  return isPath && !isAbsolute(address) ? resolve((await topOf(cwd, host)) ?? cwd, address) : address
}

/** Settings of git by which it logs in: names, helpers, headers, the program of ssh. */
const login = '^(http|credential)[.]|^core[.](sshcommand|askpass)$'

/**
 * How the working folder's repository logs in, as far as its own configuration says: a push from elsewhere would not know
 * it. Jobs of a forge have their token there.
 */
export async function loginSettings(cwd: string, host: GitHost): Promise<[key: string, value: string][]> {
  const answer = await askGit(cwd, ['config', '--null', '--show-scope', '--get-regexp', login], host)
  return readSettings(answer ?? '')
}

/** The folder of the repository around a working folder; `undefined` where there is none. */
export function topOf(cwd: string, host: GitHost): Promise<string | undefined> {
  return askGit(cwd, ['rev-parse', '--show-toplevel'], host)
}

/** The branch that is checked out; `undefined` where there is none. */
export function currentBranch(cwd: string, host: GitHost): Promise<string | undefined> {
  return askGit(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD'], host)
}

/** Whether rules of the repository keep a folder out of commits. */
export async function isIgnored(cwd: string, folder: string, host: GitHost): Promise<boolean> {
  return (await askGit(cwd, ['check-ignore', '--', folder], host)) !== undefined
}

/** Path of a folder from one above it, with `/`; `undefined` where it lies elsewhere or is the same. */
export function pathFrom(outer: string, inner: string): string | undefined {
  const way = relative(outer, inner)
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined
  return way.split(sep).join('/')
}
