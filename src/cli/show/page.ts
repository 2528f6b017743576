/** `show --format html`: one page that needs no other file. */

import { tokensOf } from '../../config/plugins.ts'
import { pageSettings } from '../../config/schema.ts'
import { loadStandaloneAssets } from '../../render/assets-fs.ts'
import type { SessionPage } from '../../render/pages/session/session-page.ts'
import { inlineScript, inlineStyle, relinker, singleView } from '../../render/pages/standalone.ts'
import { singlePolicy } from '../../render/policy.ts'
import { bodyMark, withBodies } from '../../render/templates.ts'
import { loadTemplates } from '../../render/templates-fs.ts'
import { drawTex, loadHighlight } from '../../render/transcript/engines-fs.ts'
import { bodyTree, writeBody } from '../../render/transcript/html.ts'
import { withoutInternals } from '../../site/curation.ts'
import { spooled } from '../../site/spool-fs.ts'
import { projectOf } from '../../survey/project.ts'
import { defined } from '../../util/own.ts'
import type { ShowOptions } from './target.ts'
import type { Output, ShownThread } from './thread.ts'

/**
 * Loads templates, style sheet, script and colours, and returns the writer for a page with a thread and the sub-agents that
 * follow it. Throws a `ConfigError` if the user's own templates or assets cannot be used.
 */
export async function pageOutput(options: ShowOptions): Promise<Output> {
  const { templatesDir } = options
  const [templates, assets, highlight] = await Promise.all([
    loadTemplates(templatesDir),
    loadStandaloneAssets(templatesDir, tokensOf(options)),
    loadHighlight(),
  ])
  const [style, script] = [inlineStyle(assets.style), inlineScript(assets.script)]
  const policy = singlePolicy(style, script)
  return {
    slice: (slice, context) => writeBody(bodyTree(slice, context)),
    pieces(threads) {
      const pages = threads.map((thread, index) => sessionPageOf(thread, bodyMark(index), options))
      const html = templates.render('html/single', { ...singleView(pages), style, script, policy })
      return withBodies(html, (index) => {
        const thread = threads[index]
        return thread === undefined ? [] : spooled(thread.slices)
      })
    },
    context:
      ([first = '', ...below], pictures) =>
      (id) => ({
        highlight,
        drawTex,
        picture: pictures.address,
        relink: relinker(id, first, below),
      }),
  }
}

function sessionPageOf(shown: ShownThread, body: string, options: ShowOptions): SessionPage {
  const { session, facts, neighbours, overview, detail, hidden, context, prefix } = shown
  const outline = facts.outline.map((entry) => ({ ...entry, anchor: prefix + entry.anchor, page: 1 }))
  return {
    session,
    facts: { ...facts, pages: facts.pages.slice(0, 1), outline },
    project: projectOf(facts),
    page: 1,
    neighbours,
    overview,
    detail,
    hidden,
    body,
    site: {
      ...pageSettings(options),
      generator: options.generator,
      search: false,
      markdown: false,
      json: false,
      css: '',
      js: '',
      searchJs: '',
      findJs: '',
      curationJs: '',
      filterJs: '',
      plainStyle: '',
      plainScript: '',
      ...defined({ withoutInternals: withoutInternals(options.publication) }),
    },
    context,
  }
}
