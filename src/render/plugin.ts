/** What the hooks of a plugin receive and return. `docs/plugins.md` shows each in use. */

import type { Nodes, RootContent } from 'hast'
import { pluginProblem, type SitePlugin } from '../config/plugins.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import type { Session, Status } from '../transcript/trast.ts'

/** A plugin of the whole site. */
export interface Plugin extends SitePlugin {
  /** Called for each session before its tree is read; returns its reader, or nothing to ignore the session. */
  readonly session?: (about: SessionAbout) => SessionReader | undefined | Promise<SessionReader | undefined>
  /** Called once, when all sessions are known. */
  readonly pages?: (site: PluginSite) => Iterable<PluginPage | PluginFile>
}

/** Returns the plugin unchanged, so that an editor knows the types of its hooks. Throws a `ConfigError` if it is invalid. */
export function definePlugin(plugin: Plugin): Plugin {
  const problem = pluginProblem({ ...plugin })
  if (problem !== undefined) throw new ConfigError(`\`${plugin.name}\` is not a plugin: ${problem}.`)
  return plugin
}

/** Text, which is shown as it is, or HTML as a hast tree, whose links and pictures name paths of the site. */
export type PluginContent = string | Nodes | readonly RootContent[]

/** What is known of a session before it is read. */
export interface SessionAbout {
  /** Id of the thread. */
  id: string
  title: string
  /** Name of the project. */
  project: string
  /** Instant of its first record. */
  startedAt?: string
  branch?: string
  /** Whose session it is, if homes have labels. */
  person?: string
  tags: readonly string[]
  /** Path of its first page from the root of the site. */
  path: string
}

/** A session after it was read. */
export interface PluginSession extends SessionAbout {
  endedAt?: string
  status: Status
  models: readonly string[]
  /** It is the session of a sub-agent. */
  isAgent: boolean
  /** All turns, also those that were rolled back. */
  turns: number
  commands: { total: number; failed: number }
  edits: { files: number; added: number; removed: number }
  tokens?: number
}

/** Reads one session, page by page. */
export interface SessionReader {
  /**
   * Receives the finished tree of each page, in order: redacted, and without what is not published. `link` returns the path
   * of an item of the tree from its id.
   */
  page?: (tree: Session, link: (id: string) => string) => void | Promise<void>
  /** Called after the last page. */
  end?: (session: PluginSession) => SessionAdditions | undefined | Promise<SessionAdditions | undefined>
}

/** What a plugin adds to a session. */
export interface SessionAdditions {
  /** Shown on its first page, next to the transcript. */
  panel?: { heading: string; body: PluginContent }
  /** Values by the names of the plugin's fields. */
  fields?: Readonly<Record<string, string | readonly string[]>>
  /** Plain data that `pages` finds with the session. */
  data?: unknown
}

/** The sessions of the site, the newest first, each with what the plugin added to it. */
export interface PluginSite {
  title: string
  sessions: readonly (PluginSession & { fields: Readonly<Record<string, readonly string[]>>; data?: unknown })[]
}

/** A page of a plugin. */
export interface PluginPage {
  /** Path from the root of the site: lower-case letters, digits, `-` and `_`, in folders of the plugin's own, and `.html`. */
  path: string
  title: string
  /** For search engines and link previews. */
  description?: string
  body?: PluginContent
  /** Name of a template below the user's `html/`, such as `html/board` (default: `html/page`). */
  template?: string
  /** Plain data for the template. */
  data?: unknown
}

/** A file that a plugin adds to its pages: a picture, a table, a text. */
export interface PluginFile {
  /** Like the path of a page, with another extension. */
  path: string
  content: string | Uint8Array
}
