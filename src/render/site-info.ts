/** What every page knows about its site. */

import type { PluginLink, SiteField } from '../config/plugins.ts'
import type { PageSettings } from '../config/schema.ts'

/** Names of the files below `assets/` that pages link, with content hash, and what the not-found page has inline. */
export interface PageAssets {
  css: string
  js: string
  /** Controls and results of the search, loaded on first use. */
  searchJs: string
  /** The search within one session, loaded on first use. */
  findJs: string
  /** The reader's own stars, tags and notes, loaded if there are any, or on first use. */
  curationJs: string
  /** The filters of the start page, loaded on first use. */
  filterJs: string
  /** The few rules of the not-found page, which cannot link a style sheet because hosts serve it at any depth. */
  plainStyle: string
  /** The script of the not-found page, which finds the start page. */
  plainScript: string
}

/** What every page knows about its site: the settings that pages depend on, the assets, and what the build adds. */
export interface SiteInfo extends PageSettings, PageAssets {
  /** `codex-export x.y.z` */
  generator: string
  /** The site has a search index. */
  search: boolean
  /** Omit what is useful only on the machine that has the sessions, such as the command that resumes one. */
  withoutInternals?: boolean
  /** Pages have a Markdown twin (`markdown`), a JSON tree (`json`). */
  markdown: boolean
  json: boolean
  /** What plugins add to every page; absent without plugins of the site. */
  pluginParts?: { nav: readonly PluginLink[]; fields: readonly SiteField[] }
}
