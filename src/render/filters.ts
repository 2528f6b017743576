/** What the filters of the start page offer. The script adds the rest when it has loaded the catalog. */
import type { SessionSummary } from '../model/summary.ts'
import type { Status } from '../model/trast.ts'
import { monthOf, monthTitle } from './dates.ts'
import { cutBytes, placeBytes } from './rows.ts'
import type { ChoiceView, FiltersView } from './views.ts'

/** Options of a choice in the page: those of the newest sessions. */
const mostOptions = 50

const statusNames: Readonly<Record<Status, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  declined: 'Declined',
  interrupted: 'Interrupted',
  running: 'Still running',
  unknown: 'End not known',
}

/** The filters over sorted sessions; `parts` are links to the parts of the catalog. */
export function filtersView(sorted: readonly SessionSummary[], parts: string[], timeZone: string): FiltersView {
  const cut = (text: string) => cutBytes(text, placeBytes)
  return {
    parts: parts.join(' '),
    choices: [
      choice(sorted, { name: 'project', label: 'Project', any: 'Any project' }, ({ project }) => [
        [project.slug, cut(project.name)],
      ]),
      choice(sorted, { name: 'model', label: 'Model', any: 'Any model' }, ({ models }) =>
        models.map((model) => [model, cut(model)]),
      ),
      choice(sorted, { name: 'branch', label: 'Branch', any: 'Any branch' }, ({ branch }) =>
        branch === undefined ? [] : [[cut(branch), cut(branch)]],
      ),
      choice(sorted, { name: 'month', label: 'Month', any: 'Any month' }, ({ startedAt }) => {
        const month = monthOf(startedAt, timeZone)
        return [[month, monthTitle(month)]]
      }),
      choice(sorted, { name: 'status', label: 'State', any: 'Any state' }, ({ status }) => [
        [status, statusNames[status]],
      ]),
    ],
    checks: [
      { name: 'errors', text: 'Something failed' },
      { name: 'edits', text: 'Files edited' },
    ],
  }
}

function choice(
  sorted: readonly SessionSummary[],
  words: Omit<ChoiceView, 'options'>,
  of: (summary: SessionSummary) => [value: string, text: string][],
): ChoiceView {
  const options = new Map<string, string>()
  for (const summary of sorted) {
    for (const [value, text] of of(summary)) options.set(value, options.get(value) ?? text)
    if (options.size >= mostOptions) break
  }
  return { ...words, options: [...options].map(([value, text]) => ({ value, text })) }
}
