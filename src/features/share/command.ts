/** `codex-export share`: writes one session to a single file to give away, and says what it contains and what was left out. */

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CommandModule, exitCodes, type Invocation } from '../../cli/command.ts'
import { requireProduct, writeFileWhole } from '../../cli/product-fs.ts'
import { type CallSettings, personalOf, readSettings, showOptions } from '../../cli/settings.ts'
import type { ShowOptions } from '../../cli/show/target.ts'
import { supervise } from '../../cli/supervise.ts'
import { canAsk, confirm, note, type World } from '../../cli/world.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { publicUrl, slugify } from '../../transcript/urls.ts'
import { isFile } from '../../util/files-fs.ts'
import { printable } from '../../util/printable.ts'
import type { Store } from '../publish/sync.ts'
import type { SharedPage } from './report.ts'
import type { ShareFolder } from './share-fs.ts'

/** Writes a session to a single file, checks every byte of it, and uploads it if asked to. */
export const shareCommand: CommandModule = {
  name: 'share',
  usage: 'share <target>',
  describe: 'Write one session to a single page to share, and report what it contains',
  positionals: { target: 'The start of a thread id, or the path of a rollout' },
  examples: [
    ['share 0199a434', 'write that session to a page, and list what was redacted and left out'],
    ['share 0199a434 --preset public --gist', 'also upload it as a secret gist, after a question'],
    ['share 0199a434 --to /srv/www/sessions', 'also put it into that folder, in `shared/`, after a question'],
    ['share 0199a434 --to /srv/www/sessions --withdraw', 'take it from there again'],
  ],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    refuseMisuse(call.settings, world)
    const { withShareFolder } = await import('./share-fs.ts')
    return await withShareFolder(async (folder) => {
      const store = await placeOf(call, folder)
      try {
        const sharing = { folder, store, call, invocation }
        return await (call.settings.withdraw ? withdraw(sharing) : share(sharing))
      } finally {
        await store?.close()
      }
    })
  },
}

/** Makes the page, says what is in it, and uploads it if asked to. Returns the exit code. */
async function share(sharing: Omit<Sharing, 'host'>): Promise<number> {
  const { world } = sharing.invocation
  const page = await supervise(world, (host) => makePage({ ...sharing, host }))
  const { pageText } = await import('./report.ts')
  await note(world, `${pageText(page, sharing.invocation).join('\n')}\n`)
  const isClean = page.findings.length === 0
  const isWanted = sharing.call.settings.gist || sharing.store !== undefined
  const address = isClean && isWanted ? await supervise(world, (host) => upload(page, { ...sharing, host })) : undefined
  if (isWanted && !isClean) await world.stderr.write('Nothing was uploaded: the check found something.\n')
  await world.stdout.write(`${address ?? page.file}\n`)
  return page.isComplete && isClean ? exitCodes.fine : exitCodes.findings
}

/** Opens the folder or bucket that `--to` names; `undefined` without `--to`. */
async function placeOf({ settings }: CallSettings, { dir }: ShareFolder): Promise<Store | undefined> {
  const { to, publish: config = {} } = settings
  if (to === undefined) return undefined
  const { openTarget } = await import('./share-fs.ts')
  const endpoint = settings.endpoint ?? config.endpoint
  const region = settings.region ?? config.region
  return await openTarget({ to, endpoint, region, pathStyle: settings.pathStyle ?? config.pathStyle ?? false }, dir)
}

function refuseMisuse({ gist, to, withdraw, assumeYes }: CallSettings['settings'], world: World): void {
  const misuse = (problem: string): never => {
    throw new UsageError(problem)
  }
  if (gist && to !== undefined) misuse('`--gist` and `--to` are two places: share to one of them at a time.')
  if (withdraw || assumeYes || canAsk(world)) return
  if (gist) misuse('`--gist` asks before it uploads: run it on a terminal, or give `--yes`.')
  if (to !== undefined) misuse('`--to` asks before it publishes: run it on a terminal, or give `--yes`.')
}

/** Uploads a page that passed the check, after a yes, and returns its address; `undefined` after a no. */
async function upload(page: SharedPage, sharing: Sharing): Promise<string | undefined> {
  const { store, call, invocation, host } = sharing
  const { world } = invocation
  const { signal } = host
  const question = store === undefined ? gistQuestion : `Put it into ${nameOf(store)}? Who can read there can read it.`
  if (!call.settings.assumeYes && !(await confirm(world, signal)?.(question))) {
    signal.throwIfAborted()
    await world.stderr.write('Nothing was uploaded.\n')
    return undefined
  }
  return store === undefined ? await uploadGist(page, sharing) : await storePage(page, store, sharing)
}

async function uploadGist({ file, title }: SharedPage, { invocation, host }: Sharing): Promise<string> {
  const { world } = invocation
  const { createGist } = await import('./share-fs.ts')
  const address = await createGist(file, title, host)
  await world.stderr.write('GitHub shows a gist as source. To read the page there, save its raw file and open that.\n')
  return address
}

const gistQuestion = 'Upload it as a secret gist? Everybody who has its address can read it.'

/** Puts a page into a folder or bucket that `publish` can reach, and returns its address there. */
async function storePage(page: SharedPage, store: Store, { call, folder, host }: Sharing): Promise<string> {
  const { bareId, putPage } = await import('./share-fs.ts')
  const name = fileName(page.title, bareId(page.sessions[0]?.threadId ?? ''), page.redacts)
  const path = await putPage({ file: page.file, name }, store, { host, scratch: folder.dir })
  const { siteUrl } = call.settings
  return siteUrl === undefined ? `${nameOf(store)}/${path}` : publicUrl(siteUrl, `shared/${path}`)
}

/** Removes the page of a session from the place that `--to` names. Returns the exit code. */
async function withdraw(sharing: Omit<Sharing, 'host'>): Promise<number> {
  const { store, folder, invocation } = sharing
  if (store === undefined) throw new UsageError('`--withdraw` needs the place that has the page: name it with `--to`.')
  const { world } = invocation
  const { removePage } = await import('./share-fs.ts')
  const run = async (host: Host): Promise<string> =>
    removePage(await idToWithdraw({ ...sharing, host }), store, { host, scratch: folder.dir })
  await note(world, `Removed ${printable(await supervise(world, run))} from ${printable(nameOf(store))}.\n`)
  return exitCodes.fine
}

/** The id by which a page was named. Of a session that is no longer here, the target is the start of it. */
async function idToWithdraw(sharing: Sharing): Promise<string> {
  const options = await pageOptions(sharing)
  const { target = '', targetPath = '' } = options
  if (!isFile(targetPath)) return target
  const { findTarget } = await import('../../cli/show/target.ts')
  return await withSpool(async (spoolDir) => {
    const { thread } = await findTarget({ ...options, withAgents: false }, sharing.host, spoolDir)
    return thread.id
  })
}

function nameOf({ name }: Store): string {
  return name.replaceAll('`', '')
}

interface Sharing {
  folder: ShareFolder
  /** The place that `--to` names, if any. */
  store: Store | undefined
  call: CallSettings
  invocation: Invocation
  host: Host
}

/** Writes the page into the temporary folder, checks it there, and then writes it to the output file. */
async function makePage(sharing: Sharing): Promise<SharedPage> {
  const { folder, call, invocation, host } = sharing
  const { world } = invocation
  const { settings } = call
  const options = await pageOptions(sharing)
  const { target = '', targetPath } = options
  requireProduct({ output: settings.output, homes: settings.homes, source: targetPath }, world)
  const { show } = await import('../../cli/show/show.ts')
  const shown = await show(options, host)
  const { auditSite } = await import('../audit/site-fs.ts')
  const { home, emails } = personalOf(call)
  host.progress.stage('Checking every byte of the page')
  const { findings } = await auditSite(folder.finish(), host, { homes: home, emails, waivers: settings.waivers })
  const { title = '', threadId = '' } = shown.sessions[0] ?? {}
  const id = threadId.replace(/[^\w-]/g, '').slice(0, 8)
  const file = settings.output ?? resolve(world.cwd, fileName(title, id, settings.redact))
  const { bytes } = await writeFileWhole(file, (write) => write(folder.read()))
  // The whole session is in one file, however long it is, so its size is no finding.
  const open = findings.filter(({ level, ruleId }) => level !== 'info' && ruleId !== 'oversized-page')
  const address = pathToFileURL(file).href
  return {
    ...shown,
    file,
    address,
    bytes,
    title,
    target,
    redacts: settings.redact,
    preset: settings.preset,
    findings: open,
  }
}

/** How `show` is asked for the page. */
async function pageOptions({ folder, call, invocation, host }: Sharing): Promise<ShowOptions> {
  const { choose } = await import('../../cli/show/target.ts')
  const ask = choose(invocation.world, host.signal, call.settings.timeZone)
  return { ...showOptions(call, invocation), format: 'html', choose: ask, write: folder.write }
}

/** A file name of the title (only if it is redacted; else `session`) and an id or its beginning. */
function fileName(title: string, id: string, redacts: boolean): string {
  return `${redacts ? slugify(title.slice(0, 40)) : 'session'}-${id}.html`
}
