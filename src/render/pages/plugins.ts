/** Calls the hooks of plugins: what they read of each session, what they add to it, and pages of their own. */

import { fieldsOf, type PluginList, sitePlugins } from '../../config/plugins.ts'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { PluginError, PluginFault } from '../../diagnostics/errors.ts'
import { redactStrings, type TextRedactor } from '../../redact/strings.ts'
import { homeLabel, type Thread } from '../../rollout/discover/rollout.ts'
import { pluginFailure } from '../../survey/scan.ts'
import { failingLine } from '../../transcript/preset.ts'
import type { ProjectRef, ScanFacts, SessionSummary } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import { anchorLink, sessionPage } from '../../transcript/urls.ts'
import { isObject } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { hasDeviceName } from '../../util/paths.ts'
import { reasonOf } from '../../util/reason.ts'
import type { OutputFile } from '../output.ts'
import type {
  Plugin,
  PluginFile,
  PluginPage,
  PluginSession,
  SessionAbout,
  SessionAdditions,
  SessionReader,
} from '../plugin.ts'
import { type ContentContext, contentHtml } from '../plugin-content.ts'
import type { SiteInfo } from '../site-info.ts'
import type { PageView } from '../views.ts'
import type { PageHooks, PagesInput, PageType, SitePage } from './page-type.ts'
import { pageView } from './page-view.ts'
import { cutBytes, shortNameBytes } from './rows.ts'
import type { PanelView } from './session/views.ts'

/** What pages need to know about plugins; `undefined` if the site has none. */
export function pluginParts(plugins: PluginList): SiteInfo['pluginParts'] {
  const own = sitePlugins(plugins)
  if (own.length === 0) return undefined
  return { nav: own.flatMap(({ nav = [] }) => nav), fields: fieldsOf(plugins) }
}

/** A redactor that replaces nothing. */
const open: TextRedactor = {
  text: (text) => text,
  named: (text) => text,
  answer: (text) => text,
  inspect: () => [],
}

// What plugins read of one session, and add to it.

/** A session before it is read. */
interface HookedSession {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  redactor?: TextRedactor
}

/** What all plugins together add to a session. */
export interface AddedParts extends Required<Pick<SessionSummary, 'fields' | 'pluginData'>> {
  panels: PanelView[]
}

/** The readers of one session. A plugin that throws is reported and adds nothing to the session. */
export interface SessionHooks {
  page: (tree: Session, page: number) => Promise<void>
  end: (summary: SessionSummary) => Promise<AddedParts>
}

/** Opens the readers of a session; `undefined` if no plugin has any. `fail` is called for each plugin that throws. */
export function sessionHooks(
  plugins: PluginList,
  session: HookedSession,
  fail: (diagnostic: Diagnostic) => void,
): SessionHooks | undefined {
  // The configuration was checked already; only `definePlugin` gives hooks their types.
  const withSession = sitePlugins(plugins).filter((plugin): plugin is Plugin => plugin.session !== undefined)
  if (withSession.length === 0) return undefined
  const readers = new Map<Plugin, SessionReader>()
  const attempt = async (
    plugin: Plugin,
    work: () => unknown,
    again?: Parameters<typeof failingLine>,
  ): Promise<void> => {
    try {
      await work()
    } catch (error) {
      readers.delete(plugin)
      const failingNode = again === undefined ? undefined : await failingLine(...again)
      fail(pluginFailure(new PluginError(plugin.name, error, failingNode), session.thread))
    }
  }
  const start = async (plugin: Plugin): Promise<SessionReader | undefined> =>
    returnedBy('session', await plugin.session?.(aboutSession(session)))
  const opened = Promise.all(
    withSession.map((plugin) =>
      attempt(plugin, async () => {
        const reader = await start(plugin)
        if (reader !== undefined) readers.set(plugin, reader)
      }),
    ),
  )
  return {
    async page(tree, page) {
      await opened
      const link = (id: string) =>
        anchorLink(session.thread.id, { page, anchor: id, pages: session.facts.pages.length })
      for (const [plugin, reader] of readers)
        await attempt(plugin, () => reader.page?.(tree, link), [
          tree,
          async (part) => (await start(plugin))?.page?.(part, link),
        ])
    },
    async end(summary) {
      await opened
      const added: AddedParts = { fields: {}, pluginData: {}, panels: [] }
      const whole = pluginSession(summary)
      for (const [plugin, reader] of readers)
        await attempt(plugin, async () =>
          addParts(plugin, returnedBy('end', await reader.end?.({ ...whole })) ?? {}, { session, added }),
        )
      return added
    },
  }
}

/** What a hook returned, which may be nothing; throws if it is no object. */
function returnedBy<T>(hook: string, value: T | null | undefined): T | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw new PluginFault(`its \`${hook}\` gives a \`${typeof value}\`, not an object`)
  return value
}

/** What is known of a session before it is read. */
function aboutSession({ thread, facts, project }: HookedSession): SessionAbout {
  const { title, startedAt, branch, tags = [] } = facts
  const about = { id: thread.id, title, project: project.name, tags, path: sessionPage(thread.id) }
  return { ...about, ...defined({ startedAt, branch, person: homeLabel(thread) }) }
}

/** Adds what a plugin returned, in the form that pages contain; throws if it is not valid. */
function addParts(
  plugin: Plugin,
  { panel, fields = {}, data, ...others }: SessionAdditions,
  { session, added }: { session: HookedSession; added: AddedParts },
): void {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new PluginFault(`its \`end\` gives the unknown key \`${unknown}\``)
  const { text } = session.redactor ?? open
  const declared = fieldsOf([plugin])
  const values = Object.entries(fields).map(([name, value]): [string, readonly string[]] => {
    const field = declared.find((one) => one.name === name)
    if (field === undefined) throw new PluginFault(`it gives the field \`${name}\`, which it does not declare`)
    return [name, fieldValues(name, value, text)]
  })
  const shown =
    panel === undefined
      ? []
      : [
          {
            heading: line('the heading of a panel', panel.heading, text),
            body: contentHtml(panel.body, panelContext(sessionPage(session.thread.id), text)),
          },
        ]
  const kept = data === undefined ? undefined : plainData(data, session.redactor)
  added.fields = { ...added.fields, ...Object.fromEntries(values.filter(([, list]) => list.length > 0)) }
  if (kept !== undefined) added.pluginData = { ...added.pluginData, [plugin.name]: kept }
  added.panels.push(...shown)
}

function panelContext(path: string, text: ContentContext['text']): ContentContext {
  return { path, level: 3, keepIds: false, text }
}

/** Values of one field of one session that lists and filters use. */
const maxValues = 20

function fieldValues(name: string, value: string | readonly string[], text: (text: string) => string): string[] {
  const values = [value]
    .flat()
    .map((one) => cutBytes(line(`a value of the field \`${name}\``, one, text), shortNameBytes))
  return [...new Set(values)].filter((one) => one !== '').slice(0, maxValues)
}

function line(what: string, value: string, text: (text: string) => string): string {
  if (typeof value !== 'string') throw new PluginFault(`${what} is \`${typeof value}\`, not a text`)
  return text(value).replace(/\s+/g, ' ').trim()
}

/** A redacted copy, as JSON would keep it. */
function plainData(data: unknown, redactor: HookedSession['redactor'] = open): unknown {
  // Below this key every string is redacted, whatever its field is called.
  const holder: { payload: unknown } = { payload: asJson(data) }
  redactStrings(holder, redactor)
  return holder.payload
}

function asJson(data: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(data))
  } catch (error) {
    throw new PluginFault(`its \`data\` is not plain: ${reasonOf(error)}`)
  }
}

/** What a hook may know about a session. */
function pluginSession(summary: SessionSummary): PluginSession {
  const { threadId, title, project, startedAt, endedAt, branch, label, tags = [], status, models, turns } = summary
  const { agent, commands, edits, usage } = summary
  return {
    ...{ id: threadId, title, project: project.name, tags, path: sessionPage(threadId) },
    ...{ status, models, turns, commands, edits, isAgent: agent !== undefined },
    ...defined({ startedAt, endedAt, branch, person: label, tokens: usage?.total }),
  }
}

// Pages of their own.

/** `html/page.eta`, and templates of the user that plugins name. */
interface OwnPageView extends PageView {
  heading: string
  /** Sanitised HTML of what the plugin returned, printed raw. */
  body: string
  /** What the plugin returned for its own template. */
  data?: unknown
}

/** The page type of all plugins. A plugin that throws is reported; the pages that it returned before are kept. */
export const pluginPages: PageType = {
  open: (input) => ({
    *pages() {
      const { hooks } = input
      const usedPaths = new Set<string>()
      if (hooks === undefined) return
      const plugins = sitePlugins(hooks.plugins) as Plugin[]
      for (const plugin of plugins) if (plugin.pages !== undefined) yield* pagesOf(plugin, { input, hooks, usedPaths })
      for (const plugin of plugins)
        for (const { path } of plugin.nav ?? []) checkLink(plugin, path, { hooks, usedPaths })
    },
  }),
}

/** Reports a link of the bar to a page that no plugin gave. The site's own names are not checked. */
function checkLink(
  plugin: Plugin,
  path: string,
  { hooks, usedPaths }: { hooks: PageHooks; usedPaths: ReadonlySet<string> },
): void {
  const page = path.replace(/[?#].*$/s, '')
  if (usedPaths.has(page) || siteNames.has(page.replace(/\/.*$/s, ''))) return
  const fault = new PluginFault(`its \`nav\` links to \`${page}\`, and no plugin gives that page`)
  hooks.fail(diagnostic('plugin-failed', {}, `Its links: ${new PluginError(plugin.name, fault).what}.`))
}

function* pagesOf(
  plugin: Plugin,
  { input, hooks, usedPaths }: { input: PagesInput; hooks: PageHooks; usedPaths: Set<string> },
): Generator<SitePage> {
  const { site, sorted } = input
  const sessions = sorted.map((summary) => ({
    ...pluginSession(summary),
    fields: summary.fields ?? {},
    ...defined({ data: summary.pluginData?.[plugin.name] }),
  }))
  try {
    const all = plugin.pages?.({ title: site.title, sessions }) ?? []
    if (typeof all[Symbol.iterator] !== 'function') throw new PluginFault('its `pages` gives no list and no generator')
    for (const file of all) {
      const problem = pathProblem(file, usedPaths)
      if (problem !== undefined) throw new PluginFault(`it gives the path \`${file.path}\`: ${problem}`)
      usedPaths.add(file.path)
      const { path, content } = 'content' in file ? ownFile(file, hooks) : ownPage(file, input, hooks)
      yield { path, content: () => content }
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'ConfigError') throw error
    hooks.fail(diagnostic('plugin-failed', {}, `Its pages: ${new PluginError(plugin.name, error).what}.`))
  }
}

/** Pictures stay as they are; all other files are redacted as text, also if their content is bytes. */
function ownFile({ path, content }: PluginFile, { redactor = open }: PageHooks): OutputFile {
  if (pictureEndings.includes(path.replace(/^.*\./, ''))) return { path, content }
  return { path, content: redactor.text(typeof content === 'string' ? content : new TextDecoder().decode(content)) }
}

function ownPage(
  { path, title, description, body = '', template = 'html/page', data }: PluginPage,
  { templates, site }: PagesInput,
  { redactor = open }: PageHooks,
): OutputFile {
  if (!templates.has(template)) throw new PluginFault(`there is no template \`${template}\``)
  const heading = line(`the title of \`${path}\``, title, redactor.text)
  const view: OwnPageView = {
    ...pageView(path, heading, site, defined({ description: description && redactor.text(description) })),
    heading,
    body: contentHtml(body, { path, level: 2, keepIds: true, text: redactor.text }),
    data: data === undefined ? undefined : plainData(data, redactor),
  }
  return { path, content: templates.render(template, view) }
}

/** Folders and files at the root of a site that a plugin may not use. */
const siteNames: ReadonlySet<string> = new Set([
  ...['assets', 'commits', 'failures', 'files', 'months', 'pagefind', 'projects', 'search', 'sessions', 'stats'],
  ...['index.html', '404.html', 'favicon.svg', 'robots.txt', 'llms.txt', 'manifest.json', 'build-report.json'],
  ...['feed.xml', 'sitemap.xml', 'sw.js'],
  // Pages that `share` adds to the site.
  'shared',
])

const safePath = /^[a-z0-9_][a-z0-9_-]*(?:\/[a-z0-9_][a-z0-9_-]*)*\.([a-z0-9]+)$/
const pictureEndings = ['avif', 'gif', 'jpeg', 'jpg', 'png', 'webp']
const textEndings = ['csv', 'json', 'md', 'txt']

function pathProblem(file: PluginPage | PluginFile, usedPaths: ReadonlySet<string>): string | undefined {
  const { path } = file
  const [, ending = ''] = (typeof path === 'string' && path.length <= 200 && safePath.exec(path)) || []
  if (ending === '' || hasDeviceName(path)) return 'it is not made of small letters, digits, `-` and `_`'
  if (siteNames.has(path.replace(/\/.*$/, ''))) return 'the site has that name for itself'
  if (usedPaths.has(path)) return 'another page has it'
  const endings = 'content' in file ? [...pictureEndings, ...textEndings] : ['html']
  return endings.includes(ending) ? undefined : `it does not end in ${endings.map((name) => `\`.${name}\``).join(', ')}`
}
