/** Options: where a site is published, and how. */

import * as kinds from '../kinds.ts'
import * as publishing from '../publish.ts'
import type { PublishSettings } from '../settings.ts'
import type { OptionTable } from './option.ts'

const unset = { default: undefined, flagOnly: true, commands: ['publish'] } as const

/** Where a site is published, and how. What the configuration file says stands in one object, `publish`. */
export const publishOptions: OptionTable<PublishSettings> = {
  publish: {
    kind: publishing.publishSettings,
    group: 'output',
    default: undefined,
    config: true,
    commands: ['publish'],
    help: 'Where `publish` puts the site, so that the command needs no arguments: `target` is its argument; `to`, `branch`, `history`, `name`, `endpoint`, `region` and `pathStyle` are its flags; `author` signs commits, as `Name <mail>`. [publishing.md](publishing.md) has an example for each target.',
    defaultHelp: 'none, and the command line says it all',
  },
  to: {
    ...unset,
    kind: publishing.place,
    group: 'output',
    flag: 'to',
    help: 'Where the site goes: a folder (`dir`), the address or path of a repository (`git`), or `s3://bucket/prefix` (`s3`).',
    defaultHelp: 'for `git`, the remote `origin` of the working folder',
  },
  toBranch: {
    ...unset,
    kind: publishing.branch,
    group: 'output',
    flag: 'to-branch',
    help: 'Branch that `publish git` writes to, or that the workflow of `publish github-pages` watches.',
    defaultHelp: 'gh-pages; for the workflow, the current branch',
  },
  history: {
    ...unset,
    kind: kinds.toggle,
    group: 'output',
    flag: 'history',
    help: 'Keep earlier versions of the site in the history of the branch; without it the branch has one commit, and removed pages are gone.',
  },
  siteName: {
    ...unset,
    kind: publishing.workflowName,
    group: 'output',
    flag: 'site-name',
    help: 'Name of the workflow file of `publish github-pages`, without `.yml`.',
    defaultHelp: 'publish-sessions',
  },
  endpoint: {
    ...unset,
    kind: publishing.endpoint,
    group: 'output',
    flag: 'endpoint',
    help: 'Address of an object store other than AWS.',
    defaultHelp: 'what the AWS configuration says',
  },
  region: {
    ...unset,
    kind: publishing.region,
    group: 'output',
    flag: 'region',
    help: 'Region of the bucket.',
    defaultHelp: 'what the AWS configuration says',
  },
  pathStyle: {
    ...unset,
    kind: kinds.toggle,
    group: 'output',
    flag: 'path-style',
    help: 'Put the bucket in the path of requests instead of the host name, as many self-hosted stores require.',
  },
  allowFindings: {
    kind: kinds.toggle,
    group: 'privacy',
    default: false,
    flag: 'allow-findings',
    flagOnly: true,
    commands: ['publish'],
    help: 'Publish even if the audit found something.',
  },
  allowUnredacted: {
    kind: kinds.toggle,
    group: 'privacy',
    default: false,
    flag: 'allow-unredacted',
    flagOnly: true,
    commands: ['publish'],
    help: 'Publish even if the site was built with `--no-redact`.',
  },
  replace: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'replace',
    flagOnly: true,
    commands: ['publish'],
    help: 'Replace a workflow file that someone else wrote, without asking.',
  },
}
