/** Hosts with a program of their own: finds what is there already. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { pathFrom } from './git-origin-fs.ts'
import { cloudflarePlan, type HostedPlan, netlifyPlan } from './hosted.ts'
import { writeOwnFile } from './own-file-fs.ts'

/** What a deployment is planned from. */
export interface HostedOptions {
  target: 'netlify' | 'cloudflare'
  cwd: string
  /** Absolute folder of the site. */
  root: string
  name: string | undefined
  branch: string | undefined
}

/** Plans a deployment; `config` is absent where the working folder has one. Throws a `UsageError` without a needed name. */
export function planHosted(options: HostedOptions): { plan: HostedPlan; hasConfig: boolean } {
  const { target, cwd, root, name, branch } = options
  const folder = pathFrom(cwd, root) ?? root
  if (target === 'cloudflare' && name === undefined) {
    throw new UsageError('`publish cloudflare` needs the name of the Pages project: give it by `--site-name NAME`.')
  }
  const facts = { folder, name, branch }
  const plan = target === 'cloudflare' && name !== undefined ? cloudflarePlan({ ...facts, name }) : netlifyPlan(facts)
  return { plan, hasConfig: plan.configNames.some((file) => existsSync(join(cwd, file))) }
}

/** Writes the configuration of a host. */
export function writeHostedConfig(cwd: string, { config, text }: HostedPlan): void {
  writeOwnFile(join(cwd, config), text)
}
