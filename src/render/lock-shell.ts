/** The login page of a locked site. */
import type { OutputFile } from '../model/output.ts'
import { assetPath, relativeLink } from '../model/urls.ts'
import { sha256 } from '../util/hash.ts'
import type { LockAssets } from './assets-fs.ts'
import { lockHeaders, lockPolicy, lockRobots } from './lock-policy.ts'
import type { Templates } from './templates.ts'
import type { LockView } from './views.ts'

/** What all login pages of a site share. */
export interface LockShell {
  /** Files that everybody can read. */
  files: OutputFile[]
  /** Differs where the text of a login page would. */
  key: string
  /** Text of the login page at `at` that holds a sealed part. */
  page: (at: string, part: { name: string; sealed: string }) => string
}

/** Makes the login pages of a site with given public facts of its keys; `search` tells whether it has one. */
export function lockShell(
  { lock }: Pick<Templates, 'lock'>,
  { files, css, js }: LockAssets,
  { salt, rounds, check, search }: Pick<LockView, 'salt' | 'rounds' | 'check'> & { search: boolean },
): LockShell {
  const page: LockShell['page'] = (at, { name, sealed }) =>
    lock({
      policy: lockPolicy(search),
      root: '../'.repeat(at.split('/').length - 1),
      css: relativeLink(at, assetPath(css)),
      js: relativeLink(at, assetPath(js)),
      ...{ name, sealed, salt, rounds, check },
    })
  return {
    files: [...files, { path: 'robots.txt', content: lockRobots }, { path: '_headers', content: lockHeaders(search) }],
    key: sha256(page('index.html', { name: '', sealed: '' })),
    page,
  }
}
