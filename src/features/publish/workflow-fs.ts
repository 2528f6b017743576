/** Writes the workflow for GitHub Pages into the repository that contains the working folder. */

import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ConfigError, UsageError } from '../../diagnostics/errors.ts'
import { makeFolders } from '../../util/files-fs.ts'
import { sha256 } from '../../util/hash.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { askGit, type GitHost } from './git-fs.ts'
import { readSettings } from './git-texts.ts'

/** A workflow to be written. */
export interface WorkflowPlan {
  /** Absolute. */
  path: string
  /** Path in the repository, with `/`. */
  file: string
  text: string
  /** What is at the path now: nothing, the same text, another text that we wrote, or somebody else's. */
  state: 'absent' | 'same' | 'ours' | 'foreign'
  /** Path of the site in the repository, with `/`. */
  folder: string
  /** Pushes to this branch publish. */
  branch: string
  /** The repository's ignore rules exclude the site. */
  ignored: boolean
}

/** What a workflow is planned from. */
interface WorkflowOptions {
  cwd: string
  /** Absolute folder of the site. */
  root: string
  /** Name of the file without its extension. */
  name?: string
  /** Default: the branch that is checked out. */
  branch?: string
}

/** Plans a workflow. Throws a `UsageError` if there is no repository, or if the site is not in a folder of it. */
export async function planWorkflow(options: WorkflowOptions, host: GitHost): Promise<WorkflowPlan> {
  const { cwd, root, name = 'publish-sessions' } = options
  const top = await topOf(cwd, host)
  if (top === undefined)
    throw new UsageError(
      '`publish github-pages` needs a repository: run it in one that has the site, or use `publish git`, which pushes a site from anywhere.',
    )
  const folder = pathFrom(top, root)
  if (folder === undefined) {
    const hint = 'Build it there, or use `publish git`, which pushes a site from anywhere.'
    throw new UsageError(`The site \`${root}\` is not in a folder of the repository \`${top}\`. ${hint}`)
  }
  const branch = options.branch ?? (await currentBranch(cwd, host)) ?? 'main'
  const file = `.github/workflows/${name}.yml`
  const path = join(top, file)
  const text = signText(pagesWorkflow({ file, folder, branch }))
  const ignored = await isIgnored(cwd, root, host)
  return { path, file, text, state: stateOf(path, text), folder, branch, ignored }
}

function stateOf(path: string, text: string): WorkflowPlan['state'] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 'absent'
  if (!stats.isFile()) return 'foreign'
  const found = readFileSync(path, 'utf8')
  if (found === text) return 'same'
  return isSigned(found) ? 'ours' : 'foreign'
}

/** Writes a planned workflow in one step, and makes the folders that it needs. Throws a `UsageError` if the disk refuses. */
export function writeWorkflow({ path, text }: WorkflowPlan): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    makeFolders(dirname(path))
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    if (existsSync(draft)) rmSync(draft)
    if (errorCode(error) === undefined) throw error
    throw new UsageError(`Cannot write \`${path}\`: ${reasonOf(error)}.`, { cause: error })
  }
}

// The workflow that makes GitHub Pages serve a folder of a repository, and how to recognise that we wrote it.

/**
 * Returns a workflow that deploys a folder as it was committed. It runs no code of the repository and is given no secret;
 * its token can only read the repository and deploy pages.
 */
export function pagesWorkflow({ file, folder, branch }: Pick<WorkflowPlan, 'file' | 'folder' | 'branch'>): string {
  return `name: Publish sessions

on:
  push:
    branches: [${quoted(exactly(branch))}]
    paths: [${quoted(`${exactly(folder)}/**`)}, ${quoted(exactly(file))}]
  workflow_dispatch:

permissions:
  contents: read
  pages: write
  id-token: write

# A deployment that has begun ends; of those that wait, only the newest is made.
concurrency:
  group: pages
  cancel-in-progress: false

jobs:
  deploy:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/configure-pages@v5
      - uses: actions/upload-pages-artifact@v4
        with:
          path: ${quoted(folder)}
      - id: deployment
        uses: actions/deploy-pages@v4
`
}

/** Escapes a name for a workflow's filter, so that it matches nothing else. */
function exactly(name: string): string {
  return name.replace(/[*?+![\]\\]/g, '\\$&')
}

/** A text as a double-quoted YAML string, for which JSON's syntax is valid. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

const sumLine = '# Checksum of the rest: '

/** YAML with a head that says who wrote it and contains a checksum, which shows whether anybody changed it. */
export function signText(text: string): string {
  const note = '# Written by `codex-export publish github-pages`, which replaces it as long as nobody else changed it.'
  return `${note}\n${sumLine}${checksum(text)}\n${text}`
}

/** Whether a text was made by `signText` and is unchanged. Windows line ends do not count as a change. */
export function isSigned(text: string): boolean {
  const [, sum, ...rest] = text.replaceAll('\r\n', '\n').split('\n')
  return sum === `${sumLine}${checksum(rest.join('\n'))}`
}

function checksum(text: string): string {
  return sha256(text).slice(0, 16)
}

// Questions to the user's own repository, which change nothing in it.

/** Address of the remote `origin` of the working folder's repository. Throws a `ConfigError` if there is none. */
export async function originOf(cwd: string, host: GitHost): Promise<string> {
  const address = await askGit(cwd, ['remote', 'get-url', '--push', 'origin'], host)
  if (address === undefined || address.startsWith('-')) {
    const hint = 'name it with `--to`, or run the command in a repository that has a remote `origin`.'
    throw new ConfigError(`\`publish git\` needs a repository: ${hint}`)
  }
  const isPath = !/^[a-z][a-z0-9+.-]+:\/\/|^[^/\\]+:/i.test(address)
  return isPath && !isAbsolute(address) ? resolve((await topOf(cwd, host)) ?? cwd, address) : address
}

/** The settings with which git logs in: user names, helpers, headers, the ssh program. */
const login = '^(http|credential)[.]|^core[.](sshcommand|askpass)$'

/**
 * Settings for the login from the configuration of the working folder's repository itself. A push from our own repository
 * would not have them. CI jobs keep their token there.
 */
export async function loginSettings(cwd: string, host: GitHost): Promise<[key: string, value: string][]> {
  const answer = await askGit(cwd, ['config', '--null', '--show-scope', '--get-regexp', login], host)
  return readSettings(answer ?? '')
}

/** Top folder of the repository that contains a working folder; `undefined` if there is none. */
function topOf(cwd: string, host: GitHost): Promise<string | undefined> {
  return askGit(cwd, ['rev-parse', '--show-toplevel'], host)
}

/** The branch that is checked out; `undefined` if there is none. */
function currentBranch(cwd: string, host: GitHost): Promise<string | undefined> {
  return askGit(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD'], host)
}

/** Whether the repository's ignore rules exclude a folder. */
async function isIgnored(cwd: string, folder: string, host: GitHost): Promise<boolean> {
  return (await askGit(cwd, ['check-ignore', '--', folder], host)) !== undefined
}

/** Path of `inner` relative to `outer`, with `/`; `undefined` if it is not below `outer`. */
function pathFrom(outer: string, inner: string): string | undefined {
  const way = relative(outer, inner)
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined
  return way.split(sep).join('/')
}
