/** The order in which plugins make a tree of a raw slice. */

import { type PluggableList, type Processor, unified } from 'unified'
import type { PluginList } from '../config/plugins.ts'
import { foldExploration, handedTasks, lineage, references, resumeGaps } from './plugins/annotate.ts'
import { classify } from './plugins/classify.ts'
import { dedupe } from './plugins/dedupe.ts'
import { type LimitOptions, limit, treeLimits } from './plugins/limit.ts'
import { pair } from './plugins/pair.ts'
import { turns } from './plugins/turns.ts'
import { stats } from './stats.ts'
import type { Session } from './trast.ts'
import { treePlugins } from './user-plugins.ts'

/** A processor over sessions; only `run` and `runSync` are used. */
type Normalizer = Processor<undefined, Session, Session, undefined, undefined>

/** What takes things out of a tree, before and after what is left is counted. */
export interface Curation {
  before: PluggableList
  after: PluggableList
}

/**
 * The processor that makes a whole tree: structure, meaning, the user's plugins, what must not be published, limits,
 * presentation. Where parts are left out, numbers tell of the rest.
 */
export function normalizer(
  plugins: PluginList = [],
  privacy: PluggableList = [],
  curation?: Curation | undefined,
): Normalizer {
  const counted: PluggableList = curation === undefined ? [stats] : []
  const curated: PluggableList = curation === undefined ? [] : [...curation.before, stats, ...curation.after]
  const processor = unified()
    .use(lineage)
    .use(pair)
    .use(dedupe)
    .use(turns)
    .use(classify)
    .use(resumeGaps)
    .use(references)
    .use(counted)
    .use(treePlugins(plugins))
    .use(curated)
    .use(privacy)
    .use(handedTasks)
    .use(limit, treeLimits)
    .use(foldExploration)
    .freeze()
  // unified infers its node types from parsers and compilers, of which a slice has none.
  return processor as unknown as Normalizer
}

/** The processor that cuts a tree for a page. */
export function pageLimiter(limits: LimitOptions): Normalizer {
  return unified().use(limit, limits).freeze() as unknown as Normalizer
}
