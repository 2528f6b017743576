/** The bridge from transcript trees to hast, for unified. */
import type { Root } from 'hast'
import type { Plugin } from 'unified'
import type { Session } from '../../model/trast.ts'
import type { RenderContext } from '../context.ts'
import { toHast } from './to-hast.ts'

/** unified plugin: a session tree becomes the hast of its page. */
export const rolloutToHast: Plugin<[RenderContext], Session, Root> = (context) => (tree) => toHast(tree, context)
