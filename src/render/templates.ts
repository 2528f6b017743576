/** Templates: eta sources compiled once, called once a page. */

import { Eta } from 'eta/core'
import { ConfigError } from '../diagnostics/errors.ts'
import { sha256 } from '../util/hash.ts'
import type { ContextView, FailuresView, FilesView, ProjectFilesView, StatsView } from './cross-session-views.ts'
import type {
  IndexView,
  ListView,
  LockView,
  PageView,
  ProjectsView,
  ProjectView,
  SearchView,
  SessionView,
  SingleView,
} from './views.ts'
import { withoutControls } from './visible-text.ts'

/** One function a page type; each gives the whole document. */
export interface Templates {
  /** Differs where any source differs. */
  key: string
  session: (view: SessionView) => string
  /** A session page that needs no other file. */
  single: (view: SingleView) => string
  index: (view: IndexView) => string
  list: (view: ListView) => string
  project: (view: ProjectView) => string
  projects: (view: ProjectsView) => string
  files: (view: FilesView) => string
  projectFiles: (view: ProjectFilesView) => string
  failures: (view: FailuresView) => string
  stats: (view: StatsView) => string
  /** What the model remembers of a session. */
  context: (view: ContextView) => string
  search: (view: SearchView) => string
  notFound: (view: PageView) => string
  /** The login page of a locked site. */
  lock: (view: LockView) => string
}

/** Names of the templates, below `templates/` and without `.eta`. A template includes another as `@<name>`. */
export const templateNames = [
  'html/layout',
  'html/session',
  'html/single',
  'html/index',
  'html/list',
  'html/project',
  'html/projects',
  'html/files',
  'html/project-files',
  'html/failures',
  'html/stats',
  'html/context',
  'html/search',
  'html/not-found',
  'html/lock',
  'partials/about',
  'partials/agent',
  'partials/actions',
  'partials/branches',
  'partials/calendar',
  'partials/comfort',
  'partials/changes',
  'partials/days',
  'partials/facts',
  'partials/filters',
  'partials/head',
  'partials/outline',
  'partials/pager',
  'partials/receipt',
  'partials/relations',
  'partials/search',
  'partials/steps',
  'partials/timeline',
  'partials/turns',
] as const

/** Name of a template. */
export type TemplateName = (typeof templateNames)[number]

/** Where a source comes from, for messages. */
export interface TemplateSource {
  source: string
  file: string
}

/**
 * Compiles all templates. What is printed by `<%= %>` is escaped.
 * @throws ConfigError when a template does not compile or, later, when it fails on a page.
 */
export function compileTemplates(sources: Readonly<Record<TemplateName, TemplateSource>>): Templates {
  const eta = new Eta({ autoEscape: true, cache: true, escapeFunction: escapeText })
  for (const name of templateNames) {
    const { source, file } = sources[name]
    guard(file, 'compile', () => eta.loadTemplate(`@${name}`, source))
  }
  const page =
    <View extends object>(name: TemplateName) =>
    (view: View): string =>
      guard(sources[name].file, 'render', () => eta.render(`@${name}`, view))
  return {
    key: sha256(JSON.stringify(templateNames.map((name) => sources[name].source))),
    session: page('html/session'),
    single: page('html/single'),
    index: page('html/index'),
    list: page('html/list'),
    project: page('html/project'),
    projects: page('html/projects'),
    files: page('html/files'),
    projectFiles: page('html/project-files'),
    failures: page('html/failures'),
    stats: page('html/stats'),
    context: page('html/context'),
    search: page('html/search'),
    notFound: page('html/not-found'),
    lock: page('html/lock'),
  }
}

function guard<T>(file: string, step: string, action: () => T): T {
  try {
    return action()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`The template \`${file}\` does not ${step}: ${reason}`, { cause })
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML, in elements and in quoted attributes; controls become visible. `undefined` is empty. */
export function escapeText(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
