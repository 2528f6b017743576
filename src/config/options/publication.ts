/** Options: what of the sessions is published. */
import { contentKinds, foldableKinds } from '../../model/publication.ts'
import * as kinds from '../kinds.ts'
import { visibilityFrom } from '../publication.ts'
import type { CurationSource, PublicationSettings } from '../settings.ts'
import { filters, type OptionTable, published, sites } from './option.ts'

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

/** What of the sessions is published. */
export const publicationOptions: OptionTable<PublicationSettings> = {
  preset: {
    kind: kinds.choice(['private', 'team', 'public']),
    default: 'private',
    flag: 'preset',
    config: true,
    commands: published,
    help: 'What is shown at all: `private` everything, `team` no costs and nothing of the machine alone, outputs folded, `public` prompts, answers, commands and changes, but no outputs, reasoning or injected context; see docs/publishing.md.',
  },
  visibility: {
    kind: visibility,
    default: {},
    defaultHelp: 'as the preset says',
    config: true,
    commands: published,
    help: 'How single kinds are shown, in place of what the preset says.',
  },
  show: {
    kind: kinds.choices(contentKinds),
    default: [],
    flag: 'show',
    commands: published,
    help: 'Kinds to show, whatever preset and configuration say.',
  },
  fold: {
    kind: kinds.choices(contentKinds),
    default: [],
    flag: 'fold',
    commands: published,
    help: 'Kinds to fold; stronger than those to show.',
  },
  omit: {
    kind: kinds.choices(contentKinds),
    default: [],
    flag: 'omit',
    commands: published,
    help: 'Kinds to leave out, of which no byte is written; stronger than those to show or to fold.',
  },
  maxOutput: {
    kind: kinds.size,
    default: undefined,
    flag: 'max-output',
    config: true,
    commands: published,
    help: 'Characters of an output that are published, such as `500` or `4k`; a longer one keeps its beginning and its end, and the rest is in no file.',
    defaultHelp: 'all',
  },
  curation: {
    kind: curation,
    default: undefined,
    flag: 'curation',
    config: true,
    commands: published,
    help: 'Decisions about single sessions: parts to leave out, titles, notes; see docs/publishing.md.',
  },
  branches: {
    kind: kinds.texts('NAME'),
    default: [],
    flag: 'branch',
    config: true,
    commands: filters,
    help: 'Only sessions that began on this branch, in any case; `*` stands for any characters; may be given several times.',
  },
  exclude: {
    kind: kinds.texts('ID'),
    default: [],
    flag: 'exclude-id',
    config: true,
    commands: filters,
    help: 'No threads whose id begins like this, whatever other filters say; may be given several times.',
  },
  missing: {
    kind: kinds.choice(['remove', 'keep']),
    default: 'remove',
    flag: 'missing',
    config: true,
    commands: sites,
    help: 'What becomes of pages whose rollouts are gone.',
  },
}
