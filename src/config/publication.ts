/** What of sessions is published: kinds of things, how each is shown, and what a person decided for single sessions. */

import { UsageError } from '../diagnostics/errors.ts'
import { isObject } from '../util/json.ts'
import { choices, file, inFile, type Kind, type PathReader } from './kinds.ts'
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
const plainKinds = [
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
  /** It stands out in lists. */
  star?: true
  /** Words that group sessions, each once, in the order of the file. */
  tags?: readonly string[]
}

/** A curation as a configuration file may hold it. */
export interface CurationConfig {
  /** By the beginning of a thread id. */
  sessions: Record<
    string,
    { exclude?: string[]; title?: string; note?: string; hidden?: boolean; star?: boolean; tags?: string[] }
  >
}

/** Where decisions about single sessions stand: in a file, absolute, or in the configuration itself. */
export type CurationSource = { file: string } | { sessions: unknown }

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

// From settings to what is published.

/** The settings that tell how kinds are shown. */
interface VisibilitySettings {
  preset: Preset
  visibility: Partial<Visibility>
  show: readonly ContentKind[]
  fold: readonly ContentKind[]
  omit: readonly ContentKind[]
}

/**
 * How each kind is shown. Strongest last: preset, `visibility`, `--show`, `--fold`, `--omit`. Throws a `UsageError` for a
 * kind that cannot be folded.
 */
export function visibilityOf({ preset, visibility, show, fold, omit }: VisibilitySettings): Visibility {
  const notFoldable = fold.find((kind) => !isFoldable(kind))
  if (notFoldable !== undefined) {
    throw new UsageError(
      `\`--fold\` does not take \`${notFoldable}\`, which can only be shown or omitted. These kinds can be folded: ${foldableKinds.join(', ')}.`,
    )
  }
  const all = (kinds: readonly ContentKind[], shown: Shown) => Object.fromEntries(kinds.map((kind) => [kind, shown]))
  return { ...presets[preset], ...visibility, ...all(show, 'show'), ...all(fold, 'fold'), ...all(omit, 'omit') }
}

/** `{ reasoning: 'fold', toolOutput: 'omit' }`, or `undefined` for what does not fit. */
export function visibilityFrom(value: unknown): Partial<Visibility> | undefined {
  if (!isObject(value)) return undefined
  const fits = Object.entries(value).every(([kind, shown]) => isShown(kind, shown))
  return fits ? (value as Partial<Visibility>) : undefined // every entry was looked at
}

function isShown(name: string, shown: unknown): boolean {
  const kind = contentKinds.find((known) => known === name)
  if (kind === undefined) return false
  return shown === 'show' || shown === 'omit' || (shown === 'fold' && isFoldable(kind))
}

function isFoldable(kind: ContentKind): boolean {
  return foldableKinds.some((known) => known === kind)
}

// Kinds of option values.

/** How single kinds are shown. */
export const visibility: Kind<Partial<Visibility>> = inFile(
  `{ kind: 'show' | 'fold' | 'omit' } with kinds among ${contentKinds.join(', ')}; these can be folded: ${foldableKinds.join(', ')}`,
  'TABLE',
  visibilityFrom,
)

/** Decisions about single sessions, or where they stand. */
export const curation: Kind<CurationSource> = {
  expected: 'the path of a JSON file, or in a configuration file an object { sessions }',
  placeholder: 'FILE',
  many: false,
  fromText: fileOf,
  fromConfig(value, paths) {
    if (typeof value === 'string') return fileOf([value], paths)
    if (!isObject(value)) return undefined
    // What the object holds is read where a file's content is, so that messages name the key.
    return 'sessions' in value && Object.keys(value).length === 1 ? { sessions: value['sessions'] } : undefined
  },
}

function fileOf(texts: readonly string[], paths: PathReader): CurationSource | undefined {
  const path = file.fromText(texts, paths)
  return path === undefined ? undefined : { file: path }
}

/** Kinds in a list; the help of `--show` names all of them once. */
export const contentChoices: Kind<readonly ContentKind[]> = { ...choices(contentKinds), placeholder: 'KINDS' }

/** Those of all places: none of them takes back what another omits. */
export const allContentChoices: Kind<readonly ContentKind[]> = {
  ...contentChoices,
  join: (strong, weak) => [...strong, ...weak],
}
