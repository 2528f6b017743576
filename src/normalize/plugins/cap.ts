/** Cuts outputs to what is published of them; unlike the limits of pages, the rest is in no file. */
import type { Plugin } from 'unified'
import type { Session } from '../../model/trast.ts'
import { cutLiterals } from './limit.ts'

/** Keeps at most so many UTF-16 units of each output, three quarters of them from its beginning. */
export const cap: Plugin<[number], Session> = (longest: number) => {
  const head = Math.ceil(longest * 0.75)
  const output = { longest, head, tail: longest - head }
  return (tree: Session) => cutLiterals(tree, { output, literal: Number.POSITIVE_INFINITY, by: 'policy' })
}
