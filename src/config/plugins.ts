/** Plugins and design tokens as settings contain them. `render/plugin.ts` describes what the hooks of a plugin receive. */

import type { Pluggable, PluggableList } from 'unified'
import { isObject } from '../util/json.ts'
import { isLine } from '../util/text.ts'
import { inFile, type Kind } from './kinds.ts'

/** CSS custom properties by name: `{ '--accent': 'light-dark(#8a3b12, #f0a878)' }`. */
export type DesignTokens = Readonly<Record<`--${string}`, string>>

/** A link in the bar at the top of every page. */
export interface PluginLink {
  readonly text: string
  /** Path of a page, from the root of the site. */
  readonly path: string
}

/** A fact that a plugin finds about sessions, and where the site shows it. */
export interface PluginField {
  /** Its name in the singular, such as `Ticket`. */
  readonly label: string
  /** Its name in the plural, such as `tickets` (default: the label in lower case with an s). */
  readonly plural?: string
  /** Shown as a column of lists. */
  readonly column?: boolean
  /** Offered as a filter on the start page. */
  readonly filter?: boolean
  /** Offered as a filter of the search, which also finds sessions by its values. */
  readonly search?: boolean
}

/** A plugin for the whole site, as far as settings know it. */
export interface SitePlugin {
  /** The name used in messages. */
  readonly name: string
  /**
   * Identifies everything besides the session that the results of its hooks depend on: it must change with each change of the
   * plugin or its options. With it, builds keep sessions that did not change; without it, they render all sessions again.
   */
  readonly cacheKey?: string
  /** unified plugins that change the tree of each session. */
  readonly tree?: PluggableList
  readonly tokens?: DesignTokens
  readonly nav?: readonly PluginLink[]
  /** Fields by name: lower-case letters, digits and hyphens. */
  readonly fields?: Readonly<Record<string, PluginField>>
  readonly session?: (...given: never[]) => unknown
  readonly pages?: (...given: never[]) => unknown
}

/** Plugins in the order in which they run. */
export type PluginList = readonly (Pluggable | SitePlugin)[]

/** Whether an entry is a plugin of the site and not a unified plugin. */
export function isSitePlugin(entry: Pluggable | SitePlugin): entry is SitePlugin {
  return typeof entry === 'object' && !Array.isArray(entry) && 'name' in entry
}

/** The plugins of the site, in order. */
export function sitePlugins(plugins: PluginList): SitePlugin[] {
  return plugins.filter(isSitePlugin)
}

/**
 * A text that stays the same as long as the plugins do the same with a session; `undefined` if that cannot be known, because a
 * plugin is or contains a function and has no `cacheKey`.
 */
export function pluginKey(plugins: PluginList): string | undefined {
  const isKeyed = plugins.every((entry) => isSitePlugin(entry) && (entry.cacheKey !== undefined || isData(entry)))
  return isKeyed ? JSON.stringify(plugins) : undefined
}

/** Whether a plugin has no hooks, so that its data says all that it does. */
function isData({ tree, session, pages }: SitePlugin): boolean {
  return tree === undefined && session === undefined && pages === undefined
}

/** Design tokens of plugins in order, overridden by those of the configuration. */
export function tokensOf({
  plugins,
  tokens,
}: {
  plugins: PluginList
  tokens?: DesignTokens | undefined
}): DesignTokens {
  return Object.assign({}, ...sitePlugins(plugins).map((plugin) => plugin.tokens), tokens)
}

/** A field with its name, ready for pages. */
export interface SiteField extends Required<PluginField> {
  name: string
}

/** All fields of the plugins, in order. */
export function fieldsOf(plugins: PluginList): SiteField[] {
  return sitePlugins(plugins).flatMap(({ fields = {} }) =>
    Object.entries(fields).map(([name, { label, plural, column = false, filter = false, search = false }]) => {
      return { name, label, plural: plural ?? `${label.toLowerCase()}s`, column, filter, search }
    }),
  )
}

/** unified plugins as `use` takes them (functions, `[function, ...options]`, presets), and plugins of the site. */
export const plugins: Kind<PluginList> = inFile(
  'a list of unified plugins and of plugins from `definePlugin`, whose names and fields differ',
  'LIST',
  (value) => {
    if (!Array.isArray(value) || !value.every(isPlugin)) return undefined
    const list = value as PluginList // every item was checked
    const names = [...sitePlugins(list).map(({ name }) => name), ...fieldsOf(list).map(({ name }) => `field ${name}`)]
    return new Set(names).size === names.length ? list : undefined
  },
)

/** Values of custom properties that cannot be anything but values. */
export const tokens: Kind<DesignTokens> = inFile(
  "{ '--name': 'value' } with CSS values that load nothing",
  'TABLE',
  // Every name and value was checked.
  (value) => (isObject(value) && Object.entries(value).every(isToken) ? (value as DesignTokens) : undefined),
)

function isPlugin(value: unknown): boolean {
  const plugin: unknown = Array.isArray(value) ? value[0] : value
  if (typeof plugin === 'function') return true
  if (Array.isArray(value) || !isObject(plugin)) return false
  return 'name' in plugin ? pluginProblem(plugin) === undefined : 'plugins' in plugin
}

/** Why a value is not a plugin of the site, as a clause; `undefined` if it is one. */
export function pluginProblem(plugin: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(plugin)) {
    const part = parts[key]
    if (part === undefined) return `it has the unknown key \`${key}\``
    const [fits, expected] = part
    if (value !== undefined && !fits(value)) return `its \`${key}\` is not ${expected}`
  }
  return plugin['name'] === undefined ? 'it has no name' : undefined
}

/** Whether a value fits a key of a plugin, and what does. */
const parts: Readonly<Record<string, [fits: (value: unknown) => boolean, expected: string]>> = {
  name: [isShortLine, 'one line of text'],
  cacheKey: [(value) => typeof value === 'string' && value !== '', 'a text'],
  tree: [
    (value) => Array.isArray(value) && value.every((item) => isPlugin(item) && !(isObject(item) && 'name' in item)),
    'a list of unified plugins',
  ],
  tokens: [
    (value) => isObject(value) && Object.entries(value).every(isToken),
    "{ '--name': 'value' } with CSS values that load nothing",
  ],
  nav: [
    (value) =>
      Array.isArray(value) &&
      value.every((link) => isObject(link) && isShortLine(link['text']) && isSitePath(link['path'])),
    'a list of { text, path } with paths from the root of the site',
  ],
  fields: [
    (value) => isObject(value) && Object.entries(value).every(isField),
    '{ name: { label, plural?, column?, filter?, search? } } with names of small letters, digits and hyphens',
  ],
  session: [(value) => typeof value === 'function', 'a function'],
  pages: [(value) => typeof value === 'function', 'a function'],
}

function isField([name, field]: [string, unknown]): boolean {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name) || !isObject(field) || !isShortLine(field['label'])) return false
  return Object.entries(field).every(([key, value]) => {
    if (key === 'label' || key === 'plural') return isShortLine(value)
    return ['column', 'filter', 'search'].includes(key) && typeof value === 'boolean'
  })
}

function isToken([name, value]: [string, unknown]): boolean {
  if (!/^--[a-z][a-z0-9-]{0,40}$/.test(name) || typeof value !== 'string' || value.trim() === '') return false
  // Refuses whatever ends the declaration, begins another rule, hides what follows, or loads a file.
  if (value.length > 300 || /[;{}<>@!\\\p{Cc}]|\/\*|\b(?:url|src|image|image-set|attr)\(/iu.test(value)) return false
  return isBalanced(value)
}

/** Whether the brackets and quotes in a value are balanced. */
function isBalanced(value: string): boolean {
  const bare = value.replace(/"[^"]*"|'[^']*'/g, '')
  let depth = 0
  for (const character of bare) {
    if (character === '(') depth++
    else if (character === ')') depth--
    if (depth < 0) return false
  }
  return depth === 0 && !/["'[\]]/.test(bare)
}

/** Whether a value is a line that no page could read as an address elsewhere. */
function isSitePath(value: unknown): boolean {
  return isShortLine(value) && !/^[a-z][a-z\d+.-]*:|^\s|^\/|\\|(?:^|\/)\.\.(?:\/|$)/i.test(value)
}

function isShortLine(value: unknown): value is string {
  return isLine(value) && value.length <= 80
}
