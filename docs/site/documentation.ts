/** The guide of the documentation site: a page for each Markdown file of the project, made by the hooks of a plugin. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, type PluginFile, type PluginPage } from 'codex-export'
import type { Element, Root } from 'hast'
import { common, createLowlight } from 'lowlight'
import type { Nodes as MdastNodes, Root as MdastRoot } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { visit } from 'unist-util-visit'
import { options, settingNames } from '../../src/config/schema.ts'
import { commands } from '../../src/program.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))

/** What stands in the guide, in the order in which it is read: Markdown files of the project by name of the page. */
const chapters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'quick-start': 'docs/quick-start.md',
    reading: 'docs/reading.md',
    'publish-quickly': 'docs/publish-quickly.md',
    privacy: 'docs/privacy.md',
  },
  Use: {
    cli: 'docs/cli.md',
    flags: 'flags',
    config: 'docs/config.md',
    publishing: 'docs/publishing.md',
    troubleshooting: 'docs/troubleshooting.md',
    faq: 'docs/faq.md',
  },
  Extend: {
    plugins: 'docs/plugins.md',
    templates: 'docs/templates.md',
    api: 'docs/api.md',
    tree: 'docs/ast.md',
  },
  Know: {
    files: 'docs/site.md',
    diagnostics: 'docs/diagnostics.md',
    performance: 'docs/performance.md',
    scale: 'docs/scale.md',
    comparison: 'docs/comparison.md',
    security: 'SECURITY.md',
    'rollout-format': 'docs/rollout-format.md',
    changelog: 'CHANGELOG.md',
  },
}

/** A file of the guide, read. */
interface Chapter {
  group: string
  /** From the root of the site. */
  path: string
  source: string
  title: string
  tree: MdastRoot
}

/** The plugin. */
export const documentation = definePlugin({
  name: 'documentation',
  nav: [{ text: 'Guide', path: 'guide/quick-start.html' }],
  *pages() {
    const all = Object.entries(chapters).flatMap(([group, files]) =>
      Object.entries(files).map(([name, source]) => readChapter(group, name, source)),
    )
    const paths = new Map(all.map(({ source, path }) => [source, path]))
    const pictures = new Map<string, PluginFile>()
    for (const [index, chapter] of all.entries()) {
      const body = bodyOf(chapter, paths, pictures)
      const link = (at: number) => all[at] && { text: all[at].title, href: path.posix.basename(all[at].path) }
      yield {
        path: chapter.path,
        title: chapter.title,
        description: descriptionOf(chapter.tree),
        template: 'html/guide',
        data: { groups: groupsOf(all, chapter), previous: link(index - 1), next: link(index + 1) },
        body,
      } satisfies PluginPage
    }
    yield* pictures.values()
  },
})

function readChapter(group: string, name: string, source: string): Chapter {
  const text = source === 'flags' ? flagsText() : readFileSync(path.join(project, source), 'utf8')
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const [heading] = tree.children.splice(0, 1)
  return { group, path: `guide/${name}.html`, source, title: heading === undefined ? name : textOf(heading), tree }
}

/** Links to all pages of the guide, by group. */
function groupsOf(all: readonly Chapter[], current: Chapter) {
  return Object.keys(chapters).map((name) => ({
    name,
    links: all
      .filter(({ group }) => group === name)
      .map((one) => ({ text: one.title, href: path.posix.basename(one.path), current: one === current })),
  }))
}

function textOf(node: MdastNodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

function descriptionOf({ children }: MdastRoot): string {
  const first = children.find(({ type }) => type === 'paragraph')
  return first === undefined ? '' : textOf(first).replace(/\s+/g, ' ')
}

// From Markdown to a body: links lead to pages of the guide, headings have the ids that other documents link, code has colours.

function bodyOf(
  { tree, source }: Chapter,
  paths: ReadonlyMap<string, string>,
  pictures: Map<string, PluginFile>,
): Root {
  const root = toHast(tree) as Root // of a root
  const ids = new Map<string, number>()
  visit(root, 'element', (node) => {
    if (/^h[1-6]$/.test(node.tagName)) node.properties['id'] = headingId(node, ids)
    else if (node.tagName === 'a') relink(node, source, paths)
    else if (node.tagName === 'img') takePicture(node, source, pictures)
    else if (node.tagName === 'code') colour(node)
    // A heading that says nothing heads nothing.
    else if (node.tagName === 'th' && node.children.length === 0) node.tagName = 'td'
  })
  return root
}

/** As GitHub names headings. */
function headingId(node: Element, taken: Map<string, number>): string {
  let text = ''
  visit(node, 'text', ({ value }) => {
    text += value
  })
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = taken.get(id) ?? 0
  taken.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

function relink(node: Element, source: string, paths: ReadonlyMap<string, string>): void {
  const href = String(node.properties['href'])
  if (/^(?:[a-z]+:|#)/.test(href)) return
  const [target = '', hash = ''] = href.split(/(?=#)/)
  const page = paths.get(path.posix.join(path.posix.dirname(source), target))
  if (page !== undefined) node.properties['href'] = page + hash
  // Files of the project that are no page here keep their name, which says where they are.
  else node.tagName = 'span'
}

function takePicture(node: Element, source: string, pictures: Map<string, PluginFile>): void {
  const file = path.posix.join(path.posix.dirname(source), String(node.properties['src']))
  const own = `guide/pictures/${path.posix.basename(file)}`
  pictures.set(own, { path: own, content: readFileSync(path.join(project, file)) })
  node.properties = { src: own, alt: String(node.properties['alt']), loading: 'lazy' }
}

const lowlight = createLowlight(common)

function colour(node: Element): void {
  const [name = ''] = [node.properties['className']].flat()
  const language = String(name).replace('language-', '')
  const [text] = node.children
  if (text?.type !== 'text' || !lowlight.registered(language)) return
  // A highlighted text is made of elements and texts.
  node.children = lowlight.highlight(language, text.value).children as Element['children']
}

// What is generated.

/** Every command with its flags, from the same table as `--help`. */
function flagsText(): string {
  const sections = commands.map(({ name, usage, describe, examples, positionals = {} }) => {
    const own = settingNames.map((key) => options[key]).filter((option) => option.commands.includes(name))
    const flags = own.flatMap(({ flag, short, help, kind: { placeholder } }) => {
      if (flag === undefined) return []
      const names = [
        `--${flag}${placeholder === '' ? '' : ` ${placeholder}`}`,
        ...(short === undefined ? [] : [`-${short}`]),
      ]
      return [
        `| ${names.map((one) => `\`${one.replaceAll('|', '\\|')}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`,
      ]
    })
    return [
      `## ${name}`,
      `\`codex-export ${usage}\`: ${describe}.`,
      ...Object.entries(positionals).map(([key, text]) => `\`${key}\`: ${text}.`),
      ['| flag | meaning |', '|---|---|', ...flags].join('\n'),
      ...(examples.length === 0
        ? []
        : [examples.map(([line, text]) => `- \`codex-export ${line}\`: ${text}`).join('\n')]),
    ].join('\n\n')
  })
  return `# Flags by command\n\nWritten from the table of options, like \`--help\`.\n\n${sections.join('\n\n')}\n`
}
