/** Hosts that fetch the site by themselves or through a program: what is written beside the site, and what is run. */
import { UsageError } from '../diagnostics/errors.ts'
import { commandLine } from '../publish/hosted.ts'
import { planHosted, writeHostedConfig } from '../publish/hosted-fs.ts'
import { findProgram, runProgram } from '../publish/program-fs.ts'
import type { BuiltSite } from '../publish/site-fs.ts'
import { planWorkflow, type WorkflowPlan, writeWorkflow } from '../publish/workflow-fs.ts'
import { defined } from '../util/defined.ts'
import type { PlaceResult } from './publish-places.ts'
import type { PublishOptions } from './publish-types.ts'
import type { Host } from './types.ts'

/** Writes the workflow that makes GitHub Pages serve the site as it is committed. */
export async function toWorkflow(site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  const { cwd, name, branch } = options
  const plan = await planWorkflow({ cwd, root: site.root, ...defined({ name, branch }) }, host)
  const place = `GitHub Pages, from pushes to ${plan.branch}`
  if (plan.state === 'same') return { place, done: [`\`${plan.file}\` is as it should be.`], next: commitSteps(plan) }
  if (options.dryRun) return { place, done: [`Would write \`${plan.file}\`.`], next: commitSteps(plan) }
  if (plan.state === 'foreign' && !options.replace) await askFirst(plan, options)
  writeWorkflow(plan)
  return { place, done: [`Wrote \`${plan.file}\`.`], next: commitSteps(plan) }
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
export async function toHosted(site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  const { cwd, name, branch, dryRun } = options
  const target = options.target === 'cloudflare' ? 'cloudflare' : 'netlify'
  const { plan, hasConfig } = planHosted({ target, cwd, root: site.root, name, branch })
  const command = commandLine(plan)
  const place = target === 'cloudflare' ? 'Cloudflare Pages' : 'Netlify'
  const program = findProgram(plan.program, { cwd, env: host.env })
  const will = program === undefined ? [] : [`Would run \`${command}\`.`]
  if (dryRun) return { place, done: [...(hasConfig ? [] : [`Would write \`${plan.config}\`.`]), ...will] }
  if (!hasConfig) writeHostedConfig(cwd, plan)
  const done = hasConfig ? [] : [`Wrote \`${plan.config}\`.`]
  if (program === undefined) {
    return { place, done, next: [`\`${plan.program}\` was not found. Install it, then deploy:`, plan.install, command] }
  }
  host.progress.stage(`Running ${plan.program}`)
  const status = await runProgram(program, plan.args, { cwd, env: host.env, signal: host.signal })
  if (status !== 0) throw new UsageError(`\`${command}\` ended with exit code ${status}.`)
  return { place, done: [...done, `Ran \`${command}\`.`] }
}
