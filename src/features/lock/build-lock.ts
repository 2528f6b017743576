/** What a locked site is built with: the keys of its password, what is known of the last build, options that fit. */

import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { ConfigError } from '../../diagnostics/errors.ts'
import type { Sealing } from '../../site/context.ts'
import type { BuildOptions } from '../../site/types.ts'
import { pbkdfRounds } from './format.ts'
import type { Ledger } from './ledger.ts'
import { readLedger } from './ledger-fs.ts'
import { sealedStagingArea } from './staging-area.ts'
import { openVault, readPassword, type Vault } from './vault-fs.ts'

/** The keys of a site. */
interface Keys {
  vault: Vault
  /** Sealed files of the last build with the same keys. */
  last: Pick<Ledger, 'shell' | 'entries'>
}

/** Opens the lock; `undefined` without a password file. Throws `UsageError` or `ConfigError` where that cannot be. */
export async function openLock(options: BuildOptions, cacheDir: string): Promise<Sealing | undefined> {
  const { passwordFile, formats } = options
  if (passwordFile === undefined) return undefined
  if (!formats.includes('html'))
    throw new ConfigError('`passwordFile` needs `html` among the formats: pages are what opens a locked site.')
  const { password, diagnostics } = readPassword(passwordFile)
  const keys = await keysFor(password, cacheDir)
  const fitting = lockedOptions(options)
  return {
    key: keys.vault.check,
    options: fitting,
    diagnostics: [...diagnostics, ...unusedOptions(options)],
    seal: (stage) => sealedStagingArea(stage, { ...keys, options: fitting, cacheDir }),
  }
}

/** The keys of the last build where the password is the same, else new ones, under which everything is sealed anew. */
async function keysFor(password: string, cacheDir: string): Promise<Keys> {
  const ledger = readLedger(cacheDir)
  if (ledger?.facts.rounds === pbkdfRounds) {
    const vault = await openVault(password, ledger.facts)
    if (vault.check === ledger.facts.check) return { vault, last: ledger }
  }
  return { vault: await openVault(password), last: { shell: '', entries: new Map() } }
}

/** Feeds, previews and a worker would need files that everybody can read. */
function lockedOptions(options: BuildOptions): BuildOptions {
  return { ...options, offline: false, appearance: { ...options.appearance, siteUrl: undefined } }
}

function unusedOptions({ appearance, offline }: BuildOptions): Diagnostic[] {
  const unused = [
    appearance.siteUrl === undefined ? undefined : '`siteUrl`: there are no feeds, sitemaps and previews of links',
    offline ? '`offline`: no worker keeps pages in the browser' : undefined,
  ]
  return unused.flatMap((text) =>
    text === undefined ? [] : [diagnostic('unused-option', {}, `The site is locked: ${text}.`)],
  )
}
