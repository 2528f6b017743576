import { describe, expect, it } from 'vitest'
import { pathProblem } from '../../../src/site/output/paths.ts'
import { outputText, projectSlug, sessionPage, threadFolder } from '../../../src/transcript/urls.ts'

const id = '0198c0df-00aa-7000-8000-00000000abcd'

describe('the folder of a thread', () => {
  it('is its id, as Codex writes it', () => {
    expect(threadFolder(id)).toBe(id)
  })

  it('is different for every id, even on disks that ignore letter case', () => {
    const ids = [id, id.toUpperCase(), id.replace('abcd', 'aBcd'), 'Gate', 'gate', 'GATE', 'gate ', '../gate']
    expect(new Set(ids.map((each) => threadFolder(each).toLowerCase())).size).toBe(ids.length)
  })
})

describe('names that are devices on Windows', () => {
  const devices = [
    'con',
    'PRN',
    'aux',
    'nul',
    'COM1',
    'lpt9',
    'con.txt',
    'aux.md',
    'NUL.tar.gz',
    'COM¹',
    'con .md',
    'CONIN$',
  ]

  it.each(devices)('are rejected in output paths: %s', (name) => {
    expect(pathProblem(`sessions/${name}/index.html`)).toContain('device')
    expect(pathProblem(`assets/${name}`)).toContain('device')
  })

  it.each(devices)('do not occur in paths that are made from them: %s', (name) => {
    const paths = [sessionPage(name), outputText(id, name), `projects/${projectSlug(name, name)}/index.html`]
    for (const path of paths) expect(pathProblem(path), path).toBeUndefined()
  })
})
