/** Options: how pages look. */
import * as kinds from '../kinds.ts'
import type { LookSettings } from '../settings.ts'
import { type OptionTable, pages, reading, sites } from './option.ts'

/** How pages look. */
export const lookOptions: OptionTable<LookSettings> = {
  title: {
    kind: kinds.text,
    default: 'Codex sessions',
    config: true,
    commands: pages,
    help: 'Title of the site.',
  },
  description: {
    kind: kinds.text,
    default: undefined,
    config: true,
    commands: sites,
    help: 'One sentence about the site, for its feed, search engines and previews of links.',
  },
  siteUrl: {
    kind: kinds.siteUrl,
    default: undefined,
    flag: 'site-url',
    config: true,
    commands: [...sites, 'publish'],
    help: 'Address under which the site is public: it then gets a feed, a sitemap, canonical addresses and data for previews of links, and `robots.txt` lets search engines in.',
    defaultHelp: 'none, and `robots.txt` keeps search engines out',
  },
  timeZone: {
    kind: kinds.timeZone,
    default: 'UTC',
    config: true,
    commands: reading,
    help: 'Time zone of shown times and of days in `since` and `until`.',
  },
  language: {
    kind: kinds.language,
    default: 'en',
    config: true,
    commands: pages,
    help: "Language of the site, for browsers and for the search index's word forms.",
  },
  templatesDir: {
    kind: kinds.folder,
    default: undefined,
    config: true,
    commands: pages,
    help: 'Folder with eta templates that replace the built-in ones of the same name.',
  },
  prices: {
    kind: kinds.prices,
    default: undefined,
    config: true,
    commands: pages,
    help: 'Prices of a million tokens by model, with the day on which they held: sessions then show what they cost.',
    defaultHelp: 'none, and no cost is shown',
  },
  plugins: {
    kind: kinds.plugins,
    default: [],
    config: true,
    commands: [...pages, 'check'],
    help: 'Plugins for unified that change the transcript tree before it is rendered.',
  },
}
