/** `show`: one transcript as Markdown, text, JSON or a page. */
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots } from '../discover/homes-fs.ts'
import { matchThread } from '../discover/select.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import type { RenderContext } from '../render/context.ts'
import { renderMarkdown } from '../render/markdown.ts'
import { loadEngine } from '../render/prose/engine-fs.ts'
import { renderText } from '../render/text.ts'
import { defined } from '../util/defined.ts'
import { isFile } from './is-file-fs.ts'
import { jsonTree } from './json-tree.ts'
import { showPage } from './show-page.ts'
import { withSpool } from './spool-fs.ts'
import { survey } from './survey.ts'
import { transcribeThread } from './transcript.ts'
import type { Host, ShowOptions } from './types.ts'

/** Gives the product text of one thread. Throws `UsageError` for an unknown or ambiguous target, with the candidates. */
export function show(options: ShowOptions, host: Host): Promise<string> {
  return withSpool(async (spoolDir) => {
    const { thread, family } = await findThread(options, host, spoolDir)
    const pictures = new Map<string, Uint8Array>()
    const { session, facts, diagnostics } = await transcribeThread(thread, {
      spoolDir,
      signal: host.signal,
      family,
      plugins: options.look.plugins,
      storePicture: (name, bytes) => pictures.set(name, bytes),
    })
    for (const item of diagnostics) host.report(item)
    return render(session, { options, facts, pictures })
  })
}

interface Shown {
  options: ShowOptions
  facts: ScanFacts
  pictures: ReadonlyMap<string, Uint8Array>
}

async function render(session: Session, { options, facts, pictures }: Shown): Promise<string> {
  const { format, look } = options
  if (format === 'json') return jsonTree(session, look.generator)
  const context: RenderContext = {
    threadId: session.threadId,
    timeZone: look.timeZone,
    ...defined({ prices: look.prices }),
    threads: () => undefined,
    engine: await loadEngine(),
  }
  if (format === 'md') return renderMarkdown(session, context)
  if (format === 'text') return renderText(session, context)
  return showPage(session, { look, facts, context, pictures })
}

/** A path that exists is read as it is, also outside of a home; anything else is the beginning of a thread id. */
async function findThread(
  { sources, target, targetPath }: ShowOptions,
  host: Host,
  spoolDir: () => string,
): Promise<{ thread: Thread; family: readonly Thread[] }> {
  const { env, homeDir, signal } = host
  const asPath = isFile(targetPath)
  const roots = findRoots({ codexHomes: asPath ? [targetPath] : sources.homes, env, homeDir })
  host.progress.stage('Looking for sessions')
  const { catalog, diagnostics, places } = await survey(roots, { spoolDir, signal })
  if (asPath) {
    for (const item of diagnostics) host.report(item)
    const [thread] = catalog.threads
    if (thread === undefined) throw new UsageError(`\`${target}\` holds no session.`)
    return { thread, family: catalog.threads }
  }
  return { thread: byPrefix(catalog.threads, target, places), family: catalog.threads }
}

function byPrefix(threads: readonly Thread[], target: string, places: readonly string[]): Thread {
  const match = matchThread(
    threads.map(({ id }) => id),
    target,
  )
  if (match.kind === 'ambiguous') {
    throw new UsageError(
      `\`${target}\` is the beginning of ${match.candidates.length} thread ids:\n${match.candidates.map((id) => `  ${id}`).join('\n')}`,
    )
  }
  const thread = match.kind === 'one' ? threads.find(({ id }) => id === match.id) : undefined
  if (thread !== undefined) return thread
  throw new UsageError(
    `No thread id begins with \`${target}\`, and there is no such file. Looked in ${places.join(', ')}; \`codex-export list\` shows what is there.`,
  )
}
