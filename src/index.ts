/** The package's own entry: configuration, the tree, and unified plugins that turn one into the other. */

export type { Home } from './config/kinds.ts'
export type { PersonalPolicy } from './config/personal.ts'
export type { ModelPrice, PriceTable } from './config/prices.ts'
export type { SiteConfig } from './config/settings.ts'
export { defineConfig } from './config/settings.ts'
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
export { rolloutToHast } from './render/transcript/hast/table.ts'
export { rolloutToMdast } from './render/transcript/mdast/table.ts'
export type * from './transcript/trast.ts'
export {
  type RedactOptions,
  redactTranscript,
  type TranscribeOptions,
  type Transcript,
  transcribe,
} from './transcript.ts'
