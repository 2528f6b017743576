/** Options: which sessions are read. */
import * as kinds from '../kinds.ts'
import type { SourceSettings } from '../settings.ts'
import { filters, type OptionTable, reading, remembering } from './option.ts'

/** Which sessions are read. */
export const whichOptions: OptionTable<SourceSettings> = {
  homes: {
    kind: kinds.homes,
    default: [],
    flag: 'codex-home',
    config: true,
    commands: [...reading, ...remembering],
    help: 'Codex home, folder of rollouts or rollout file to read; may be given several times.',
    defaultHelp: '`CODEX_HOME`, else `~/.codex`',
  },
  projects: {
    kind: kinds.texts('NAME'),
    default: [],
    flag: 'project',
    config: true,
    commands: reading,
    help: 'Only sessions whose folder, repository URL or branch holds this text, in any case; may be given several times.',
  },
  since: {
    kind: kinds.when,
    default: undefined,
    flag: 'since',
    config: true,
    commands: filters,
    help: 'Only sessions active since then: a day (2026-03-01), an instant, or an age (7d, 2w).',
  },
  until: {
    kind: kinds.when,
    default: undefined,
    flag: 'until',
    config: true,
    commands: filters,
    help: 'Only sessions begun until then; a day counts to its end.',
  },
  ids: {
    kind: kinds.texts('ID'),
    default: [],
    flag: 'id',
    config: true,
    commands: filters,
    help: 'Only threads whose id begins like this; may be given several times.',
  },
  archived: {
    kind: kinds.toggle,
    default: undefined,
    flag: 'archived',
    config: true,
    commands: filters,
    help: 'Only archived sessions, with `--no-archived` none of them.',
    defaultHelp: 'both',
  },
}
