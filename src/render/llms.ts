/** `llms.txt`: what the site is and where its texts are, for programs that read Markdown. */
import type { ProjectRef, SessionSummary } from '../model/summary.ts'
import { projectPage, publicUrl, sessionMarkdown, sessionPage } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { dayOf } from './dates.ts'
import { withoutControls } from './literal.ts'
import { siteDescription } from './open-graph.ts'
import { firstLine } from './words.ts'

/** Sessions and projects that are named. */
const mostSessions = 200
const mostProjects = 100

/** The file, from sessions sorted by `byStart`: links to the Markdown twins where those are built. */
export function llmsFile(sorted: readonly SessionSummary[], site: SiteInfo): string {
  const projects = projectsOf(sorted)
  const sections = [
    [`# ${plain(site.title)}`],
    [`> ${plain(siteDescription(site))}`],
    [about(sorted.length, site)],
    ['## Sessions'],
    sorted.slice(0, mostSessions).map((summary) => sessionLine(summary, site)),
    rest(sorted.length - mostSessions, 'older session', site),
    ['## Projects'],
    projects.slice(0, mostProjects).map((project) => projectLine(project, site)),
    rest(projects.length - mostProjects, 'more project', site),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function about(count: number, site: SiteInfo): string {
  const what = `${formatAmount(count, 'session')} of Codex, a coding agent, newest first: prompts, answers, commands, edits.`
  return site.markdown
    ? `${what} Each link leads to a whole session as Markdown; \`index.html\` beside it is the same as a page.`
    : what
}

function sessionLine({ threadId, title, project, startedAt, firstPrompt }: SessionSummary, site: SiteInfo): string {
  const href = link(site.markdown ? sessionMarkdown(threadId) : sessionPage(threadId), site)
  const facts = [plain(project.name), dayOf(startedAt, site.timeZone)].join(', ')
  const prompt = plain(firstPrompt ?? '')
  const name = plain(title) || threadId
  return `- [${name}](${href}): ${prompt === '' || prompt.startsWith(name) ? facts : `${facts}. ${prompt}`}`
}

function projectLine({ ref, sessions }: Project, site: SiteInfo): string {
  return `- [${plain(ref.name)}](${link(projectPage(ref.slug), site)}): ${formatAmount(sessions, 'session')}`
}

function rest(count: number, noun: string, site: SiteInfo): string[] {
  if (count <= 0) return []
  return [
    `And ${formatCount(count)} ${noun}${count === 1 ? '' : 's'}: see [the start page](${link('index.html', site)}).`,
  ]
}

interface Project {
  ref: ProjectRef
  sessions: number
}

/** Projects in the order of their newest session. */
function projectsOf(sorted: readonly SessionSummary[]): Project[] {
  const projects = new Map<string, Project>()
  for (const { project } of sorted) {
    const known = projects.get(project.slug) ?? { ref: project, sessions: 0 }
    known.sessions++
    projects.set(project.slug, known)
  }
  return [...projects.values()]
}

function link(path: string, { url }: SiteInfo): string {
  return url === undefined ? path : publicUrl(url, path)
}

/** One line without anything that Markdown could act on. A bare address would take the backslash in before a tag. */
function plain(text: string): string {
  return withoutControls(firstLine(text, 120))
    .replace(/[\\`*_{}[\]!>#|~&]/g, '\\$&')
    .replace(/</g, '&lt;')
}
