/** The rich page of a slice as hast. */
import type { Root } from 'hast'
import type { Session } from '../../model/trast.ts'
import type { RenderContext } from '../context.ts'
import { one } from './handle/index.ts'
import { createState } from './state.ts'

/** Hast of a session's children, or of one slice of them: what stands between the header and the foot of a page. */
export function toHast(session: Session, context: RenderContext): Root {
  const state = createState(session, context, one)
  return { type: 'root', children: state.all(session.children) }
}
