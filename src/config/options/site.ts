/** Options: what a build makes and where. */
import * as kinds from '../kinds.ts'
import type { SiteSettings } from '../settings.ts'
import { type OptionTable, sites } from './option.ts'

/** What a build makes and where. */
export const siteOptions: OptionTable<SiteSettings> = {
  out: {
    kind: kinds.folder,
    default: 'site',
    flag: 'out',
    config: true,
    commands: [...sites, 'publish'],
    help: 'Folder of the site.',
  },
  cache: {
    kind: kinds.folder,
    default: undefined,
    flag: 'cache',
    config: true,
    commands: sites,
    help: 'Folder for what is kept between builds; it must lie outside the site.',
    defaultHelp: "a folder named after the site below the user's cache folder",
  },
  formats: {
    kind: kinds.choices(['html', 'md', 'json']),
    default: ['html', 'md'],
    flag: 'format',
    config: true,
    commands: sites,
    help: 'What is written for each session, separated by commas.',
  },
  search: {
    kind: kinds.toggle,
    default: true,
    flag: 'search',
    config: true,
    commands: sites,
    help: 'Build the search index; `--no-search` leaves it out.',
  },
  searchOutputs: {
    kind: kinds.toggle,
    default: false,
    config: true,
    commands: sites,
    help: 'Search the outputs of commands and tools too, the first 4,000 characters of each: several times the index and the time to build it.',
  },
  offline: {
    kind: kinds.toggle,
    default: false,
    config: true,
    commands: sites,
    help: 'Keep visited pages and the search index in the browser, so that a site that was visited over https, or on this machine, can be read and searched without a network.',
  },
  passwordFile: {
    kind: kinds.file,
    default: undefined,
    flag: 'password-file',
    config: true,
    commands: sites,
    help: 'Lock the site with the password that stands in this file: everything but a login page is encrypted. `SECURITY.md` says what that protects from.',
    defaultHelp: 'the site is not locked',
  },
  dryRun: {
    kind: kinds.toggle,
    default: false,
    flag: 'dry-run',
    flagOnly: true,
    commands: ['build', 'publish'],
    help: 'Say what would be written and removed, and change nothing.',
  },
  allowRemoval: {
    kind: kinds.toggle,
    default: false,
    flag: 'allow-removal',
    flagOnly: true,
    commands: [...sites, 'publish'],
    help: 'Build, or publish, although a home, or the site, lost all of its sessions, or more than half of at least ten, since the last time.',
  },
  strict: {
    kind: kinds.toggle,
    default: false,
    flag: 'strict',
    config: true,
    commands: ['build'],
    help: 'Exit with 1 when there was a warning.',
  },
}
