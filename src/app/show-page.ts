/** `show --format html`: one page that needs no other file. */

import type { Publication } from '../model/publication.ts'
import { loadAssets } from '../render/assets-fs.ts'
import { inlineScript, inlineStyle } from '../render/inline.ts'
import { singlePolicy } from '../render/policy.ts'
import type { SessionPage } from '../render/session-page.ts'
import { singleView } from '../render/single-view.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import { defined } from '../util/defined.ts'
import { withoutInternals } from './curation.ts'
import { spooled } from './page-spool-fs.ts'
import { projectOf } from './project.ts'
import type { ShownThread } from './show-thread.ts'
import type { Look } from './types.ts'

/**
 * Loads templates, style sheet and script, and gives what writes the page of a thread and of the sub-agents behind it, in
 * pieces. Throws `ConfigError` for parts of the user's own that cannot be used.
 */
export async function loadPage(
  look: Look,
  publication: Publication | undefined,
): Promise<(threads: readonly ShownThread[]) => Iterable<string>> {
  const [templates, assets] = await Promise.all([loadTemplates(look.templatesDir), loadAssets(look.templatesDir)])
  const [style, script] = [inlineStyle(assets.styleText), inlineScript(assets.scriptText)]
  const policy = singlePolicy(style, script)
  return (threads) => {
    const pages = threads.map((thread, index) => sessionPageOf(thread, marker(index), { look, publication }))
    return filled(templates.single({ ...singleView(pages), style, script, policy }), threads)
  }
}

function sessionPageOf(
  shown: ShownThread,
  body: string,
  { look, publication }: { look: Look; publication: Publication | undefined },
): SessionPage {
  const { session, facts, neighbours, overview, detail, hidden, context, prefix } = shown
  const { title, timeZone, language, generator } = look
  const outline = facts.outline.map((entry) => ({ ...entry, anchor: prefix + entry.anchor, page: 1 }))
  return {
    session,
    facts: { ...facts, pages: facts.pages.slice(0, 1), outline },
    project: projectOf(facts.remote, facts.cwds[0]),
    page: 1,
    neighbours,
    overview,
    detail,
    hidden,
    body,
    site: {
      title,
      timeZone,
      language,
      generator,
      search: false,
      markdown: false,
      json: false,
      css: '',
      js: '',
      searchJs: '',
      ...defined({ withoutInternals: withoutInternals(publication) }),
    },
    context,
  }
}

/** Stands for a body in the page. Text of a transcript can never look like it: there, `<` is written as an entity. */
function marker(index: number): string {
  return `<!--body ${index}-->`
}

function* filled(html: string, threads: readonly ShownThread[]): Generator<string> {
  let end = 0
  for (const match of html.matchAll(/<!--body (\d+)-->/g)) {
    yield html.slice(end, match.index)
    const slices = threads[Number(match[1])]?.slices
    if (slices !== undefined) yield* spooled(slices)
    end = match.index + match[0].length
  }
  yield html.slice(end)
}
