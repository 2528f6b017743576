/** What every page knows of its site. */

import type { PluginLink, SiteField } from '../config/plugins.ts'
import type { PageSettings } from '../config/schema.ts'

/** What pages link, by file names below `assets/` with content hash, and what a page holds that can link nothing. */
export interface PageAssets {
  css: string
  js: string
  /** Controls and answers of the search, loaded on first use. */
  searchJs: string
  /** The find of a session, loaded on first use. */
  findJs: string
  /** The reader's own stars, tags and notes, loaded where there are some. */
  curationJs: string
  /** The filters of the start page, loaded on first use. */
  filterJs: string
  /** The few rules of a page that hosts serve at any depth, and that therefore can link no style sheet. */
  plainStyle: string
  /** The script of that page, which finds the start page. */
  plainScript: string
}

/** What every page knows of its site: the settings that pages depend on, its assets, and what the build adds. */
export interface SiteInfo extends PageSettings, PageAssets {
  /** `codex-export x.y.z` */
  generator: string
  /** The site has a search index. */
  search: boolean
  /** Nothing that only the machine of the sessions can use, such as the command that resumes one. */
  withoutInternals?: boolean
  /** Pages have a Markdown twin, a JSON tree. */
  markdown: boolean
  json: boolean
  /** What plugins add to every page; absent without plugins of the site. */
  pluginParts?: { nav: readonly PluginLink[]; fields: readonly SiteField[] }
}
