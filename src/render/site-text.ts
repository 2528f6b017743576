/** Small text files at the root of the site. */
import type { SessionSummary } from '../model/summary.ts'
import { sessionMarkdown, sessionPage } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { dayOf } from './dates.ts'
import { withoutControls } from './literal.ts'
import { firstLine } from './words.ts'

/** Sessions that `llms.txt` names. */
const most = 200

/** `robots.txt`: transcripts are for their readers, not for search engines. */
export const robotsFile = 'User-agent: *\nDisallow: /\n'

/** `favicon.svg`: a prompt sign and a cursor. */
export const iconFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2557ad"/>
<path d="M8 9l7 7-7 7M17 23h8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`

/** `llms.txt`: the newest sessions as a Markdown list of links, to the Markdown twins where those are built. */
export function llmsFile(sorted: readonly SessionSummary[], site: SiteInfo): string {
  const lines = sorted.slice(0, most).map((summary) => {
    const href = site.markdown ? sessionMarkdown(summary.threadId) : sessionPage(summary.threadId)
    const day = dayOf(summary.startedAt, site.timeZone)
    return `- [${plain(summary.title)}](${href}): ${plain(summary.project.name)}, ${day}`
  })
  const head = [`# ${plain(site.title)}`, '', '> Transcripts of Codex sessions.', '', '## Sessions', '']
  return `${[...head, ...lines].join('\n')}\n`
}

/** One line without anything that Markdown could act on. */
function plain(text: string): string {
  return withoutControls(firstLine(text, 120)).replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
}
