/** Errors that the user can fix: printed as one line, with exit code 2. Other errors keep their stack. */

/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A configuration that does not load or is not valid. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What a plugin gave does not fit. It has returned by then: no line of it is at fault. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault'
}

/** A failure of a plugin from the configuration: what the plugin threw, and where in the session, if known. */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  /** Line number, and number of the thread's segment that contains it. */
  readonly place: { line: number; segment: number } | undefined
  /** What happened, without naming the session. */
  readonly what: string

  constructor(plugin: string, cause: unknown, place?: PluginError['place']) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const code = cause instanceof Error && !(cause instanceof PluginFault) ? sourcePosition(cause) : ''
    const what = `The plugin \`${plugin}\` failed: ${reason}${code}`
    super(what, { cause })
    this.what = what
    this.place = place
  }
}

/**
 * Where an error was thrown, as ` (plugin.ts:12)`: the name of the file without its folder. With `own`, the folder of this package,
 * it is where the user's code threw it or called what did.
 */
export function sourcePosition({ stack = '' }: Error, own?: string): string {
  const frames = own === undefined ? stack : usersFrame(stack, own)
  const [, file, line] = /^[ \t]{1,8}at [^\n]{0,400}?([^/\\\s(]+\.[cm]?[jt]sx?):(\d+):\d+\)?$/m.exec(frames) ?? []
  return file === undefined ? '' : ` (${file}:${line})`
}

/**
 * Classifies an error that no caller could catch because a timer or a promise threw it; `own` is the folder of this package. An
 * error from the user's code becomes a `ConfigError`; any other is our fault and is returned unchanged.
 */
export function strayError(error: unknown, own: string): unknown {
  if (!(error instanceof Error) || !isForeign(error, own)) return error
  const reason = `${error.message}${sourcePosition(error)}`
  return new ConfigError(`Code of the configuration file or of a plugin failed after it had returned: ${reason}`, {
    cause: error,
  })
}

/**
 * Whether the first stack frame outside Node is outside this package. A rejection with something other than an error has no
 * frame; ours never do that.
 */
function isForeign(error: Error, own: string): boolean {
  if ('code' in error && error.code === 'ERR_UNHANDLED_REJECTION') return true
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'))
  const [first] = frames
  if (first === undefined) return false
  return !isInside(first, own)
}

/** The first stack frame that is neither of Node, of a package nor of this one. */
function usersFrame(stack: string, own: string): string {
  const isUsers = (line: string): boolean => /^[ \t]{1,8}at (?!.*(?:node:|node_modules))/.test(line)
  return stack.split('\n').find((line) => isUsers(line) && !isInside(line, own)) ?? ''
}

/** Whether a stack frame is in a file of a folder. */
function isInside(frame: string, folder: string): boolean {
  return [folder, encodeURI(folder)].some((path) => slashed(frame).includes(slashed(path)))
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Whether an error is expected and needs no stack. */
export function isExpected(error: unknown): error is UsageError | ConfigError | PluginError {
  return error instanceof UsageError || error instanceof ConfigError || error instanceof PluginError
}

// Vanished sessions: when a build or a publish stops before it removes their pages, and what it then says.

/** A home, a site or a published target that has fewer sessions than before. */
export interface Loss {
  /** Its path or name. */
  source: string
  /** Label of a home, if it has one. */
  label?: string
  /** Sessions before, sessions now, and how many of those before are missing now. */
  had: number
  has: number
  lost: number
  /** What is wrong with the source, as a clause. */
  fault?: string
}

/** With fewer sessions than this, losing more than half may be somebody tidying up. */
const minSessions = 10

/**
 * Whether a loss looks like an accident: everything is missing, more than half of at least ten sessions are, or the source cannot
 * be read.
 */
export function isDrastic({ had, has, lost, fault }: Loss): boolean {
  if (lost === 0) return false
  return has === 0 || fault !== undefined || (had >= minSessions && 2 * lost > had)
}

/** Stops an operation that would remove the pages of vanished sessions. Programs read `losses`. */
export class RemovalError extends UsageError {
  readonly losses: readonly Loss[]

  /** `outcome` says in one sentence what was left unchanged. */
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
