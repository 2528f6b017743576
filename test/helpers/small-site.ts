/** Sites of a few invented files with a manifest, for tests of what happens to a built site. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { encodeManifest } from '../../src/site/output/paths.ts'
import { shortHash } from '../../src/transcript/urls.ts'
import { sha256 } from '../../src/util/hash.ts'
import { writeFolder } from './folder.ts'

/** The content of a small site. */
export interface SmallSite {
  /** Session ids with the text of their pages. */
  sessions: Readonly<Record<string, string>>
  /** Rules of the style sheet, whose name depends on them. */
  css?: string
}

/** Files of a site by path, with the manifest: pages that load a style sheet, and lists that link to them. */
export function smallSite({ sessions, css = 'p{}' }: SmallSite): Record<string, string> {
  const sheet = `assets/site.${shortHash(css)}00.css`
  const page = (root: string, body: string) => `<link rel="stylesheet" href="${root}${sheet}">${body}`
  const ids = Object.keys(sessions)
  const list = (root: string) => ids.map((id) => `<a href="${root}sessions/${id}/index.html">${id}</a>`).join('')
  const files: Record<string, string> = {
    [sheet]: css,
    'months/2026-03/index.html': page('../../', list('../../')),
    'build-report.json': `{"redacted":true,"sessions":${ids.length}}`,
    'pagefind/pagefind-entry.json': JSON.stringify(ids),
    'index.html': page('', `<title>Small site</title>${list('')}<a href="months/2026-03/index.html">March</a>`),
  }
  for (const [id, text] of Object.entries(sessions)) {
    const others = ids.map((other) => `<a href="../${other}/index.html">${other}</a>`).join('')
    files[`sessions/${id}/index.html`] = page('../../', `<title>${id} · Small site</title><p>${text}</p>${others}`)
    files[`sessions/${id}/index.md`] = `# ${id}\n\n${text}\n`
    files[`pagefind/fragment/en_${shortHash(id + text)}.pf_fragment`] = text
  }
  return withManifest(files)
}

/** Files with the manifest that a build would give them. */
export function withManifest(files: Readonly<Record<string, string>>): Record<string, string> {
  const records = Object.entries(files)
    .filter(([path]) => path !== 'manifest.json')
    .map(([path, content]) => ({ path, hash: sha256(content) }))
  return { ...files, 'manifest.json': encodeManifest(records) }
}

/** Makes a folder contain exactly these files. */
export function writeSite(parent: string, files: Readonly<Record<string, string>>): string {
  const folder = join(parent, 'site')
  rmSync(folder, { recursive: true, force: true })
  writeFolder(folder, files)
  return folder
}

/**
 * What is missing for readers who begin at the start page: `page → target` for each link, style sheet, script or
 * picture that does not exist. Empty if there is no start page, because then nobody follows a dead link.
 */
export function missedByReaders(files: Readonly<Record<string, string>>): string[] {
  const missed: string[] = []
  const queue = files['index.html'] === undefined ? [] : ['index.html']
  const seen = new Set(queue)
  for (const page of queue) {
    for (const [, target = ''] of (files[page] ?? '').matchAll(/(?:href|src)="([^"#:]+)/g)) {
      const path = new URL(target, `https://site.test/${page}`).pathname.slice(1)
      if (files[path] === undefined) missed.push(`${page} → ${path}`)
      else if (path.endsWith('.html') && !seen.has(path)) {
        seen.add(path)
        queue.push(path)
      }
    }
  }
  return missed
}
