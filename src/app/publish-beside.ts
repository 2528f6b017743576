/** Hosts that fetch the site by themselves or through a program: what is written beside the site, and what is run. */
import { UsageError } from '../diagnostics/errors.ts'
import { commandLine } from '../publish/hosted.ts'
import { planHosted, writeHostedConfig } from '../publish/hosted-fs.ts'
import { findProgram, runProgram } from '../publish/program-fs.ts'
import type { BuiltSite } from '../publish/site-fs.ts'
import { planWorkflow, type WorkflowPlan, writeWorkflow } from '../publish/workflow-fs.ts'
import { defined } from '../util/defined.ts'
import type { Place, PlaceResult } from './publish-places.ts'
import type { PublishOptions } from './publish-types.ts'
import type { Host } from './types.ts'

/** Writes the workflow that makes GitHub Pages serve the site as it is committed. */
export async function workflowPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  const { cwd, name, branch } = options
  const plan = await planWorkflow({ cwd, root: site.root, ...defined({ name, branch }) }, host)
  return { name: `GitHub Pages, from pushes to ${plan.branch}`, publish: () => putWorkflow(plan, options) }
}

async function putWorkflow(plan: WorkflowPlan, options: PublishOptions): Promise<PlaceResult> {
  const next = commitSteps(plan)
  if (plan.state === 'same') return { done: [`\`${plan.file}\` is as it should be.`], next }
  if (options.dryRun) return { done: [`Would write \`${plan.file}\`.`], next }
  if (plan.state === 'foreign' && !options.replace) await askFirst(plan, options)
  writeWorkflow(plan)
  return { done: [`Wrote \`${plan.file}\`.`], next }
}

async function askFirst({ file }: WorkflowPlan, { confirm }: PublishOptions): Promise<void> {
  const what = `\`${file}\` was not written by this command, or was changed since`
  if (confirm === undefined)
    throw new UsageError(`${what}. Replace it by \`--replace\`, or choose another \`--site-name\`.`)
  if (!(await confirm(`${what}. Replace it?`)))
    throw new UsageError(`\`${file}\` was left as it is. Nothing was published.`)
}

function commitSteps({ file, folder, ignored }: WorkflowPlan): string[] {
  return [
    `git add ${ignored ? '--force ' : ''}${folder} && git add ${file} && git commit -m "Publish sessions" && git push`,
    'In the settings of the repository, under Pages, let the source be GitHub Actions. Everybody who can read the repository can read the site in it.',
  ]
}

/** Writes the host's configuration where there is none, and runs the host's program where it is installed. */
export async function hostedPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  const { cwd, name, branch } = options
  const target = options.target === 'cloudflare' ? 'cloudflare' : 'netlify'
  const deployment = planHosted({ target, cwd, root: site.root, name, branch })
  return {
    name: target === 'cloudflare' ? 'Cloudflare Pages' : 'Netlify',
    publish: () => deploy(deployment, options, host),
  }
}

async function deploy(
  { plan, hasConfig }: ReturnType<typeof planHosted>,
  { cwd, dryRun }: PublishOptions,
  { env, signal, progress }: Host,
): Promise<PlaceResult> {
  const command = commandLine(plan)
  const program = findProgram(plan.program, { cwd, env })
  if (dryRun) {
    const steps = [
      hasConfig ? '' : `Would write \`${plan.config}\`.`,
      program === undefined ? '' : `Would run \`${command}\`.`,
    ]
    return { done: steps.filter((step) => step !== '') }
  }
  if (!hasConfig) writeHostedConfig(cwd, plan)
  const done = hasConfig ? [] : [`Wrote \`${plan.config}\`.`]
  if (program === undefined)
    return { done, next: [`\`${plan.program}\` was not found. Install it, then deploy:`, plan.install, command] }
  progress.stage(`Running ${plan.program}`)
  const status = await runProgram(program, plan.args, { cwd, env, signal })
  if (status !== 0) throw new UsageError(`\`${command}\` ended with exit code ${status}.`)
  return { done: [...done, `Ran \`${command}\`.`] }
}
