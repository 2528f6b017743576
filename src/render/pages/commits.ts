/** The pages of the commits and pull requests that sessions made, with links to where hosts show them. */

import type { MadeReference, SessionSummary } from '../../transcript/summary.ts'
import { anchorLink, commitsPage, relativeLink } from '../../transcript/urls.ts'
import { compareText } from '../../util/compare.ts'
import { sumBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { CommitsView } from '../cross-session-views.ts'
import { timeView } from '../dates.ts'
import { firstLine, requestName } from '../phrases.ts'
import type { SiteInfo } from '../site-info.ts'
import { literalText } from '../visible-text.ts'
import type { PageSource, PageType } from './page-type.ts'
import { pageView } from './page-view.ts'
import { pageSteps } from './projects.ts'
import { cutBytes, cutName } from './rows.ts'

/** Commits and pull requests on one page. */
const maxListed = 150
const textBytes = { label: 130, title: 90 }

/** A commit or pull request, and the session that made it. */
interface Made extends MadeReference {
  session: Pick<SessionSummary, 'threadId' | 'title' | 'project' | 'pages'>
  remote?: string
}

/** Pages of commits and pull requests, the newest first; none if no session made any. */
export const commitPages: PageType = {
  open({ templates, sorted, site }): PageSource<Made[]> {
    const all: Made[] = []
    let own: Made[] = []
    return {
      begin() {
        own = []
      },
      add({ threadId, title, project, pages }, { made, remote }) {
        const session = { threadId, title, project, pages }
        for (const reference of made) own.push({ ...reference, session, ...defined({ remote }) })
      },
      end: () => ({ pages: [], part: own }),
      addPart(_, part) {
        for (const made of part) all.push(made)
      },
      *pages() {
        all.sort(newestFirst)
        const count = Math.ceil(all.length / maxListed)
        for (let page = 1; page <= count; page++) {
          const listed = all.slice((page - 1) * maxListed, page * maxListed)
          const listPage = { page, count, unlisted: madeBy(sorted) - all.length, made: sorted, site }
          const content = () => templates.render('html/commits', commitsView(listed, listPage))
          yield { path: commitsPage(page), content }
        }
      },
    }
  },
}

/** How many commits and pull requests sessions made. */
export function madeBy(sessions: readonly SessionSummary[]): number {
  return sessions.reduce((sum, { commits = 0, pullRequests = 0 }) => sum + commits + pullRequests, 0)
}

function newestFirst(a: Made, b: Made): number {
  return (
    compareText(b.at ?? '', a.at ?? '') ||
    compareText(a.session.threadId, b.session.threadId) ||
    compareText(b.target, a.target)
  )
}

interface ListPage {
  /** 1-based; `count` is the number of pages. */
  page: number
  count: number
  /** How many very long sessions made that are not listed, because their details keep only the newest. */
  unlisted: number
  made: readonly SessionSummary[]
  site: SiteInfo
}

function commitsView(listed: readonly Made[], { page, count, unlisted, made, site }: ListPage): CommitsView {
  const path = commitsPage(page)
  const sum = (of: (summary: SessionSummary) => number | undefined) => sumBy(made, (summary) => of(summary) ?? 0)
  const [commits, requests] = [sum(({ commits }) => commits), sum(({ pullRequests }) => pullRequests)]
  const heading = 'Commits and pull requests'
  return {
    ...pageView(path, page === 1 ? heading : `${heading}, page ${page}`, site, {
      description: 'Commits and pull requests that sessions made, each with its session and turn.',
    }),
    heading,
    summary: joinTexts(
      [
        commits === 0 ? '' : formatAmount(commits, 'commit'),
        requests === 0 ? '' : formatAmount(requests, 'pull request'),
      ],
      ' · ',
    ),
    rows: listed.map((item) => rowView(item, path, site)),
    steps: pageSteps('Pages of these commits', { page, count }, (number) => relativeLink(path, commitsPage(number))),
    remark: unlisted > 0 ? `${formatCount(unlisted)} more of very long sessions are not listed.` : '',
  }
}

function rowView(item: Made, path: string, site: SiteInfo): CommitsView['rows'][number] {
  const { session, kind, target, label = '', turn } = item
  const title = cutBytes(firstLine(session.title, 200), textBytes.title)
  const place = [cutName(session.project.name), turn === 0 ? '' : `turn ${turn}`, title]
  const href = kind === 'commit' ? commitUrl(item.remote, target) : knownUrl(target)
  return {
    href: relativeLink(path, anchorLink(session.threadId, { ...item, pages: session.pages })),
    label: literalText(cutBytes(firstLine(label, 200), textBytes.label)) || target,
    place: joinTexts(place, ' · '),
    name: kind === 'commit' ? target.slice(0, 10) : requestName(target),
    ...defined({ remote: href }),
    ...defined({ time: timeView(item.at, site.timeZone, 'minute') }),
  }
}

// Where public hosts show a commit. An unknown host may be private, so it is not linked.

/** Path between a repository and the hash of a commit, by host. */
const commitPaths: Readonly<Record<string, string>> = {
  'github.com': 'commit',
  'gitlab.com': '-/commit',
  'bitbucket.org': 'commits',
  'codeberg.org': 'commit',
  'git.sr.ht': 'commit',
}

/** Address of a commit on the host of a remote; `undefined` if the host is not a known one or the hash is invalid. */
export function commitUrl(remote: string | undefined, hash: string): string | undefined {
  const { host, repository } = repositoryOf(remote) ?? {}
  if (host === undefined || repository === undefined || !/^[0-9a-f]{7,64}$/.test(hash)) return undefined
  return `https://${host}/${repository}/${commitPaths[host]}/${hash}`
}

/** An address on a known host, without anything that is not part of the path. */
function knownUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname } = new URL(url)
  const isKnown = /^https?:$/.test(protocol) && port === '' && Object.hasOwn(commitPaths, hostname)
  return isKnown ? `https://${hostname}${pathname}` : undefined
}

/** Host and path of a repository, from an address (`https://…`, `ssh://…`, `git://…`) or the form of ssh (`git@host:path`). */
function repositoryOf(remote = ''): { host: string; repository: string } | undefined {
  const [, written, path = ''] =
    /^(?:https?|ssh|git|git\+ssh):\/\/(?:[^@/\s]*@)?([\w.-]+)(?::\d+)?\/+([^/?#\s][^?#\s]*)$/i.exec(remote) ??
    /^(?:[^@/:\s]+@)?([\w.-]+):(?!\/\/)\/*([^?#\s]+)$/.exec(remote) ??
    []
  // GitHub and GitLab accept ssh on the port of https under separate host names.
  const host = written?.toLowerCase().replace(/^(?:www|ssh|altssh)\./, '')
  const repository = path.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
  const names = repository.split('/')
  const isRepository = names.length > 1 && names.every((name) => /^~?[\w][\w.-]*$|^\.[\w-][\w.-]*$/.test(name))
  return host !== undefined && Object.hasOwn(commitPaths, host) && isRepository ? { host, repository } : undefined
}
