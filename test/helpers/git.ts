/** Repositories for tests, apart from the settings of whoever runs them. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs git and gives what it wrote. Throws where it fails. */
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

/** Makes a bare repository and gives its path. */
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

/** Commits files to a branch of a bare repository, as somebody else would, and gives the commit. */
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

/** Everything that the branches of a repository lead to, one text. */
export function reachableText(repository: string): string {
  const objects = git(repository, 'rev-list', '--objects', '--all').split('\n')
  return objects
    .map((line) => line.split(' ')[0] ?? '')
    .filter((id) => id !== '')
    .map((id) => `${id}\n${git(repository, 'cat-file', '-p', id)}`)
    .concat(objects)
    .join('\n')
}
