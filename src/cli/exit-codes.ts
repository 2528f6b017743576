/** Exit codes of every command. */
export const exitCodes = {
  fine: 0,
  /** A session gave no page, or `--strict` and a warning. Also: the program itself failed. */
  findings: 1,
  /** Wrong use or configuration. */
  usage: 2,
  interrupted: 130,
} as const
