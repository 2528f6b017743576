/** Exit codes of every command. */
export const exitCodes = {
  fine: 0,
  /** A session gave no page, or `--strict` and a warning. Also: the program itself failed. */
  findings: 1,
  /** Wrong use or configuration. */
  usage: 2,
  /** By the signal: 128 and its number, as shells have it. */
  SIGINT: 130,
  SIGTERM: 143,
} as const
