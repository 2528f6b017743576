/** Errors that are the user's to mend: printed as one line, exit code 2. Others keep their stack. */

/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A configuration that does not load or does not fit. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A plugin of the configuration that threw: what it threw, and where in the session, as far as that can be told. */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  /** Line of a segment of the thread. */
  readonly place: { line: number; segment: number } | undefined
  /** What happened, without the session. */
  readonly what: string

  constructor(plugin: string, cause: unknown, place?: PluginError['place']) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const code = cause instanceof Error ? sourcePosition(cause) : ''
    const what = `The plugin \`${plugin}\` failed: ${reason}${code}`
    super(what, { cause })
    this.what = what
    this.place = place
  }
}

/** Where an error was thrown, as ` (plugin.ts:12)`: the name of the file, never its folder. */
function sourcePosition({ stack = '' }: Error): string {
  const [, file, line] = /^[ \t]{1,8}at [^\n]{0,400}?([^/\\\s(]+\.[cm]?[jt]sx?):(\d+):\d+\)?$/m.exec(stack) ?? []
  return file === undefined ? '' : ` (${file}:${line})`
}

/**
 * An error that no caller could catch, for it was thrown by a timer or a promise; `own` is the folder of this package. What
 * code of the user throws becomes a `ConfigError`; everything else is our fault and stays.
 */
export function strayError(error: unknown, own: string): unknown {
  if (!(error instanceof Error) || !isForeign(error, own)) return error
  const reason = `${error.message}${sourcePosition(error)}`
  return new ConfigError(`Code of the configuration file or of a plugin failed after it had returned: ${reason}`, {
    cause: error,
  })
}

/** Whether the first frame outside of Node lies elsewhere. A rejection by something that is no error has no frame; none is ours. */
function isForeign(error: Error, own: string): boolean {
  if ('code' in error && error.code === 'ERR_UNHANDLED_REJECTION') return true
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'))
  const [first] = frames
  if (first === undefined) return false
  return ![own, encodeURI(own)].some((folder) => slashed(first).includes(slashed(folder)))
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Whether an error was foreseen and needs no stack. */
export function isExpected(error: unknown): error is UsageError | ConfigError | PluginError {
  return error instanceof UsageError || error instanceof ConfigError || error instanceof PluginError
}

// Sessions that vanished: when a build or a publish stops before it takes them away, and what it says then.

/** A home, a site or a published place that has fewer sessions than before. */
export interface Loss {
  /** Path or name of it. */
  source: string
  /** Label of a home; absent where it has none. */
  label?: string
  /** Sessions before, sessions now, and how many of those before are not there any more. */
  had: number
  has: number
  lost: number
  /** What is wrong with it, as a clause. */
  fault?: string
}

/** Sessions below which a loss of more than half may be somebody who tidies up. */
const minSessions = 10

/** Whether a loss looks like an accident: all is gone, more than half of at least ten, or what held them cannot be read. */
export function isDrastic({ had, has, lost, fault }: Loss): boolean {
  if (lost === 0) return false
  return has === 0 || fault !== undefined || (had >= minSessions && 2 * lost > had)
}

/** Stops what would remove the pages of vanished sessions. Machines get `losses`. */
export class RemovalError extends UsageError {
  readonly losses: readonly Loss[]

  /** `outcome` says in one sentence what stays as it was. */
  constructor(losses: readonly Loss[], outcome: string) {
    const hint = 'If these sessions should be removed, allow it with `--allow-removal`.'
    super([...losses.map(lossText), `${outcome} ${hint}`].join('\n'))
    this.losses = losses
  }
}

function lossText({ source, label, had, has, lost, fault }: Loss): string {
  const name = label === undefined ? `\`${source}\`` : `\`${source}\` (${label})`
  const counts = has === 0 ? 'none now' : `${has} now, and ${lost} of those before are gone`
  return `${name} had ${had} ${had === 1 ? 'session' : 'sessions'} and has ${counts}${fault === undefined ? '' : `: ${fault}`}.`
}
