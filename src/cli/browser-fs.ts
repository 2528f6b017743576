/** Opens an address in the user's browser. */

import { spawn } from 'node:child_process'
import process from 'node:process'
import { isLocked } from '../site/output/site-fs.ts'
import { quoted } from './called-as-fs.ts'

/** A program and its arguments. */
interface Opener {
  program: string
  args: string[]
}

/** The program that opens an address on a platform. The address does not pass through a shell. */
export function openerFor(platform: NodeJS.Platform, url: string): Opener {
  if (platform === 'darwin') return { program: 'open', args: [url] }
  if (platform === 'win32') return { program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', url] }
  return { program: 'xdg-open', args: [url] }
}

/** Opens an address without waiting for the browser to end; `false` if no program for it can be started. */
export function openInBrowser(url: string, opener: Opener = openerFor(process.platform, url)): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(opener.program, opener.args, { detached: true, stdio: 'ignore', windowsHide: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/** Why no session's page can be opened in a locked site; `undefined` if the site is not locked. */
export function lockedAdvice(out: string): string | undefined {
  if (!isLocked(out)) return undefined
  return `The site \`${out}\` is locked, and its files do not show which sessions they hold: run \`codex-export open --out ${quoted(out)}\` and search there.`
}
