/** What an option is, and the commands that take it. */
import type { Kind } from '../kinds.ts'

/** The commands of the program. */
export type Command =
  | 'build'
  | 'list'
  | 'show'
  | 'serve'
  | 'check'
  | 'scrub'
  | 'publish'
  | 'context'
  | 'prune'
  | 'restore'

/** One option. */
export interface Option<T> {
  kind: Kind<T>
  default: T
  /** One sentence for help and docs, without the default. */
  help: string
  /** What happens by default, where the value alone does not tell. */
  defaultHelp?: string
  /** Commands that take the option. */
  commands: readonly Command[]
  /** Name of the flag without `--`; the environment variable follows from it, see `envName`. */
  flag?: string
  /** What `--no-` before the flag gives, where the flag takes a value. */
  off?: T
  /** The flag may not come from the environment. */
  flagOnly?: true
  /** A configuration file may hold it, under the name of the setting. */
  config?: true
}

/** An option for each setting of a group. */
export type OptionTable<T> = { readonly [K in keyof T]: Option<T[K]> }

/** Commands that read sessions of homes. */
export const reading: readonly Command[] = ['build', 'list', 'show', 'serve', 'check']
/** Commands that read what the model remembers. */
export const remembering: readonly Command[] = ['context', 'prune', 'restore']
/** Commands that make a site. */
export const sites: readonly Command[] = ['build', 'serve']
/** Commands that make pages. */
export const pages: readonly Command[] = ['build', 'show', 'serve']
/** Commands for which it matters what of sessions is published. */
export const published: readonly Command[] = [...pages, 'check']
/** Commands that pick sessions. */
export const filters: readonly Command[] = ['build', 'list', 'serve', 'check']

/**
 * What a command does with the `site.config.*` of the working folder, which is a program. `run`: builds and hosts run it,
 * as build tools do. `ask`: what prints or checks texts of sessions runs it where the user allowed it, and never goes on
 * without it unasked, since it may hold rules of privacy. `ignore`: none of its settings matters.
 */
export const folderConfigUse: Readonly<Record<Command, 'run' | 'ask' | 'ignore'>> = {
  build: 'run',
  serve: 'run',
  publish: 'run',
  list: 'ask',
  show: 'ask',
  check: 'ask',
  context: 'ask',
  prune: 'ask',
  restore: 'ask',
  scrub: 'ignore',
}
