/** The page of `share` on disk, and its way to GitHub. */

import { spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { encodeManifest, manifestName } from '../../site/output/paths.ts'
import type { Host } from '../../site/types.ts'
import { sha256 } from '../../util/hash.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'

const pageName = 'index.html'

/** A folder of its own for a page while it is made, laid out as a site, so that `check` can read it. */
export interface ShareFolder {
  /** Absolute path. */
  readonly dir: string
  /** Appends a piece to the page. */
  write: (piece: string) => Promise<void>
  /** Completes the folder, and gives its path. */
  finish: () => string
  /** Copies the page to an absolute path and gives its bytes. Throws `UsageError` where that cannot be. */
  copyTo: (file: string) => number
}

/** Runs `work` with a folder that nobody else can read, and removes it. */
export async function withShareFolder<T>(work: (folder: ShareFolder) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'codex-export-share-'))
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
      copyTo(file) {
        try {
          copyFileSync(page, file)
        } catch (error) {
          throw new UsageError(`\`${file}\` cannot be written: ${reasonOf(error)}`, { cause: error })
        }
        return statSync(file).size
      },
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Uploads a file as a secret gist through GitHub's `gh`, and gives its address. Throws `UsageError` with what `gh` says. */
export function createGist(file: string, title: string, { env, signal, progress }: Host): Promise<string> {
  progress.stage('Uploading the page')
  // Arguments, never a line for a shell: the title is a transcript's. A gist is secret unless it is asked to be public.
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
