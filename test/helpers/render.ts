/** Renders complete trees, most of them made by hand. */

import { pageSettings } from '../../src/config/schema.ts'
import { renderSite } from '../../src/render/pages/site.ts'
import type { SiteInfo } from '../../src/render/site-info.ts'
import type { Templates } from '../../src/render/templates.ts'
import type { RenderContext } from '../../src/render/transcript/context.ts'
import { renderBody } from '../../src/render/transcript/html.ts'
import { envelopeFoot, envelopeHead } from '../../src/render/transcript/json.ts'
import { referenceEngine } from '../../src/render/transcript/prose/engine.ts'
import { renderTextFoot, renderTextHead, renderTextSlice } from '../../src/render/transcript/text.ts'
import type { ThreadLink } from '../../src/survey/neighbours.ts'
import type { SessionSummary } from '../../src/transcript/summary.ts'
import type { FlowContent, Session, TopContent } from '../../src/transcript/trast.ts'
import { plainBuild } from './surroundings.ts'
import { session, threadId, turn } from './tree.ts'

/** A context in UTC with the reference engine; `threads` are those on the site. */
export function context(threads: Record<string, ThreadLink> = {}, fields: Partial<RenderContext> = {}): RenderContext {
  return { threadId, timeZone: 'UTC', threads: (id) => threads[id], engine: referenceEngine, ...fields }
}

/** HTML of top content. */
export function body(children: TopContent[], using: RenderContext = context(), fields: Partial<Session> = {}): string {
  return renderBody({ ...session(children), ...fields }, using)
}

/** HTML of items in a turn. */
export function items(
  children: FlowContent[],
  using: RenderContext = context(),
  fields: Partial<Session> = {},
): string {
  return body([turn(children, { id: 'turn' })], using, fields)
}

/** A complete transcript as plain text. */
export function renderText(tree: Session, using: RenderContext): string {
  return [renderTextHead, renderTextSlice, renderTextFoot].map((render) => render(tree, using)).join('')
}

/** A complete tree as one JSON document. */
export function jsonTree(tree: Session, generator: string): string {
  const children = tree.children.map((child) => JSON.stringify(child)).join(',')
  return envelopeHead(tree, generator) + children + envelopeFoot(tree)
}

/** Settings of a site in tests. */
export function siteInfo(fields: Partial<SiteInfo> = {}): SiteInfo {
  return {
    ...pageSettings(plainBuild({ title: 'Sessions' })),
    generator: 'codex-export 0.0.0',
    search: true,
    markdown: true,
    json: false,
    css: 'site.0000000000.css',
    js: 'site.0000000000.js',
    searchJs: 'search.0000000000.js',
    findJs: 'find.0000000000.js',
    curationJs: 'curation.0000000000.js',
    filterJs: 'filters.0000000000.js',
    plainStyle: ':root {}',
    plainScript: 'void 0',
    ...fields,
  }
}

/** Files of the pages across sessions by path. */
export function siteFiles(
  templates: Templates,
  summaries: SessionSummary[],
  fields: Partial<SiteInfo> = {},
): Map<string, string> {
  const files = [...renderSite(summaries, { templates, site: siteInfo(fields) })]
  return new Map(files.map(({ path, content }) => [path, String(content())]))
}
