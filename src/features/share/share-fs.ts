/** The page of `share`: on disk, as a gist, and in the folder or bucket that `--to` names. */

import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import type { FileRecord } from '../../render/output.ts'
import { decodeManifest, encodeManifest, manifestName } from '../../site/output/paths.ts'
import { makeTempFolder } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { matchThread } from '../../survey/select.ts'
import { sha256 } from '../../util/hash.ts'
import { defined } from '../../util/own.ts'
import { errorCode } from '../../util/reason.ts'
import { openFolder } from '../publish/folder-fs.ts'
import type { SiteFile } from '../publish/plan.ts'
import { openBucket, readS3Target } from '../publish/s3-fs.ts'
import { digestsOf } from '../publish/site-fs.ts'
import { ownedPaths, type Store, syncSite } from '../publish/sync.ts'

const pageName = 'index.html'

/** A temporary folder in which a page is made. It is laid out as a site, so that `check` can read it. */
export interface ShareFolder {
  /** Absolute path. */
  readonly dir: string
  /** Appends a piece to the page. */
  write: (piece: string | Uint8Array) => Promise<void>
  /** Adds the manifest, and returns the path of the folder. */
  finish: () => string
  /** The bytes of the page. */
  read: () => Uint8Array
}

/** Runs `work` with a folder that nobody else can read, and removes the folder afterwards. */
export async function withShareFolder<T>(work: (folder: ShareFolder) => Promise<T>): Promise<T> {
  const dir = makeTempFolder('codex-export-share-')
  const page = join(dir, pageName)
  try {
    return await work({
      dir,
      async write(piece) {
        appendFileSync(page, piece)
      },
      finish() {
        const record = { path: pageName, hash: sha256(readFileSync(page)) }
        writeFileSync(join(dir, manifestName), encodeManifest([record]))
        return dir
      },
      read: () => readFileSync(page),
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * Uploads a file as a secret gist through GitHub's `gh`, and returns its address. Throws a `UsageError` with what `gh`
 * says.
 */
export function createGist(file: string, title: string, { env, signal, progress }: Host): Promise<string> {
  progress.stage('Uploading the page')
  // A list of arguments, never a shell line, because the title comes from a transcript. `gh` makes gists secret by
  // default.
  const args = ['gist', 'create', `--desc=${title}`, '--', file]
  const child = spawn('gh', args, {
    env: { ...env, GH_PROMPT_DISABLED: '1' },
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000)
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const isMissing = errorCode(error) === 'ENOENT'
      const advice = '`gh` was not found: install GitHub CLI (https://cli.github.com) and run `gh auth login`.'
      reject(isMissing ? new UsageError(`${advice} The page is written; nothing was uploaded.`) : error)
    })
    child.once('close', (status) => {
      const address = /^https:\/\/\S+$/m.exec(output)?.[0]
      if (status === 0 && address !== undefined) resolve(address)
      else reject(new UsageError(`gh says: ${complaint.trim() || output.trim() || 'nothing'}. Nothing was uploaded.`))
    })
  })
}

// The folder or bucket that shared pages go to. They are kept in its `shared/`, separate from a site in the same place.

/** Folder of shared pages in a target. Its own manifest says which files in it are ours. */
const sharedFolder = 'shared/'

/** Which folder or bucket takes the page, and how it is reached. */
interface TargetOptions {
  /** An absolute folder, or `s3://bucket/prefix`. */
  to: string
  endpoint: string | undefined
  region: string | undefined
  pathStyle: boolean
}

/** A page to be put into a folder or bucket. */
interface PlacedPage {
  /** Absolute path of the page on this machine. */
  file: string
  /** `words-ID.html`; pages with the same ID belong to the same session. */
  name: string
}

/**
 * Opens the folder or bucket that takes the page; `scratch` is a temporary folder of ours. Throws a `UsageError` or
 * `ConfigError` if it cannot take one.
 */
export async function openTarget({ to, pathStyle, ...options }: TargetOptions, scratch: string): Promise<Store> {
  const target = readS3Target(to)
  if (target !== undefined) {
    const { endpoint, region } = options
    return below(await openBucket(target, { ...defined({ endpoint, region }), pathStyle }))
  }
  if (isAbsolute(to)) return below(openFolder(to, scratch))
  throw new UsageError(
    '`share --to` needs a folder or `s3://bucket/prefix`: the next `publish git` would replace a branch and the page with it.',
  )
}

/**
 * Puts a page into `shared/` and returns its path there. An earlier page of the same session is replaced and keeps its
 * path.
 */
export async function putPage(page: PlacedPage, store: Store, run: Run): Promise<string> {
  const existing = await pagesAt(store)
  const path = [...existing.keys()].find((name) => idIn(name) === idIn(page.name)) ?? page.name
  const [hash = '', mark = ''] = digestsOf(page.file, statSync(page.file).size, ['sha256', store.markKind])
  existing.set(path, { hash, mark })
  await sync(existing, { path, file: page.file }, { store, run })
  return path
}

/**
 * Removes the page of the session whose id starts with `id`, and returns its path. Throws a `UsageError` unless there is
 * exactly one.
 */
export async function removePage(id: string, store: Store, run: Run): Promise<string> {
  const existing = await pagesAt(store)
  const pathOf = new Map([...existing.keys()].map((path) => [idIn(path), path]))
  const match = matchThread(pathOf.keys(), bareId(id))
  if (match.kind === 'ambiguous')
    throw new UsageError(
      `Several pages are meant: ${match.candidates.map((one) => `\`${pathOf.get(one)}\``).join(', ')}.`,
    )
  const path = match.kind === 'one' ? pathOf.get(match.id) : undefined
  if (path === undefined)
    throw new UsageError(`No page of a session whose id starts with \`${id}\` is in ${store.name}.`)
  existing.delete(path)
  await sync(existing, undefined, { store, run })
  return path
}

/** What a change of the shared pages works with. */
interface Run {
  host: Host
  /** A temporary folder of ours, for the manifest. */
  scratch: string
}

/** A page that is already there: its SHA-256 by the manifest, and the mark by which the store compares contents. */
interface ExistingPage {
  hash: string
  mark: string
}

/** The pages that the manifest lists and that still exist. */
async function pagesAt(store: Store): Promise<Map<string, ExistingPage>> {
  const text = await store.read(manifestName)
  const decoded = text === undefined ? undefined : decodeManifest(text)
  const files = decoded !== undefined && 'manifest' in decoded ? decoded.manifest.files : {}
  const marks = await store.probe(ownedPaths(text, undefined))
  return new Map(
    Object.entries(files).flatMap(([path, hash]): [string, ExistingPage][] => {
      const mark = marks.get(path)
      return mark === undefined ? [] : [[path, { hash, mark }]]
    }),
  )
}

/** Makes `shared/` hold exactly these pages; `added` is the one to upload from this machine, if any. */
async function sync(
  pages: ReadonlyMap<string, ExistingPage>,
  added: { path: string; file: string } | undefined,
  { store, run: { host, scratch } }: { store: Store; run: Run },
): Promise<void> {
  const records = [...pages].map(([path, { hash }]): FileRecord => ({ path, hash }))
  const manifest = join(scratch, 'shared.json')
  writeFileSync(manifest, encodeManifest(records))
  const sizeOf = (path: string): number => (path === added?.path ? statSync(added.file).size : 0)
  const files: SiteFile[] = [...pages].map(([path, { mark }]) => ({ path, size: sizeOf(path), mark }))
  const { size } = statSync(manifest)
  // Without pages, the manifest is removed too.
  const [mark = ''] = digestsOf(manifest, size, [store.markKind])
  const all = files.length === 0 ? [] : [...files, { path: manifestName, size, mark }]
  await syncSite(all, store, {
    sourceOf: (path) => (path === added?.path ? added.file : manifest),
    dryRun: false,
    check: () => {},
    signal: host.signal,
    onPlan: (steps) => host.progress.stage('Publishing the page', steps),
    onStep: () => host.progress.tick(),
  })
}

/** An id in lower case and without hyphens or other punctuation, so that it is one word of a file name. */
export function bareId(id: string): string {
  return id.replace(/\W/g, '').toLowerCase()
}

function idIn(name: string): string {
  return /-(\w+)\.html$/.exec(name)?.[1] ?? name
}

/** The `shared/` folder of a store, as a store of its own. */
function below(store: Store): Store {
  const inside = (path: string): string => sharedFolder + path
  return {
    name: store.name.replace(/\/?`$/, `/${sharedFolder.slice(0, -1)}\``),
    markKind: store.markKind,
    parallel: store.parallel,
    async probe(paths) {
      const marks = await store.probe([...paths].map(inside))
      const own = [...marks].filter(([path]) => path.startsWith(sharedFolder))
      return new Map(own.map(([path, mark]) => [path.slice(sharedFolder.length), mark]))
    },
    read: (path) => store.read(inside(path)),
    put: (file) => store.put({ ...file, path: inside(file.path) }),
    putText: (path, text) => store.putText(inside(path), text),
    remove: (path) => store.remove(inside(path)),
    tidy: () => store.tidy(),
    close: () => store.close(),
  }
}
