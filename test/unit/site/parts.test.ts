/** Small parts of pages: JSON, pictures, spools and temporary files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { assetSink } from '../../../src/redact/picture.ts'
import { makeTempFolder, pageSpool, writeSpoolFile } from '../../../src/site/spool-fs.ts'
import { decoded } from '../../../src/util/pieces.ts'
import { pixel, pixelUrl } from '../../helpers/records.ts'
import { jsonTree } from '../../helpers/render.ts'
import { useTempDir } from '../../helpers/temp.ts'
import * as tree from '../../helpers/tree.ts'

describe('the JSON of a tree', () => {
  it('is one document with its statistics last', () => {
    const session = tree.session([tree.turn([tree.user('a "quoted" }} text')]), tree.turn([])])
    const text = jsonTree(session, 'codex-export 1.2.3')
    expect(JSON.parse(text)).toEqual({
      schema: 'codex-export/transcript',
      version: 1,
      generator: 'codex-export 1.2.3',
      session: JSON.parse(JSON.stringify(session)),
    })
    expect(text.indexOf('"stats"')).toBeGreaterThan(text.indexOf('"children"'))
    expect(text.endsWith('}}\n')).toBe(true)
  })

  it('may be empty', () => {
    expect(JSON.parse(jsonTree(tree.session([]), 'x')).session.children).toEqual([])
  })
})

describe('a picture', () => {
  const store = (): { files: Map<string, Uint8Array>; sink: ReturnType<typeof assetSink> } => {
    const files = new Map<string, Uint8Array>()
    return { files, sink: assetSink((name, bytes) => files.set(name, bytes)) }
  }

  it('is stored under the hash of its content, whatever its source', () => {
    const { files, sink } = store()
    const first = sink({ data: pixelUrl })
    expect(first).toMatchObject({
      mediaType: 'image/png',
      width: 1,
      height: 1,
      bytes: Buffer.from(pixel, 'base64').length,
    })
    expect(first?.asset).toMatch(/^[0-9a-f]{32}\.png$/)
    expect(sink({ base64: pixel, mediaType: 'image/gif' })).toEqual(first)
    expect([...files.keys()]).toEqual([first?.asset])
  })

  it.each([
    [
      'a drawing that may hold a script',
      {
        data: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
      },
      'image/svg+xml',
    ],
    [
      'text that claims to be a picture',
      { base64: Buffer.from('no picture').toString('base64'), mediaType: 'image/png' },
      'image/png',
    ],
    [
      'an invalid media type',
      { data: `data:"><b>;base64,${Buffer.from('x').toString('base64')}` },
      'application/octet-stream',
    ],
  ])('is not stored: %s', (_name, picture, mediaType) => {
    const { files, sink } = store()
    const asset = sink(picture)
    expect(asset).toMatchObject({ mediaType })
    expect(asset).not.toHaveProperty('asset')
    expect(files.size).toBe(0)
  })

  it.each([{ url: 'https://example.com/a.png' }, { data: 'data:image/png,plain' }, { base64: '' }, {}])(
    'is undefined without bytes: %j',
    (picture) => {
      expect(store().sink(picture)).toBeUndefined()
    },
  )
})

describe('a spool of pages', () => {
  it('returns what was added, in any order, from memory or a file', () => {
    const folder = useTempDir()
    const spool = pageSpool(() => folder, 'pages')
    const texts = ['short', 'ü'.repeat(3_999_000), `🚀${'x'.repeat(5000)}`, 'again', 'y'.repeat(9000)]
    for (const text of texts) spool.add(text)
    expect(existsSync(join(folder, 'pages'))).toBe(true)
    for (const index of [4, 0, 2, 1, 3])
      expect(decoded(spool.get(index)) === texts[index], `number ${index}`).toBe(true)
    expect(spool.get(9)).toEqual(new Uint8Array())
    spool.close()
  })

  it('needs no file for little text', () => {
    const spool = pageSpool(() => {
      throw new Error('no folder is needed')
    }, 'pages')
    spool.add('a')
    expect(decoded(spool.get(0))).toBe('a')
    spool.close()
  })
})

describe.skipIf(process.platform === 'win32')('temporary files', () => {
  it('are refused with their folder and the variable that names another one if it is missing', () => {
    const missing = join(useTempDir(), 'missing')
    vi.stubEnv('TMPDIR', missing)
    try {
      const message = `Cannot write temporary files in \`${missing}\`: it does not exist. \`TMPDIR\` names another folder.`
      expect(() => makeTempFolder()).toThrow(message)
      expect(() => writeSpoolFile(join(missing, 'folder'), [Buffer.from('words')])).toThrow(message)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
