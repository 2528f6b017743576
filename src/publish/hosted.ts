/** Hosts that are reached by a command line of their own: their configuration and the command that deploys. */

/** A host with a program of its own. */
export interface HostedPlan {
  /** Name of the configuration file, and the names of others that stand for it. */
  config: string
  configNames: readonly string[]
  /** Text of the file, where there is none yet. */
  text: string
  program: string
  args: readonly string[]
  /** How the program is installed. */
  install: string
}

/** What a deployment depends on. */
export interface HostedFacts {
  /** Path of the site from the working folder, with `/`. */
  folder: string
  name: string | undefined
  branch: string | undefined
}

/** Deploys to Netlify. Headers stand in the site's own `_headers`. */
export function netlifyPlan({ folder, name }: HostedFacts): HostedPlan {
  return {
    config: 'netlify.toml',
    configNames: ['netlify.toml'],
    text: `[build]\n  publish = ${toml(folder)}\n  command = ""\n`,
    program: 'netlify',
    args: ['deploy', '--prod', '--no-build', '--dir', folder, ...(name === undefined ? [] : ['--site', name])],
    install: 'npm install --global netlify-cli',
  }
}

/** Deploys to Cloudflare Pages. Without a branch of the production the deployment would be a preview. */
export function cloudflarePlan({ folder, name, branch = 'main' }: HostedFacts & { name: string }): HostedPlan {
  return {
    config: 'wrangler.toml',
    configNames: ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'],
    text: `name = ${toml(name)}\npages_build_output_dir = ${toml(`./${folder}`)}\n`,
    program: 'wrangler',
    args: ['pages', 'deploy', folder, '--project-name', name, '--branch', branch, '--commit-dirty=true'],
    install: 'npm install --global wrangler',
  }
}

/** A command line as it can be typed. */
export function commandLine({ program, args }: Pick<HostedPlan, 'program' | 'args'>): string {
  return [program, ...args.map((arg) => (/^[\w./:=@,-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))].join(
    ' ',
  )
}

/** A text as TOML takes it in double quotes, which is how JSON writes it too. */
function toml(text: string): string {
  return JSON.stringify(text)
}
