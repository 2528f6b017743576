/** Links between the project's documents lead to existing files and headings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const markdown = (folder: string, recursive = false) =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const documents = [...['.', 'docs', 'fixtures'].flatMap((folder) => markdown(folder)), ...markdown('src', true)]

const read = (document: string): string => readFileSync(join(root, document), 'utf8')
const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```/g, '')

/** Link targets within the project: path and fragment, of which either may be empty. */
function targetsOf(document: string): { path: string; fragment: string }[] {
  const links = withoutCode(read(document)).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)
  return [...links].map(([, path = '', fragment = '']) => ({ path, fragment }))
}

/** Fragments of a document's headings, in GitHub's form. */
function fragmentsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  it.each(documents)('link to existing files: %s', (document) => {
    const missing = targetsOf(document).filter(({ path }) => !existsSync(join(root, dirname(document), path)))
    expect(missing).toEqual([])
  })

  it.each(documents)('link to existing headings: %s', (document) => {
    const inDocuments = targetsOf(document).filter(({ path, fragment }) => fragment !== '' && /^$|\.md$/.test(path))
    const missing = inDocuments.filter(({ path, fragment }) => {
      const target = path === '' ? document : join(dirname(document), path)
      return !fragmentsOf(read(target)).includes(fragment)
    })
    expect(missing).toEqual([])
  })

  it.each(documents)("contain no path of a developer's machine: %s", (document) => {
    expect(read(document)).not.toMatch(/\/(?:root|work)\//)
  })
})

/** Files of the project, which may be named by their full path or by the end of it. */
const files = ['src', 'templates', 'test', 'fixtures', 'docs', '.ci'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${join(folder, name)}`),
)
const forContributors = documents.filter((document) => /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^src/.test(document))
/** Users' files, examples, and files that a change would add. */
const elsewhere = /^(?:site\.config|index|b|src\/a\/b|pagefind\/search|pagefind|.*NAME.*)\.\w+$/

describe('the chapters for contributors', () => {
  it.each(forContributors)('name existing files: %s', (document) => {
    const named = [...withoutCode(read(document)).matchAll(/`(\w[\w./-]*\.(?:ts|js|mjs|eta))`/g)].map(
      ([, name = '']) => name,
    )
    const missing = named.filter((name) => !elsewhere.test(name) && !files.some((file) => file.endsWith(`/${name}`)))
    expect(missing).toEqual([])
  })
})

describe('README.md', () => {
  it('is at most 150 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151)
  })
})

describe('ARCHITECTURE.md', () => {
  const map = read('ARCHITECTURE.md')
  const floors = [...read('.ci/floors.mjs').matchAll(/^ {2}\['([\w/]+)', '/gm)].map(([, folder = '']) => folder)

  it('is a map of at most 150 lines', () => {
    expect(map.split('\n').length).toBeLessThanOrEqual(151)
  })

  it('lists the floors in their order', () => {
    const listed = [...map.matchAll(/^\| `([\w/]+)` \|/gm)].map(([, folder = '']) => folder)
    expect(floors.length).toBeGreaterThan(10)
    expect(listed.filter((folder) => floors.includes(folder))).toEqual(floors)
  })

  it('draws every floor', () => {
    const drawing = /```\n([\s\S]*?)```/.exec(map)?.[1] ?? ''
    const drawn = floors.filter((floor) => floor.split('/').every((part) => drawing.includes(part)))
    expect(drawn).toEqual(floors)
  })

  it('links the README of every folder that has one', () => {
    const links = targetsOf('ARCHITECTURE.md').map(({ path }) => path)
    const stories = documents.filter((document) => document.startsWith('src'))
    expect(stories.filter((story) => !links.includes(story))).toEqual([])
  })
})
