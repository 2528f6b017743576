/** Writes the workflow of GitHub Pages into the repository around the working folder. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import type { GitHost } from './git-fs.ts'
import { currentBranch, isIgnored, pathFrom, topOf } from './git-origin-fs.ts'
import { signText } from './own-file.ts'
import { type OwnFileState, ownFileState, writeOwnFile } from './own-file-fs.ts'
import { pagesWorkflow } from './workflow.ts'

/** A workflow that is to be written. */
export interface WorkflowPlan {
  /** Absolute. */
  path: string
  /** Path in the repository. */
  file: string
  text: string
  state: OwnFileState
  /** Path of the site in the repository. */
  folder: string
  branch: string
  /** Rules of the repository keep the site out of commits. */
  ignored: boolean
}

/** What a workflow is planned from. */
export interface WorkflowOptions {
  cwd: string
  /** Absolute folder of the site. */
  root: string
  /** Name of the file without its extension. */
  name?: string
  /** Default: the branch that is checked out. */
  branch?: string
}

/** Plans a workflow. Throws a `UsageError` where the site does not lie in the repository. */
export async function planWorkflow(options: WorkflowOptions, host: GitHost): Promise<WorkflowPlan> {
  const { cwd, root, name = 'publish-sessions' } = options
  const top = (await topOf(cwd, host)) ?? realpathSync(cwd)
  const folder = pathFrom(top, root)
  if (folder === undefined) {
    const hint = 'Build it there, or use `publish git`, which pushes a site from anywhere.'
    throw new UsageError(`The site \`${root}\` does not lie in a folder of the repository \`${top}\`. ${hint}`)
  }
  const branch = options.branch ?? (await currentBranch(cwd, host)) ?? 'main'
  const file = `.github/workflows/${name}.yml`
  const path = join(top, file)
  const text = signText('github-pages', pagesWorkflow({ file, folder, branch }))
  const ignored = await isIgnored(cwd, root, host)
  return { path, file, text, state: ownFileState(path, text), folder, branch, ignored }
}

/** Writes a planned workflow. */
export function writeWorkflow({ path, text }: WorkflowPlan): void {
  writeOwnFile(path, text)
}
