/** The order of the plugins that turn a raw slice into a tree, including the user's own, each under its name. */

import {
  type Pluggable,
  type PluggableList,
  type Plugin,
  type Preset,
  type Processor,
  type Transformer,
  unified,
} from 'unified'
import { VFile } from 'vfile'
import { isSitePlugin, type PluginList } from '../config/plugins.ts'
import { PluginError } from '../diagnostics/errors.ts'
import { foldExploration, handedTasks, lineage, references, resumeGaps } from './plugins/annotate.ts'
import { classify } from './plugins/classify.ts'
import { dedupe } from './plugins/dedupe.ts'
import { type LimitOptions, limit, treeLimits } from './plugins/limit.ts'
import { pair } from './plugins/pair.ts'
import { turns } from './plugins/turns.ts'
import { stats } from './stats.ts'
import type { Session, TrastNode } from './trast.ts'

/** A processor over sessions; only `run` is used. */
type Normalizer = Processor<undefined, Session, Session, undefined, undefined>

/** Plugins that remove things from a tree, before and after what is left is counted. */
export interface CurationPlugins {
  before: PluggableList
  after: PluggableList
}

/**
 * The processor that makes a whole tree: structure, meaning, the user's plugins, what must not be published, limits,
 * presentation. If parts are omitted, the statistics count only the rest.
 */
export function normalizer(
  plugins: PluginList = [],
  privacy: PluggableList = [],
  curation?: CurationPlugins | undefined,
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
  // unified infers node types from parsers and compilers, which a slice does not have.
  return processor as unknown as Normalizer
}

/** The processor that cuts a tree for a page. */
export function pageLimiter(limits: LimitOptions): Normalizer {
  return unified().use(limit, limits).freeze() as unknown as Normalizer
}

// The user's plugins. If one throws, the error names it, with the line that it could not process.

/** The unified plugins in a list, in order. What they throw becomes a `PluginError`. */
function treePlugins(plugins: PluginList): PluggableList {
  return plugins.flatMap((plugin, index) =>
    isSitePlugin(plugin)
      ? (plugin.tree ?? []).map((own) => guarded(own, () => plugin.name))
      : [guarded(plugin, ({ name }) => name || `${index + 1}`)],
  )
}

/** Returns the name of a plugin that is a function. */
type NameOf = (attacher: Plugin) => string

function guarded(plugin: Pluggable, nameOf: NameOf): Pluggable {
  if (typeof plugin === 'function') return guardedAttacher(plugin, nameOf)
  if (Array.isArray(plugin)) {
    const [attacher, ...options] = plugin
    return [guardedAttacher(attacher, nameOf), ...options]
  }
  const preset: Preset = { ...plugin, plugins: (plugin.plugins ?? []).map((own) => guarded(own, nameOf)) }
  return preset
}

/** Wrapped plugins by their function, by which unified recognises a plugin that is used twice. */
const guardedPlugins = new WeakMap<Plugin, Plugin>()

function guardedAttacher(attacher: Plugin, nameOf: NameOf): Plugin {
  const wrapped = guardedPlugins.get(attacher) ?? wrap(attacher, nameOf(attacher))
  guardedPlugins.set(attacher, wrapped)
  return wrapped
}

function wrap(attacher: Plugin, name: string): Plugin {
  return function attach(this: ThisParameterType<Plugin>, ...options): ReturnType<Plugin> {
    const transform: unknown = attacher.apply(this, options)
    if (typeof transform !== 'function') return
    // unified ignores anything else that an attacher returns.
    const run = (tree: Session, file: VFile) => called(transform as Transformer, tree, file)
    const transformer = async (tree: unknown, file: VFile): Promise<Session | undefined> => {
      const session = tree as Session // only slices go through the processor
      const given = await run(session, file).catch(async (error: unknown) => {
        const again = (part: Session) => run(part, new VFile({ path: file.path, data: file.data }))
        throw new PluginError(name, error, await failingLine(session, again))
      })
      const fault = sessionFault(given ?? session)
      if (fault !== undefined) throw new PluginError(name, fault)
      return given
    }
    return transformer as unknown as Transformer // unified types trees by their parsers, which a slice does not have
  }
}

/** What is wrong with a plugin's result, if it is not a session that contains nodes. */
function sessionFault(root: unknown): string | undefined {
  const { type, stats } = (root ?? {}) as Partial<Session> // only looked at
  if (type !== 'session' || typeof stats !== 'object') return 'it gave something else than the session'
  return nodeFault(root, new Set())
}

function nodeFault(node: unknown, above: Set<unknown>): string | undefined {
  const { type, children = [] } = (node ?? {}) as { type?: unknown; children?: unknown } // only looked at
  if (typeof type !== 'string') return 'it left a node without a type'
  if (!Array.isArray(children)) return `it left the \`children\` of \`${type}\` as no list`
  if (above.has(node)) return `it left a \`${type}\` that holds itself`
  above.add(node)
  for (const child of children) {
    const fault = nodeFault(child, above)
    if (fault !== undefined) return fault
  }
  above.delete(node)
  return undefined
}

/** The result of a transformer, which may also use a callback, or return its error. */
async function called(transform: Transformer, tree: Session, file: VFile) {
  const result: unknown = await (transform.length < 3
    ? transform(tree, file, () => {})
    : new Promise<unknown>((resolve, reject) => {
        transform(tree, file, (error, next) => {
          if (error) reject(error)
          else resolve(next)
        })
      }))
  if (result instanceof Error) throw result
  return result as Session | undefined
}

/** Most items that are tried individually: more than a page has. */
const maxTried = 1000

/**
 * The line of the first item that fails by itself when `run` gets a copy of it, alone in its turn; `undefined` if none
 * does because the failure needs several items.
 */
export async function failingLine(tree: Session, run: (part: Session) => unknown): Promise<PluginError['place']> {
  let tried = 0
  for (const { part, item } of parts(tree)) {
    if (++tried > maxTried) return undefined
    try {
      await run(structuredClone(part))
    } catch {
      const source = item.data?.sources?.[0]
      const line = source?.line ?? item.position?.start.line
      return line === undefined ? undefined : { line, segment: source?.file ?? 0 }
    }
  }
  return undefined
}

/** The session with one item at a time, with the items of a turn inside their turn. The turn without items comes first. */
function* parts(tree: Session): Generator<{ part: Session; item: TrastNode }> {
  const data = {}
  for (const child of tree.children) {
    const container = child.type === 'turn' || child.type === 'preamble' || child.type === 'group' ? child : undefined
    yield {
      part: { ...tree, data, children: [container === undefined ? child : { ...container, children: [] }] },
      item: child,
    }
    // The container keeps its kind, with only one of its items.
    for (const item of container?.children ?? [])
      yield { part: { ...tree, data, children: [{ ...container, children: [item] } as typeof child] }, item }
  }
}
