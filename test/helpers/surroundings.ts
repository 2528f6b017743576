/** The plainest form of what every use case needs besides its own options. */
import { posix } from 'node:path'
import type { ShowOptions } from '../../src/cli/show/target.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { settingsOf } from '../../src/config/schema.ts'
import { type BuildOptions, type Host, type Sources, silent } from '../../src/site/types.ts'

/** A host without progress, clock and environment, and independent of this machine. */
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

/** All settings with their defaults. */
const defaults = resolveSettings({
  command: 'build',
  flags: {},
  env: {},
  cwd: '/nowhere',
  homeDir: '/home/nobody-here',
  path: posix,
}).settings

/** Filters that every session passes. */
export const everySession: Omit<Sources, 'homes'> = (({
  timeZone,
  projects,
  since,
  until,
  ids,
  exclude,
  branches,
  archived,
}) => ({ timeZone, projects, since, until, ids, exclude, branches, archived }))(defaults)

/** A default build, with nothing special about its site. */
export function plainBuild(fields: Partial<BuildOptions> = {}): BuildOptions {
  return { ...settingsOf('build', defaults), title: 'Logs', generator: 'codex-export 0.0.0', ...fields }
}

/** A default `show`, without its target. */
export function plainShow(): Omit<ShowOptions, 'target' | 'targetPath' | 'choose' | 'write'> {
  return { ...settingsOf('show', defaults), title: 'Sessions', generator: 'codex-export 0.0.0' }
}
