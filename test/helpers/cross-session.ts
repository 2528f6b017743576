/** The pages across sessions, from hand-made facts. */

import { renderSite } from '../../src/render/pages/site.ts'
import { loadTemplates } from '../../src/render/templates-fs.ts'
import type { SessionDetail, SessionSummary } from '../../src/transcript/summary.ts'
import { siteInfo } from './render.ts'
import { detail, summary, threadNumber } from './summary.ts'
import { parseTags } from './tags.ts'

/** One session: fields of its summary and of its details. */
export interface SessionFacts {
  summary?: Partial<SessionSummary>
  detail?: Partial<SessionDetail>
}

/** HTML files of a site by path, checked to be well formed; sessions get the thread numbers 1, 2, … */
export async function acrossSite(sessions: readonly SessionFacts[], site = {}): Promise<Map<string, string>> {
  const templates = await loadTemplates()
  const ids = sessions.map((_, index) => threadNumber(index + 1))
  const summaries = sessions.map((facts, index) => summary({ threadId: ids[index] ?? '', ...facts.summary }))
  const details = new Map(
    sessions.map((facts, index) => [ids[index], detail({ threadId: ids[index] ?? '', ...facts.detail })]),
  )
  const files = renderSite(summaries, { templates, site: siteInfo(site), kept: { detailOf: (id) => details.get(id) } })
  const pages = [...files].filter(({ path }) =>
    /^(?:(?:files|failures|commits|stats|projects)\/.*|index)\.html$/.test(path),
  )
  return new Map(
    pages.map(({ path, content }) => {
      const html = String(content())
      parseTags(html)
      return [path, html]
    }),
  )
}

/** The text of a page. */
export function textOf(files: ReadonlyMap<string, string>, path: string): string {
  const html = files.get(path)
  if (html === undefined) throw new Error(`no \`${path}\` among ${[...files.keys()].join(', ')}`)
  return parseTags(html).text
}
