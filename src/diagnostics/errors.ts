/** Errors that are the user's to mend: printed as one line, exit code 2. Others keep their stack. */

/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A configuration that does not load or does not fit. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Whether an error was foreseen and needs no stack. */
export function isExpected(error: unknown): error is UsageError | ConfigError {
  return error instanceof UsageError || error instanceof ConfigError
}
