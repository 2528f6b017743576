/** The configuration file that `init` writes: every line says what it does, and what is not needed is a comment. */

import type { Preset } from '../../config/publication.ts'

/** What `init` asks for. */
export interface Answers {
  title: string
  /** IANA name. */
  timeZone: string
  preset: Preset
}

/** The text of a `site.config.ts`. */
export function configText({ title, timeZone, preset }: Answers): string {
  return `import { defineConfig } from 'codex-export'

// A program: \`build\`, \`serve\`, \`publish\` and \`share\` run it, commands that only read ask first.
// Every key: docs/config.md of the package. Flags and CODEX_EXPORT_* variables override what stands here.
export default defineConfig({
  // Name of the site.
  title: ${quoted(title)},

  // Zone of displayed times and of days.
  timeZone: ${quoted(timeZone)},

  // Who reads the site: 'private' shows everything but secrets, 'team' omits and folds what colleagues need not see,
  // 'public' omits what strangers need not see. Look through the site before you publish it.
  preset: ${quoted(preset)},

  // Where sessions are, each with a name for whose they are. Without this: $CODEX_HOME, else ~/.codex.
  // homes: [{ path: '~/.codex', label: 'Me' }],

  // Only sessions of these projects, or since a day or an age.
  // projects: ['shop'],
  // since: '90d',

  // Folder of the site.
  // out: 'site',

  // Public address: adds a feed, a sitemap and link previews, and lets search engines in.
  // siteUrl: 'https://example.org/sessions/',

  // Front matter on the Markdown of sessions, for Obsidian and the like.
  // frontMatter: true,
})
`
}

/** A text as TypeScript in the style of the file. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
