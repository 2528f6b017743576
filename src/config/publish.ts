/** Reads the settings of a configuration file and flags for publishing. */

import { isObject } from '../util/json.ts'
import { choice, inFile, type Kind, single } from './kinds.ts'

/** Hosts that `publish` knows, in the order of help. */
export const publishTargets = ['dir', 'git', 'github-pages', 's3'] as const

/** A host that `publish` knows. */
export type PublishTarget = (typeof publishTargets)[number]

/** The host that `publish` puts the site on. */
export const publishTarget: Kind<PublishTarget> = choice(publishTargets)

const address = /^(?:[a-z][a-z0-9+.-]+:\/\/|[\w.-]+@[\w.-]+:)./i

/**
 * Texts that are not targets: the beginning of an option, control characters, and half an address, which would become a folder of
 * that name.
 */
const notATarget = /^\s*$|^-|\p{Cc}|^[a-z][a-z0-9+.-]+:\/*$|^s3:(?!\/\/)/iu

/** Where a site is published to: an address, a `user@host:path`, or a path, which is made absolute. */
export const place: Kind<string> = single(
  'a folder, the address or path of a git repository, or s3://bucket/prefix',
  'PLACE',
  (value, paths) => {
    if (notATarget.test(value)) return undefined
    return address.test(value) ? value : paths.absolute(value)
  },
)

/** Name of a branch, and not its full name as a reference, in characters that every host and shell accepts. */
export const branch: Kind<string> = worded(
  'the name of a branch such as gh-pages',
  'BRANCH',
  /^(?!HEAD$|refs\/|.*(?:\.\.|\/[./]|\.lock(?:\/|$)|\.$))[A-Za-z0-9_][\w./-]{0,199}(?<!\/)$/,
)

/** Name of a workflow file, without its extension. */
export const workflowName: Kind<string> = worded(
  'letters, digits, dots and hyphens',
  'NAME',
  /^[A-Za-z0-9][\w.-]{0,99}$/,
)

/** A region of an object store. */
export const region: Kind<string> = worded(
  'a region such as eu-central-1 or auto',
  'REGION',
  /^[A-Za-z0-9][\w-]{0,63}$/,
)

/** Address of the service of an object store. */
export const endpoint: Kind<string> = worded(
  'an address such as https://storage.example.org, without a password',
  'URL',
  /^https?:\/\/[^\s@?#]+$/i,
)

/** Author of commits, as `Name <mail>`. */
export const author: Kind<string> = worded(
  'a name and an address such as Name <mail>',
  'AUTHOR',
  /^[^<>\p{Cc}]{1,100} <[^<>\s\p{Cc}]{0,200}>$/u,
)

/** All settings for publishing as one object of a configuration file, with a kind for each key. */
export function publishTable(keys: Readonly<Record<string, Kind<unknown>>>): Kind<object> {
  const byKey = new Map(Object.entries(keys))
  const list = [...byKey.keys()].join(', ')
  return inFile(
    `{ target: 'dir', to: '/srv/www/sessions' }; targets are ${publishTargets.join(', ')}; keys are ${list}`,
    'OBJECT',
    (value, paths) => {
      if (!isObject(value)) return undefined
      const read: Record<string, unknown> = {}
      for (const [key, written] of Object.entries(value)) {
        if (written === undefined) continue
        const known = byKey.get(key)?.fromConfig(written, paths)
        if (known === undefined) return undefined
        read[key] = known
      }
      return read
    },
  )
}

function worded(expected: string, placeholder: string, form: RegExp): Kind<string> {
  return single(expected, placeholder, (value) => (form.test(value) ? value : undefined))
}
