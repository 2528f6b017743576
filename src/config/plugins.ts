/** Plugins and design tokens as settings hold them. What the hooks of a plugin are given, `render/plugin.ts` says. */

import type { Pluggable, PluggableList } from 'unified'
import { isObject } from '../util/json.ts'
import { inFile, type Kind } from './kinds.ts'

/** CSS custom properties by name: `{ '--accent': 'light-dark(#8a3b12, #f0a878)' }`. */
export type DesignTokens = Readonly<Record<`--${string}`, string>>

/** A link in the bar at the top of every page. */
export interface PluginLink {
  readonly text: string
  /** Of a page of the site, from its root. */
  readonly path: string
}

/** A fact about sessions that a plugin finds, and where the site shows it. */
export interface PluginField {
  /** What it is called, such as `Ticket`. */
  readonly label: string
  /** Several of them, such as `tickets` (default: the label with an s). */
  readonly plural?: string
  /** Rows of lists show it. */
  readonly column?: boolean
  /** The start page filters by it. */
  readonly filter?: boolean
  /** The search filters by it, and finds sessions by its values. */
  readonly search?: boolean
}

/** A plugin of the whole site, as far as settings know it. */
export interface SitePlugin {
  /** What messages call it. */
  readonly name: string
  /**
   * Names all that its hooks make depend on, beside the session: another one with each change of the plugin or of its
   * options. Builds then keep the sessions that did not change; without it they render all of them again.
   */
  readonly cacheKey?: string
  /** unified plugins that change the tree of each session. */
  readonly tree?: PluggableList
  readonly tokens?: DesignTokens
  readonly nav?: readonly PluginLink[]
  /** By name: small letters, digits and hyphens. */
  readonly fields?: Readonly<Record<string, PluginField>>
  readonly session?: (...given: never[]) => unknown
  readonly pages?: (...given: never[]) => unknown
}

/** Plugins in the order in which they run. */
export type PluginList = readonly (Pluggable | SitePlugin)[]

/** Whether an entry is a plugin of the whole site, not one of unified. */
export function isSitePlugin(entry: Pluggable | SitePlugin): entry is SitePlugin {
  return typeof entry === 'object' && !Array.isArray(entry) && 'name' in entry
}

/** Plugins of the whole site, in order. */
export function sitePlugins(plugins: PluginList): SitePlugin[] {
  return plugins.filter(isSitePlugin)
}

/**
 * A text that is the same where plugins make the same of the same session; `undefined` where that cannot be told, because
 * one of them is a function without a `cacheKey`.
 */
export function pluginKey(plugins: PluginList): string | undefined {
  const isKeyed = plugins.every((entry) => isSitePlugin(entry) && (entry.cacheKey !== undefined || isData(entry)))
  return isKeyed ? JSON.stringify(plugins) : undefined
}

/** Whether a plugin has no hook: all that it does stands in it. */
function isData({ tree, session, pages }: SitePlugin): boolean {
  return tree === undefined && session === undefined && pages === undefined
}

/** Design tokens of plugins in order, and over them those of the configuration. */
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

/** All fields of some plugins, in order. */
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
    const list = value as PluginList // every item was looked at
    const names = [...sitePlugins(list).map(({ name }) => name), ...fieldsOf(list).map(({ name }) => `field ${name}`)]
    return new Set(names).size === names.length ? list : undefined
  },
)

/** Values of custom properties that can be nothing but a value. */
export const tokens: Kind<DesignTokens> = inFile(
  "{ '--name': 'value' } with CSS values that load nothing",
  'TABLE',
  // Every name and value was looked at.
  (value) => (isObject(value) && Object.entries(value).every(isToken) ? (value as DesignTokens) : undefined),
)

function isPlugin(value: unknown): boolean {
  const plugin: unknown = Array.isArray(value) ? value[0] : value
  if (typeof plugin === 'function') return true
  if (Array.isArray(value) || !isObject(plugin)) return false
  return 'name' in plugin ? pluginProblem(plugin) === undefined : 'plugins' in plugin
}

/** What keeps a value from being a plugin of the site, as a clause; `undefined` where it is one. */
export function pluginProblem(plugin: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(plugin)) {
    const fits = parts[key]
    if (fits === undefined) return `it has the unknown key \`${key}\``
    if (value !== undefined && !fits(value)) return `its \`${key}\` does not fit`
  }
  return plugin['name'] === undefined ? 'it has no name' : undefined
}

/** Whether a value fits a key of a plugin. */
const parts: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isLine,
  cacheKey: (value) => typeof value === 'string' && value !== '',
  tree: (value) => Array.isArray(value) && value.every((item) => isPlugin(item) && !(isObject(item) && 'name' in item)),
  tokens: (value) => isObject(value) && Object.entries(value).every(isToken),
  nav: (value) =>
    Array.isArray(value) && value.every((link) => isObject(link) && isLine(link['text']) && isLine(link['path'])),
  fields: (value) => isObject(value) && Object.entries(value).every(isField),
  session: (value) => typeof value === 'function',
  pages: (value) => typeof value === 'function',
}

function isField([name, field]: [string, unknown]): boolean {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name) || !isObject(field) || !isLine(field['label'])) return false
  return Object.entries(field).every(([key, value]) => {
    if (key === 'label' || key === 'plural') return isLine(value)
    return ['column', 'filter', 'search'].includes(key) && typeof value === 'boolean'
  })
}

function isToken([name, value]: [string, unknown]): boolean {
  if (!/^--[a-z][a-z0-9-]{0,40}$/.test(name) || typeof value !== 'string' || value.trim() === '') return false
  // Nothing that ends the declaration, begins another rule, hides what follows, or loads a file.
  if (value.length > 300 || /[;{}<>@!\\\p{Cc}]|\/\*|\b(?:url|src|image|image-set|attr)\(/iu.test(value)) return false
  return isBalanced(value)
}

/** Whether brackets and quotes of a value close what they open. */
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

function isLine(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 80 && !/\p{Cc}/u.test(value)
}
