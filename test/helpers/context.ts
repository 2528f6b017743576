/** Surroundings of a transcript for tests. */

import type { RenderContext } from '../../src/render/transcript/context.ts'
import { referenceEngine } from '../../src/render/transcript/prose/engine.ts'
import type { ThreadLink } from '../../src/survey/neighbours.ts'
import { threadId } from './tree.ts'

/** A context in UTC with the reference engine; `links` are the threads that the site knows. */
export function renderContext(
  links: Record<string, ThreadLink> = {},
  fields: Partial<RenderContext> = {},
): RenderContext {
  return { threadId, timeZone: 'UTC', threads: (id) => links[id], engine: referenceEngine, ...fields }
}
