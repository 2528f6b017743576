/** Options: what one call of a command does. */
import * as kinds from '../kinds.ts'
import type { CommandSettings } from '../settings.ts'
import { type OptionTable, reading, remembering } from './option.ts'

/** What one call of a command does. */
export const commandOptions: OptionTable<CommandSettings> = {
  format: {
    kind: kinds.choice(['md', 'html', 'json', 'text']),
    default: 'md',
    flag: 'format',
    flagOnly: true,
    commands: ['show'],
    help: 'Format of the transcript.',
  },
  output: {
    kind: kinds.file,
    default: undefined,
    flag: 'output',
    flagOnly: true,
    commands: ['show', 'check', 'scrub', 'prune'],
    help: 'File to write the result to; `prune` writes a pruned copy.',
    defaultHelp: 'standard output',
  },
  withAgents: {
    kind: kinds.toggle,
    default: false,
    flag: 'with-agents',
    flagOnly: true,
    commands: ['show'],
    help: 'Put the sub-agents of all levels behind the session, each with its prompt; not in `json`, which holds one thread.',
  },
  maxInline: {
    kind: kinds.size,
    default: 20 * 1024 * 1024,
    flag: 'max-inline',
    commands: ['show'],
    help: 'Size of pictures that a page of `show` may hold in all, such as `500k` or `20m`; no picture may be larger than 2 MiB. Others are named with size and hash.',
    defaultHelp: '20m',
  },
  port: {
    kind: kinds.port,
    default: 4173,
    flag: 'port',
    commands: ['serve'],
    help: 'Port on 127.0.0.1; 0 takes a free one.',
  },
  open: {
    kind: kinds.toggle,
    default: false,
    flag: 'open',
    flagOnly: true,
    commands: ['serve'],
    help: 'Open the site in the browser.',
  },
  json: {
    kind: kinds.toggle,
    default: false,
    flag: 'json',
    flagOnly: true,
    commands: ['build', 'list', 'check', 'publish', ...remembering],
    help: 'Print one JSON document on standard output.',
  },
  sarif: {
    kind: kinds.toggle,
    default: false,
    flag: 'sarif',
    flagOnly: true,
    commands: ['check'],
    help: 'Print what was found as SARIF 2.1.0, for code scanning.',
  },
  configFile: {
    kind: kinds.file,
    default: undefined,
    flag: 'config',
    off: false,
    commands: [...reading, 'publish', ...remembering],
    help: 'Configuration file, which is run as it is; `--no-config` runs none.',
    defaultHelp: '`site.config.ts`, `.mts`, `.js` or `.mjs` in the working folder, asking first where it is only read',
  },
}
