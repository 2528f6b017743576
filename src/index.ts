/**
 * The entry point of the package: builds, searches, trees and their texts, and the unified plugins that convert or redact a tree.
 */

export {
  type BuildConfig,
  build,
  type CallOptions,
  type ProgressEvent,
  type SearchConfig,
  search,
  type TextOptions,
  toHtml,
  toMarkdown,
  transcribePages,
} from './api-fs.ts'

export type { Home } from './config/kinds.ts'
export type { PersonalPolicy } from './config/personal.ts'
export type { DesignTokens, PluginField, PluginLink, PluginList, SitePlugin } from './config/plugins.ts'
export type { ModelPrice, PriceTable } from './config/prices.ts'
export { presets } from './config/publication.ts'
export type { SiteConfig } from './config/schema.ts'
export { defineConfig } from './config/schema.ts'
export type { Diagnostic } from './diagnostics/codes.ts'
export type { CategoryTotals, MemoryCategory } from './features/memory/history/categories.ts'
export type {
  History,
  HistoryItem,
  MemoryItem,
  MemoryOutline,
  MemorySegment,
  MemorySource,
} from './features/memory/history/history.ts'
export { type ReconstructOptions, reconstructHistory } from './features/memory/history/read.ts'
export type { FoundSession } from './features/terminal-search/match.ts'
export {
  definePlugin,
  type Plugin,
  type PluginContent,
  type PluginFile,
  type PluginPage,
  type PluginSession,
  type PluginSite,
  type SessionAbout,
  type SessionAdditions,
  type SessionReader,
} from './render/plugin.ts'
export { rolloutToHast, type ToHastOptions } from './render/transcript/hast/table.ts'
export { rolloutToMdast, type ToMdastOptions } from './render/transcript/mdast/table.ts'
export type { BuildResult } from './site/types.ts'
export type * from './transcript/trast.ts'
export {
  type RedactOptions,
  redactTranscript,
  type TranscribeOptions,
  type Transcript,
  type TranscriptPage,
  transcribe,
} from './transcript.ts'
