/** What every use case asks for beside its own options, as plain as it can be. */
import { type BuildOptions, type Host, silent } from '../../src/site/types.ts'

/** A host without progress, clock, environment and anything of this machine. */
export function quietHost(fields: Partial<Host> = {}): Host {
  return {
    signal: new AbortController().signal,
    progress: silent,
    report: () => {},
    now: () => 0,
    env: {},
    homeDir: '/home/nobody-here',
    ...fields,
  }
}

/** Filters that every session passes. */
export const everySession: BuildOptions['filters'] = {
  projects: [],
  since: undefined,
  until: undefined,
  ids: [],
  archived: undefined,
  timeZone: 'UTC',
}

/** A site that looks like nothing in particular. */
export function plainAppearance(fields: Partial<BuildOptions['appearance']> = {}): BuildOptions['appearance'] {
  return {
    title: 'Logs',
    description: undefined,
    siteUrl: undefined,
    timeZone: 'UTC',
    language: 'en',
    generator: 'codex-export 0.0.0',
    templatesDir: undefined,
    prices: undefined,
    plugins: [],
    ...fields,
  }
}
