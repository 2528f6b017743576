/** Options: what the model remembers. */
import * as kinds from '../kinds.ts'
import type { MemorySettings } from '../settings.ts'
import type { OptionTable } from './option.ts'

/** What the model remembers, and which of it is looked at. */
export const memoryOptions: OptionTable<MemorySettings> = {
  at: {
    kind: kinds.turnNumber,
    default: undefined,
    flag: 'at',
    flagOnly: true,
    commands: ['context'],
    help: 'Show the memory as it was behind the turn of this number.',
    defaultHelp: 'the end of the session',
  },
}
