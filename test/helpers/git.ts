/** Repositories for tests, independent of the user's settings of git. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs git and returns its output. Throws if it fails. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Sam',
    GIT_AUTHOR_EMAIL: 'sam@example.org',
    GIT_COMMITTER_NAME: 'Sam',
    GIT_COMMITTER_EMAIL: 'sam@example.org',
  }
  return execFileSync('git', args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Creates a bare repository and returns its path. */
export function bareRepository(parent: string, name = 'remote.git'): string {
  git(parent, 'init', '--quiet', '--bare', '--initial-branch=main', name)
  return join(parent, name)
}

/** Files of a commit by path, as text. */
export function filesAt(repository: string, commit: string): Record<string, string> {
  const paths = git(repository, 'ls-tree', '-r', '-z', '--name-only', commit).split('\0')
  const files = paths.filter((path) => path !== '').map((path) => [path, git(repository, 'show', `${commit}:${path}`)])
  return Object.fromEntries(files)
}

/** Commits files to a branch of a bare repository, as another person would, and returns the commit. */
export function commitAsOther(repository: string, branch: string, files: Readonly<Record<string, string>>): string {
  const blobs = Object.entries(files).map(([path, content]) => {
    const id = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: repository,
      input: content,
      encoding: 'utf8',
    })
    return `100644 blob ${id.trim()}\t${path}`
  })
  const tree = execFileSync('git', ['mktree'], {
    cwd: repository,
    input: `${blobs.join('\n')}\n`,
    encoding: 'utf8',
  }).trim()
  const commit = git(repository, 'commit-tree', tree, '-m', 'By somebody else').trim()
  git(repository, 'update-ref', `refs/heads/${branch}`, commit)
  return commit
}

/** Every object that is reachable from the branches of a repository, by id and path. */
export function reachableContents(repository: string): [name: string, bytes: Uint8Array][] {
  const names = git(repository, 'rev-list', '--objects', '--all').split('\n')
  const present = names.filter((name) => name !== '')
  const input = present.map((name) => `${name.split(' ')[0]}\n`).join('')
  const batch = execFileSync('git', ['cat-file', '--batch'], { cwd: repository, input, maxBuffer: 1 << 28 })
  let offset = 0
  return present.map((name) => {
    // Format: `id type size`, a line end, the bytes, a line end.
    const begin = batch.indexOf(10, offset) + 1
    const size = Number(batch.toString('utf8', offset, begin).trim().split(' ')[2])
    offset = begin + size + 1
    return [name, batch.subarray(begin, begin + size)]
  })
}
