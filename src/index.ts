/** The package's own entry: configuration, the tree, and unified plugins that turn one into the other. */
export { type TranscribeOptions, type Transcript, transcribe } from './app/transcript.ts'
export { defineConfig } from './config/define.ts'
export type { Home, SiteConfig } from './config/settings.ts'
export type { ModelPrice, PriceTable } from './model/prices.ts'
export type * from './model/trast.ts'
export { rolloutToHast } from './render/to-hast/plugin.ts'
export { rolloutToMdast } from './render/to-mdast/plugin.ts'
