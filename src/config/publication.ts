/** Which parts of sessions are published: kinds of content, how each is shown, and what a person decided for single sessions. */

import { UsageError } from '../diagnostics/errors.ts'
import { isObject } from '../util/json.ts'
import { choices, file, inFile, type Kind, type PathReader } from './kinds.ts'
import type { Selection } from './selectors.ts'

/** Kinds that can be shown, folded or omitted. */
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

/** Kinds that can only be shown or omitted: they are lines, or parts of things that fold. */
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

/** All kinds, in the order in which the docs list them. */
export const contentKinds: readonly ContentKind[] = [...foldableKinds, ...plainKinds]

/** A kind that can be folded. */
type FoldableKind = (typeof foldableKinds)[number]
/** A kind that can only be shown or omitted. */
type PlainKind = (typeof plainKinds)[number]
/** Every kind of content. */
export type ContentKind = FoldableKind | PlainKind

/** How a kind is shown. `show` leaves it to the page, which by itself folds what is long or secondary. */
export type Shown = 'show' | 'fold' | 'omit'

/** How each kind is shown. */
export type Visibility = Readonly<Record<FoldableKind, Shown> & Record<PlainKind, Exclude<Shown, 'fold'>>>

/** Name of a visibility for a purpose. */
export type Preset = 'private' | 'team' | 'public'

/** What a person decided about one session. */
export interface SessionCuration {
  /** Turns, lines and kinds (`category`) that are omitted from this session. */
  exclude: readonly Selection[]
  /** Replaces the session's own title. */
  title?: string
  /** Markdown, shown at the head of the page. */
  note?: string
  /** Whether the session is hidden from publication. */
  hidden?: true
  /** Whether the session is highlighted in lists. */
  star?: true
  /** Words that group sessions, without repeats, in the order of the file. */
  tags?: readonly string[]
}

/** A curation as a configuration file may contain it. */
export interface CurationConfig {
  /** Decisions by the beginning of a thread id. */
  sessions: Record<
    string,
    { exclude?: string[]; title?: string; note?: string; hidden?: boolean; star?: boolean; tags?: string[] }
  >
}

/** Where the decisions about single sessions are: in a file, given by its absolute path, or in the configuration itself. */
export type CurationSource = { file: string } | { sessions: unknown }

/** Decisions by the beginning of a thread id. */
export type Curation = Readonly<Record<string, SessionCuration>>

/** Everything that decides which parts of sessions are published. */
export interface Publication {
  visibility: Visibility
  curation: Curation
  /** How many UTF-16 units of each output are published; all if absent. */
  maxOutput?: number
}

// Visibility by purpose.

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
 * `private` shows everything. `team` is for people who work on the same code: outputs are folded; costs, details of the machine,
 * and records of unknown kinds are omitted. `public` is for everyone: it shows what was asked, answered and done, but not what
 * programs printed, what the model thought, or what else it was told.
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

/** Publishes all content of all sessions. */
export const publishAll: { visibility: Visibility; curation: Record<string, never> } = {
  visibility: everything,
  curation: {},
}

// From settings to what is published.

/** The settings that decide how kinds are shown. */
interface VisibilitySettings {
  preset: Preset
  visibility: Partial<Visibility>
  show: readonly ContentKind[]
  fold: readonly ContentKind[]
  omit: readonly ContentKind[]
}

/**
 * How each kind is shown, by these settings in ascending order of strength: preset, `visibility`, `--show`, `--fold`, `--omit`.
 * Throws a `UsageError` for a kind that cannot be folded.
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

/** Reads `{ reasoning: 'fold', toolOutput: 'omit' }`; `undefined` if the value is not valid. */
export function visibilityFrom(value: unknown): Partial<Visibility> | undefined {
  if (!isObject(value)) return undefined
  const fits = Object.entries(value).every(([kind, shown]) => isShown(kind, shown))
  return fits ? (value as Partial<Visibility>) : undefined // every entry was checked
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

/** Decisions about single sessions, or the file that contains them. */
export const curation: Kind<CurationSource> = {
  expected: 'the path of a JSON file, or in a configuration file an object { sessions }',
  placeholder: 'FILE',
  many: false,
  fromText: fileOf,
  fromConfig(value, paths) {
    if (typeof value === 'string') return fileOf([value], paths)
    if (!isObject(value)) return undefined
    // The contents are read together with those of files, so that messages can name the key.
    return 'sessions' in value && Object.keys(value).length === 1 ? { sessions: value['sessions'] } : undefined
  },
}

function fileOf(texts: readonly string[], paths: PathReader): CurationSource | undefined {
  const path = file.fromText(texts, paths)
  return path === undefined ? undefined : { file: path }
}

/** A list of kinds; the help of `--show` names all of them once. */
export const contentChoices: Kind<readonly ContentKind[]> = { ...choices(contentKinds), placeholder: 'KINDS' }

/** Kinds that add up over all origins, so that none takes back what another omits. */
export const allContentChoices: Kind<readonly ContentKind[]> = {
  ...contentChoices,
  join: (strong, weak) => [...strong, ...weak],
}
