/** Writes the workflow of GitHub Pages into the repository around the working folder. */
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import type { GitHost } from './git-fs.ts'
import { currentBranch, isIgnored, pathFrom, topOf } from './git-origin-fs.ts'
import { isSigned, pagesWorkflow, signText } from './workflow.ts'

/** What stands at the path of a workflow: nothing, the same text, one that we wrote, or somebody else's. */
export type WorkflowState = 'absent' | 'same' | 'ours' | 'foreign'

/** A workflow that is to be written. */
export interface WorkflowPlan {
  /** Absolute. */
  path: string
  /** Path in the repository. */
  file: string
  text: string
  state: WorkflowState
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
  const text = signText(pagesWorkflow({ file, folder, branch }))
  const ignored = await isIgnored(cwd, root, host)
  return { path, file, text, state: stateOf(path, text), folder, branch, ignored }
}

function stateOf(path: string, text: string): WorkflowState {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 'absent'
  if (!stats.isFile()) return 'foreign'
  const found = readFileSync(path, 'utf8')
  if (found === text) return 'same'
  return isSigned(found) ? 'ours' : 'foreign'
}

/** Writes a planned workflow in one step, with the folders that it needs. Throws a `UsageError` where the disk refuses. */
export function writeWorkflow({ path, text }: WorkflowPlan): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw new UsageError(`Cannot write \`${path}\`: ${reasonOf(error)}.`, { cause: error })
  }
}
