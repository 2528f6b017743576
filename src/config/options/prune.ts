/** Options: which items of a memory are left out, and where that is written. */
import * as kinds from '../kinds.ts'
import type { PruneSettings } from '../settings.ts'
import type { OptionTable } from './option.ts'

const pruning = { flagOnly: true, commands: ['prune'] } as const
const writing = { flagOnly: true, commands: ['prune', 'restore'] } as const

/** Which items of a memory are left out, and where that is written. */
export const pruneOptions: OptionTable<PruneSettings> = {
  excludeItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'exclude',
    help: 'Items that the model is to forget, in a list with commas: by index (`3,7-12`), turn (`turn:4`, `before:4`, `older:10` than the last ten), size (`over:2000` tokens), tool (`tool:exec_command`), category (`category:toolOutput`) or line (`l120-l188`); `+` joins conditions that must all hold (`category:toolOutput+older:3`). May be given several times. They can be included again.',
  },
  excludeCategories: {
    ...pruning,
    kind: kinds.texts('CATEGORY'),
    default: [],
    flag: 'exclude-category',
    help: 'Categories of items to exclude, in a list with commas, such as `reasoning,toolOutput`; may be given several times.',
  },
  includeItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'include',
    help: 'Items that were excluded and are to come back.',
  },
  deleteItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'delete',
    help: 'Items to take out of the list for good; only `restore` brings them back.',
  },
  replaceItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'replace',
    help: 'Outputs in whose place the model is to see a short text; a call stands for its output. `--include` brings them back.',
  },
  replacement: {
    ...pruning,
    kind: kinds.text,
    default: '[output removed]',
    flag: 'replacement',
    help: 'That text.',
  },
  newThread: {
    ...pruning,
    kind: kinds.toggle,
    default: false,
    flag: 'new-thread',
    help: 'Write a pruned copy as a new thread, which Codex resumes beside the session; that one stays as it is.',
  },
  inPlace: {
    ...pruning,
    kind: kinds.toggle,
    default: false,
    flag: 'in-place',
    help: 'Write over the rollout itself, after a backup of it.',
  },
  interactive: {
    ...pruning,
    kind: kinds.toggle,
    default: false,
    flag: 'interactive',
    help: 'Mark items in a list on the terminal.',
    defaultHelp: 'on a terminal, when no items are named',
  },
  force: {
    ...writing,
    kind: kinds.toggle,
    default: false,
    flag: 'force',
    help: 'Prune although the rollout is fresh, its last line is cut off or its last turn has not ended; restore although the session went on since.',
  },
  assumeClosed: {
    ...writing,
    kind: kinds.toggle,
    default: false,
    flag: 'assume-closed',
    help: 'Say that the session is closed where that cannot be known, as on a network disk. If it is open, all that you type there from now on is lost.',
    defaultHelp: 'off; a terminal is asked',
  },
  backup: {
    kind: kinds.file,
    default: undefined,
    flag: 'from',
    flagOnly: true,
    commands: ['restore'],
    help: 'Backup to restore.',
    defaultHelp: 'the one that the last prune names, else the newest that has something the rollout lacks',
  },
  undo: {
    kind: kinds.toggle,
    default: false,
    flag: 'undo',
    flagOnly: true,
    commands: ['restore'],
    help: 'Undo the last prune or restore, then the one before. What was said since stays.',
  },
  moveBackups: {
    kind: kinds.toggle,
    default: false,
    flag: 'move-backups',
    flagOnly: true,
    commands: ['restore'],
    help: 'Move the backups that earlier versions left beside the rollout, where a Codex before 0.93 may resume them.',
  },
  listBackups: {
    kind: kinds.toggle,
    default: false,
    flag: 'list',
    flagOnly: true,
    commands: ['restore'],
    help: 'Show the backups and change nothing.',
  },
}
