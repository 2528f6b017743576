/** Options: what of the sessions is shown. */

import { UsageError } from '../../diagnostics/errors.ts'
import * as kinds from '../kinds.ts'
import { personalDefaults } from '../personal.ts'
import { type ContentKind, contentKinds, foldableKinds, presets, type Shown, type Visibility } from '../publication.ts'
import type { CurationSource, PrivacySettings, PublicationSettings } from '../settings.ts'
import { type Command, filters, type OptionTable, published, remembering, sites } from './option.ts'

/** Commands that show texts of sessions. */
const shown: readonly Command[] = ['build', 'list', 'show', 'serve', 'check', ...remembering]

/** What of the sessions is shown. */
export const privacyOptions: OptionTable<PrivacySettings> = {
  redact: {
    kind: kinds.toggle,
    group: 'privacy',
    default: true,
    flag: 'redact',
    config: true,
    commands: shown,
    help: 'Replace keys, tokens, passwords and other secrets with `[redacted:…]` everywhere; `--no-redact` leaves them, and personal data, as they are.',
  },
  personal: {
    kind: kinds.personal,
    group: 'privacy',
    default: personalDefaults,
    defaultHelp: 'home folders and names, no e-mail addresses',
    flag: 'personal',
    config: true,
    commands: shown,
    help: 'Replace personal data: home folders with `~`, and the names of users and machines in paths and shell prompts; `--no-personal` leaves them as they are.',
  },
  redactEmails: {
    kind: kinds.toggle,
    group: 'privacy',
    default: false,
    flag: 'redact-emails',
    commands: shown,
    help: 'Also replace e-mail addresses with `[redacted:email]`.',
  },
}

// From settings to what is published.

type VisibilitySettings = Pick<PublicationSettings, 'preset' | 'visibility' | 'show' | 'fold' | 'omit'>

/**
 * How each kind is shown. Strongest last: preset, `visibility`, `--show`, `--fold`, `--omit`. Throws a `UsageError` for a
 * kind that cannot be folded.
 */
export function visibilityOf({ preset, visibility, show, fold, omit }: VisibilitySettings): Visibility {
  const stiff = fold.find((kind) => !isFoldable(kind))
  if (stiff !== undefined) {
    throw new UsageError(
      `\`--fold\` does not take \`${stiff}\`; it can be shown or left out. Folded can be ${foldableKinds.join(', ')}.`,
    )
  }
  const all = (kinds: readonly ContentKind[], shown: Shown) => Object.fromEntries(kinds.map((kind) => [kind, shown]))
  return { ...presets[preset], ...visibility, ...all(show, 'show'), ...all(fold, 'fold'), ...all(omit, 'omit') }
}

/** `{ reasoning: 'fold', toolOutput: 'omit' }`, or `undefined` for what does not fit. */
export function visibilityFrom(value: unknown): Partial<Visibility> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
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

// Options: what of the sessions is published.

const visibility: kinds.Kind<PublicationSettings['visibility']> = {
  expected: `{ kind: 'show' | 'fold' | 'omit' } with kinds among ${contentKinds.join(', ')}; folded can be ${foldableKinds.join(', ')}`,
  placeholder: 'TABLE',
  many: false,
  fromText: () => undefined,
  fromConfig: visibilityFrom,
}

const curation: kinds.Kind<CurationSource | undefined> = {
  expected: 'the path of a JSON file, or in a configuration file an object { sessions }',
  placeholder: 'FILE',
  many: false,
  fromText: fileOf,
  fromConfig(value, paths) {
    if (typeof value === 'string') return fileOf([value], paths)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    // What the object holds is read where a file's content is, so that messages name the key.
    return 'sessions' in value && Object.keys(value).length === 1 ? { sessions: value.sessions } : undefined
  },
}

function fileOf(texts: readonly string[], paths: kinds.PathReader): CurationSource | undefined {
  const file = kinds.file.fromText(texts, paths)
  return file === undefined ? undefined : { file }
}

/** Kinds in a list; the help of `--show` names all of them once. */
const contentChoices = { ...kinds.choices(contentKinds), placeholder: 'KINDS' }

/** What of the sessions is published. */
export const publicationOptions: OptionTable<PublicationSettings> = {
  preset: {
    kind: kinds.choice(['private', 'team', 'public']),
    group: 'privacy',
    default: 'private',
    flag: 'preset',
    config: true,
    commands: published,
    help: 'How much to show. `private`: everything; `team`: no costs or machine details, outputs folded; `public`: prompts, answers, commands and changes, but no outputs, reasoning or injected context. See docs/publishing.md.',
  },
  visibility: {
    kind: visibility,
    group: 'privacy',
    default: {},
    defaultHelp: 'as the preset says',
    config: true,
    commands: published,
    help: 'How single kinds are shown, overriding the preset.',
  },
  show: {
    kind: contentChoices,
    group: 'privacy',
    default: [],
    flag: 'show',
    commands: published,
    help: `Kinds to show, overriding preset and configuration: ${contentKinds.join(', ')}.`,
  },
  fold: {
    kind: contentChoices,
    group: 'privacy',
    default: [],
    flag: 'fold',
    commands: published,
    help: 'Kinds to fold, overriding `--show`.',
  },
  omit: {
    kind: contentChoices,
    group: 'privacy',
    default: [],
    flag: 'omit',
    commands: published,
    help: 'Kinds to omit entirely, overriding `--show` and `--fold`.',
  },
  maxOutput: {
    kind: kinds.size,
    group: 'privacy',
    default: undefined,
    flag: 'max-output',
    config: true,
    commands: published,
    help: 'Longest output to publish, in characters, such as `500` or `4k`; a longer one keeps only its beginning and its end.',
    defaultHelp: 'all',
  },
  curation: {
    kind: curation,
    group: 'privacy',
    default: undefined,
    flag: 'curation',
    config: true,
    commands: published,
    help: 'Decisions about single sessions: parts to leave out, titles, notes. See docs/publishing.md.',
  },
  branches: {
    kind: kinds.texts('NAME'),
    group: 'selection',
    default: [],
    flag: 'branch',
    config: true,
    commands: filters,
    help: 'Only sessions that began on this branch, ignoring case; `*` matches any characters. Repeatable.',
  },
  exclude: {
    kind: kinds.texts('ID'),
    group: 'selection',
    default: [],
    flag: 'exclude-id',
    config: true,
    commands: filters,
    help: 'Exclude threads whose id starts with ID, whatever the other filters say. Repeatable.',
  },
  missing: {
    kind: kinds.choice(['remove', 'keep']),
    group: 'output',
    default: 'remove',
    flag: 'missing',
    config: true,
    commands: sites,
    help: 'What to do with pages whose rollouts no longer exist.',
  },
}
