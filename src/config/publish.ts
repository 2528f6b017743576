/** Reads what a configuration file and flags say about publishing. */

import type { Kind, PathReader } from './kinds.ts'
import { type PublishConfig, publishTargets } from './settings.ts'

const address = /^(?:[a-z][a-z0-9+.-]+:\/\/|[\w.-]+@[\w.-]+:)./i

/** An address, `user@host:path`, or a path, made absolute. Never the beginning of an option. */
function placeFrom(value: unknown, paths: PathReader): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || /^-|\p{Cc}/u.test(value)) return undefined
  return address.test(value) ? value : paths.absolute(value)
}

/** Where a site is published to. */
export const place: Kind<string | undefined> = {
  expected: 'a folder, the address or path of a git repository, or s3://bucket/prefix',
  placeholder: 'PLACE',
  many: false,
  fromText: ([value], paths) => placeFrom(value, paths),
  fromConfig: placeFrom,
}

/** Name of a branch, in characters that every host and shell takes. */
export const branch: Kind<string | undefined> = worded(
  'the name of a branch such as gh-pages',
  'BRANCH',
  /^(?!.*(?:\.\.|\/\/|\.lock$|\.$))[A-Za-z0-9_][\w./-]{0,199}(?<!\/)$/,
)

/** Name of a workflow file, without its extension. */
export const workflowName: Kind<string | undefined> = worded(
  'letters, digits, dots and hyphens',
  'NAME',
  /^[A-Za-z0-9][\w.-]{0,99}$/,
)

/** A region of an object store. */
export const region: Kind<string | undefined> = worded(
  'a region such as eu-central-1 or auto',
  'REGION',
  /^[A-Za-z0-9][\w-]{0,63}$/,
)

/** Address of the service of an object store. */
export const endpoint: Kind<string | undefined> = worded(
  'an address such as https://storage.example.org, without a password',
  'URL',
  /^https?:\/\/[^\s@?#]+$/i,
)

/** `Name <mail>` of a commit. */
const author = /^[^<>\p{Cc}]{1,100} <[^<>\s\p{Cc}]{0,200}>$/u

/** All about publishing, in a configuration file. */
export const publishSettings: Kind<PublishConfig | undefined> = {
  expected: `{ target: 'dir', to: '/srv/www/sessions' }; targets are ${publishTargets.join(', ')}; keys are target, to, branch, history, author, name, endpoint, region, pathStyle`,
  placeholder: 'OBJECT',
  many: false,
  fromText: () => undefined,
  fromConfig: configFrom,
}

type Readers = { readonly [K in keyof Required<PublishConfig>]: (value: unknown, paths: PathReader) => unknown }

const readers: Readers = {
  target: (value) => publishTargets.find((target) => target === value),
  to: placeFrom,
  branch: branch.fromConfig,
  history: boolean,
  author: (value) => (typeof value === 'string' && author.test(value) ? value : undefined),
  name: workflowName.fromConfig,
  endpoint: endpoint.fromConfig,
  region: region.fromConfig,
  pathStyle: boolean,
}

function configFrom(value: unknown, paths: PathReader): PublishConfig | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const read: Record<string, unknown> = {}
  for (const [key, written] of Object.entries(value)) {
    if (written === undefined) continue
    const known = Object.hasOwn(readers, key) ? readers[key as keyof Readers](written, paths) : undefined
    if (known === undefined) return undefined
    read[key] = known
  }
  return read // each key was read by the reader of its name
}

function boolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function worded(expected: string, placeholder: string, form: RegExp): Kind<string | undefined> {
  const read = (value: unknown): string | undefined =>
    typeof value === 'string' && form.test(value) ? value : undefined
  return { expected, placeholder, many: false, fromText: ([value]) => read(value), fromConfig: read }
}
