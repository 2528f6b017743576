/** Links between the project's documents lead to files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const markdown = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const documents = ['.', 'docs', 'fixtures'].flatMap(markdown)

describe('the documents', () => {
  it.each(documents)('link to files that are there: %s', (document) => {
    const text = readFileSync(join(root, document), 'utf8').replace(/```[\s\S]*?```/g, '')
    const targets = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map((match) => match[1] ?? '')
    expect(targets.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([])
  })

  it.each(documents)('name no path of a developer machine: %s', (document) => {
    expect(readFileSync(join(root, document), 'utf8')).not.toMatch(/\/(?:root|work)\//)
  })
})
