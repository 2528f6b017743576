/** What is known about the values that were found to be secrets. */

/** What is known about a value. */
export interface KnownValue {
  /** The rule that found it. */
  rule: string
  /** Position of that rule. The lowest names a value that several rules found. */
  rank: number
  /** Known only in its own session, because it is too short or too plain to be looked for in others. */
  isLocal?: true
}

/** What is known about each value that was found to be a secret. */
export type KnownValues = ReadonlyMap<string, KnownValue>

/** An occurrence of a known value, however it is written: `start` inclusive, `end` exclusive. */
export interface KnownHit {
  start: number
  end: number
  /** The value itself, or its head if the text is cut. */
  value: string
  rule: string
  rank: number
  isCut: boolean
}
