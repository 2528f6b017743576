/** What of sessions is published: kinds of things, how each is shown, and what a person decided for single sessions. */

import type { Selection } from './selectors.ts'

/** Kinds that can be shown, folded or left out. */
export const foldableKinds = [
  'prompts',
  'answers',
  'reasoning',
  'injected',
  'commands',
  'tools',
  'toolOutput',
  'edits',
  'images',
] as const

/** Kinds that can be shown or left out: they are lines, or parts of things that fold. */
export const plainKinds = [
  'toolArguments',
  'diffs',
  'searches',
  'plans',
  'agents',
  'approvals',
  'notices',
  'errors',
  'unknown',
  'stats',
  'internals',
] as const

/** All kinds, in the order of the docs. */
export const contentKinds: readonly ContentKind[] = [...foldableKinds, ...plainKinds]

/** A kind that can be folded. */
export type FoldableKind = (typeof foldableKinds)[number]
/** A kind that is shown or left out. */
export type PlainKind = (typeof plainKinds)[number]
/** Every kind of content. */
export type ContentKind = FoldableKind | PlainKind

/** How a kind is shown. `show` leaves it to the page, which folds long and secondary things by itself. */
export type Shown = 'show' | 'fold' | 'omit'

/** How each kind is shown. */
export type Visibility = Readonly<Record<FoldableKind, Shown> & Record<PlainKind, Exclude<Shown, 'fold'>>>

/** Visibility for a purpose, by name. */
export type Preset = 'private' | 'team' | 'public'

/** What a person decided for one session. */
export interface SessionCuration {
  /** Turns and lines that are left out, and kinds (`category`) that are left out of this session. */
  exclude: readonly Selection[]
  /** In place of the session's own. */
  title?: string
  /** Markdown, shown at the head of the page. */
  note?: string
  /** The session is not published. */
  hidden?: true
}

/** Decisions by the beginning of a thread id. */
export type Curation = Readonly<Record<string, SessionCuration>>

/** All that decides what of the sessions is published. */
export interface Publication {
  visibility: Visibility
  curation: Curation
  /** UTF-16 units of each output that are published; absent: all. */
  maxOutput?: number
}

// Visibility for a purpose.

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
