/** What one session gives to the index of the search: a pruned page a slice, and what the search filters by. */

import type { SearchRecord } from '../render/output.ts'
import { dayOf } from '../render/pages/dates.ts'
import type { AddedParts } from '../render/pages/plugins.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import { renderSearchPage, withWords } from '../search/page.ts'
import type { Session } from '../transcript/trast.ts'
import { sessionPage } from '../transcript/urls.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import type { SessionContext, SessionJob } from './context.ts'
import { labelOf } from './session-detail.ts'

/** Collects slice by slice. */
export interface SearchCollector {
  /** Gives the pruned page of a slice to the cache, where the search stage finds it. `failed`: something in it did. */
  take: (slice: Session, context: RenderContext & { page: number }, failed: boolean) => void
  /** Takes fields of plugins: the search filters by those that it knows, and finds the session by their values. */
  addFields: (fields: AddedParts['fields']) => void
  records: () => SearchRecord[]
}

/** A collector before the first slice. */
export function searchCollector(
  { thread, facts, project }: SessionJob,
  { site, keepPage }: SessionContext,
): SearchCollector {
  let records: SearchRecord[] = []
  /** Known until it is told which words plugins add to it. */
  let first = ''
  const { title, startedAt, tags } = facts
  return {
    take(slice, context, failed) {
      const html = renderSearchPage(slice, context, {
        ...{ title, project: project.name, words: context.page === 1 ? [slice.threadId, ...(tags ?? [])] : [] },
        ...defined({ outputs: site.searchOutputs, startedAt }),
      })
      const path = sessionPage(slice.threadId, context.page)
      if (context.page === 1 && site.pluginParts !== undefined) first = html
      keepPage(path, html)
      records.push({
        ...{ path, hash: sha256(html), day: dayOf(startedAt, site.timeZone), size: html.length },
        facts: {
          ...{ project: project.name, models: slice.models, failed, isAgent: slice.lineage.parentId !== undefined },
          ...defined({ startedAt, branch: slice.git?.branch, label: labelOf(thread), tags, state: facts.state }),
        },
      })
    },
    addFields(fields) {
      const known = site.pluginParts?.fields.filter(({ name, search }) => search && fields[name] !== undefined) ?? []
      if (known.length === 0) return
      const own = Object.fromEntries(known.map(({ name }) => [name, fields[name] ?? []]))
      records = records.map((record) => {
        const facts = { ...record.facts, fields: own }
        if (record.path !== sessionPage(thread.id)) return { ...record, facts }
        const html = withWords(first, Object.values(own).flat())
        keepPage(record.path, html)
        return { ...record, facts, hash: sha256(html), size: html.length }
      })
    },
    records: () => records,
  }
}
