/** Visibility for a purpose. */
import type { Preset, Visibility } from './publication.ts'

const everything: Visibility = {
  prompts: 'show',
  answers: 'show',
  reasoning: 'show',
  injected: 'show',
  commands: 'show',
  tools: 'show',
  toolOutput: 'show',
  edits: 'show',
  images: 'show',
  toolArguments: 'show',
  diffs: 'show',
  searches: 'show',
  plans: 'show',
  agents: 'show',
  approvals: 'show',
  notices: 'show',
  errors: 'show',
  unknown: 'show',
  stats: 'show',
  internals: 'show',
}

/**
 * `private` shows all. `team` is for people who work on the same code: outputs are folded; costs, what belongs to the
 * machine alone, and records that nobody can vouch for are left out. `public` is for everybody: what was asked, answered
 * and done, but not what programs printed, what the model thought and what it was told besides.
 */
export const presets: Readonly<Record<Preset, Visibility>> = {
  private: everything,
  team: {
    ...everything,
    reasoning: 'fold',
    injected: 'fold',
    toolOutput: 'fold',
    unknown: 'omit',
    stats: 'omit',
    internals: 'omit',
  },
  public: {
    ...everything,
    reasoning: 'omit',
    injected: 'omit',
    toolOutput: 'omit',
    images: 'omit',
    toolArguments: 'omit',
    approvals: 'omit',
    unknown: 'omit',
    stats: 'omit',
    internals: 'omit',
  },
}

/** Publishes all of all sessions. */
export const publishAll: { visibility: Visibility; curation: Record<string, never> } = {
  visibility: everything,
  curation: {},
}
