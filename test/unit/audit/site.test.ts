/** The audit of a folder: what its names, its manifest and each kind of file reveal. */
import { linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { audit, type Files, page, reported, writeSite } from '../../helpers/audited.ts'
import { noise, planted } from '../../helpers/planted.ts'
import { useTempDir } from '../../helpers/temp.ts'

const github = planted().find(({ kind }) => kind === 'GitHub personal')
const key = github?.secret ?? ''

async function auditOf(files: Files): Promise<string[]> {
  const folder = useTempDir()
  writeSite(folder, files)
  return reported(await audit(folder))
}

function base64(content: string | Uint8Array): string {
  return Buffer.from(content).toString('base64')
}

/** A chunk of a PNG. Its checksum is not used here. */
function chunk(kind: string, content: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(kind), content, Buffer.alloc(4)])
}

function png(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', Buffer.alloc(13)),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Words as a list in the search index contains them. */
function cbor(words: readonly string[]): Buffer {
  return Buffer.concat([
    Buffer.from([0x98, words.length]),
    ...words.flatMap((word) => [Buffer.from([0x78, word.length]), Buffer.from(word)]),
  ])
}

function cssEscaped(text: string): string {
  return [...text].map((c) => `\\${c.charCodeAt(0).toString(16)} `).join('')
}

function scriptEscaped(text: string): string {
  return [...text].map((c, at) => (at % 5 === 1 ? `\\u00${c.charCodeAt(0).toString(16)}` : c)).join('')
}

function packed(content: string | Uint8Array): Buffer {
  return gzipSync(Buffer.concat([Buffer.from('pagefind_dcd'), Buffer.from(content)]))
}

describe('a key planted by hand', () => {
  const long = `${'A line of an answer.\n'.repeat(120_000)}`
  const places: Record<string, Files> = {
    'in a text of a page': { 'index.html': page(`<p>Use ${key} here.</p>`) },
    'in a text with tags inside the key': {
      'index.html': page(`<p>Use <b>${key.slice(0, 12)}</b><span>${key.slice(12)}</span></p>`),
    },
    'in a text written with entities': {
      'index.html': page(`<p>${[...key].map((c) => `&#${c.charCodeAt(0)};`).join('')}</p>`),
    },
    'in an attribute': { 'index.html': page(`<p title="Use ${key}">x</p>`) },
    'in a text that a comment splits': {
      'index.html': page(`<p>Use ${key.slice(0, 12)}<!-- here -->${key.slice(12)}</p>`),
    },
    'in a text that an element of its own splits': {
      'index.html': page(`<p>Use <x-key>${key.slice(0, 12)}</x-key><font>${key.slice(12)}</font></p>`),
    },
    'in the name of an attribute': { 'index.html': page(`<p class="a" ${key}>x</p>`) },
    'in an attribute that is repeated': { 'index.html': page(`<p title="x" class="a" title="Use ${key}">x</p>`) },
    'in an attribute that is repeated without quotes': { 'index.html': page(`<p class=a CLASS = ${key}>x</p>`) },
    'in escapes of a style sheet': { 'a.css': `p::before{content:"${cssEscaped(key)}"}` },
    'in escapes of a style': { 'index.html': page(`<style>p::before{content:"${cssEscaped(key)}"}</style>`) },
    'in escapes of a script': { 'a.js': `const a = "${scriptEscaped(key)}"` },
    'in escapes of letters that need none': {
      'a.js': `const a = "${key.replaceAll(/[a-zA-Z]/g, (c) => (/[bfnrtuvx]/.test(c) ? c : `\\${c}`))}"`,
    },
    'in a string that continues on each line': { 'a.mjs': `const a = "${key.replaceAll(/.{5}/g, '$&\\\n')}"` },
    'in escapes of a script in a page': { 'index.html': page(`<script>const a = "${scriptEscaped(key)}"</script>`) },
    'in escapes of data in a page': {
      'index.html': page(`<script type="application/json">{"a":"${scriptEscaped(key)}"}</script>`),
    },
    'in escapes of a file of data': { 'a.json': `{"a":"${scriptEscaped(key)}"}` },
    'in escaped escapes': { 'a.json': JSON.stringify({ a: `{"a":"${scriptEscaped(key)}"}` }) },
    'in escapes after two million characters': { 'a.json': JSON.stringify([long]) + scriptEscaped(key) },
    'in a comment': { 'index.html': page(`<!-- ${key} -->`) },
    'in a block of data': { 'index.html': page(`<script type="application/json">{"a":"${key}"}</script>`) },
    'in base64 in a page': { 'index.html': page(`<p>${base64(`export TOKEN=${key}\n`)}</p>`) },
    'in a Markdown twin': { 'index.md': `# Title\n\n${key}\n` },
    'in a tree': { 'index.json': JSON.stringify({ value: `x\\n${key}` }) },
    'in a text file': { 'llms.txt': key },
    'after two million characters': { 'a.txt': `${long}${key}\n${long}` },
    'in a file without extension': { _headers: `/*\n  X: ${key}\n` },
    'in a style sheet': { 'a.css': `/* ${key} */` },
    'in a script': { 'a.js': `const a = '${key}'\n` },
    'in a feed': { 'feed.xml': `<feed><entry><content type="html">&lt;p&gt;${key}&lt;/p&gt;</content></entry></feed>` },
    'in a part of a feed that is no markup': { 'feed.xml': `<feed><x><![CDATA[ ${key} ]]></x></feed>` },
    'in a drawing': { 'a.svg': `<svg xmlns="http://www.w3.org/2000/svg"><text>${key}</text></svg>` },
    'in a fragment of the search index': { 'pagefind/a.pf_fragment': packed(JSON.stringify({ content: key })) },
    'in a word list of the search index': { 'pagefind/a.pf_index': packed(cbor(['aaa', key.toLowerCase(), 'zzz'])) },
    'in a script that wraps the search index': {
      'pagefind/a.js': `codexSearchFile("a", "${base64(packed(JSON.stringify({ content: key })))}")\n`,
    },
    'in the text of a picture': { 'a.png': png(chunk('tEXt', Buffer.from(`Comment\0${key}`))) },
    'in the packed text of a picture': {
      'a.png': png(chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(key)]))),
    },
    'after a picture': { 'a.png': Buffer.concat([png(), Buffer.from(key)]) },
    'in a file of no known kind': { 'a.bin': Buffer.from(`\0\x01\x02${key}\0\xFF`, 'latin1') },
    'in a text in UTF-16': { 'a.txt': Buffer.from(`\uFEFFUse ${key}\n`, 'utf16le') },
    'in the name of a file': { [`${key}.txt`]: 'x' },
  }

  test.each(Object.entries(places))('is found %s', async (_, files) => {
    const found = await auditOf(files)
    expect(found.filter((item) => item.startsWith('secret/github-token')).length, found.join('\n')).toBeGreaterThan(0)
  })

  test.each(Object.entries(places))('is never quoted: %s', async (_, files) => {
    const folder = useTempDir()
    writeSite(folder, files)
    const text = JSON.stringify(await audit(folder)).toLowerCase()
    for (let at = 4; at + 8 <= key.length; at++) expect(text).not.toContain(key.slice(at, at + 8).toLowerCase())
  })

  test('is not assumed in two neighbouring words of the index', async () => {
    const words = ['sandbox', 'sandbox_modeofworkingabroad', 'sandbox_modeofworkingathome', 'sandbox_modewrite']
    expect(await auditOf({ 'pagefind/a.pf_index': packed(cbor(words)) })).toEqual([])
  })

  test('is reported with line, session, the anchor before it, and the masked words around it', async () => {
    const folder = useTempDir()
    const body = `<section id="t-1">\n<p id="l12">Deploy 42 with\ntoken=${key}, then wait</p></section>`
    writeSite(folder, { 'sessions/abc/index.html': page(body) })
    const { findings } = await audit(folder)
    expect(findings).toEqual([
      {
        ruleId: 'secret/github-token',
        fingerprint: expect.stringMatching(/^[\da-f]{16}$/),
        level: 'warning',
        file: 'sessions/abc/index.html',
        line: 6,
        session: 'abc',
        place: 'l12',
        message: 'A text contains a secret. Around it: `…xxx xxxxxx 00 xxxx xxxxx=[redacted:github-token], xxxx xxxx`.',
      },
    ])
  })

  test('is reported once, with its line, even where windows of the scan overlap', async () => {
    const lines = 'A line of an answer.\n'.repeat(120_000)
    const places = [49_900, 49_950, 50_000, 99_000]
    const text = places.reduce(
      (all, line) => `${all.slice(0, line * 21)}${key}\n${all.slice(line * 21 + key.length + 1)}`,
      lines,
    )
    expect(await auditOf({ 'a.txt': text })).toHaveLength(places.length)
  })
})

describe('bytes in base64', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  /** What the tokens of a vendor look like, which also occurs by chance in a megabyte of sealed pages. */
  const chance = `+${['K', '2'].join('')}${noise(31, 64)}/`

  test('are not searched in a sealed page, in which tokens occur by chance', async () => {
    const sealed = `${noise(1, 3000, alphabet)}${chance}${noise(2, 3000, alphabet)}`.slice(0, 6064)
    expect(await auditOf({ 'index.html': page(`<template id="sealed">${sealed}</template>`) })).toEqual([])
    expect(await auditOf({ 'assets/a.js': `codexSealed("a","${sealed}")\n` })).toEqual([])
  })

  test('are searched if they are few, or if they encode a text', async () => {
    expect(await auditOf({ 'a.txt': chance })).toHaveLength(1)
    const encodedText = base64(`A line of an answer. token=${key}\n`.repeat(40))
    expect(await auditOf({ 'a.txt': encodedText })).not.toEqual([])
  })
})

describe('the audit of a folder', () => {
  const honest: Files = {
    'index.html': page('<p id="a"><a href="#a">a</a> <a href="b/index.html#x">b</a></p>'),
    'b/index.html': page('<p id="x">x</p>'),
  }

  test('finds nothing in a folder as a build wrote it', async () => {
    const folder = useTempDir()
    writeSite(folder, honest)
    expect(await audit(folder)).toMatchObject({ findings: [], files: 3 })
  })

  test('refuses a folder without a manifest', async () => {
    const folder = useTempDir()
    writeFileSync(join(folder, 'index.html'), page(''))
    await expect(audit(folder)).rejects.toThrow('contains no site')
  })

  test('refuses a folder whose manifest is invalid', async () => {
    const folder = useTempDir()
    writeFileSync(join(folder, 'manifest.json'), '{}')
    await expect(audit(folder)).rejects.toThrow('not a manifest of codex-export')
  })

  test('reports files that were changed, are missing, were added, or are links', async () => {
    const folder = useTempDir()
    writeSite(folder, { ...honest, 'gone.txt': 'x', 'kept.txt': 'x' })
    rmSync(join(folder, 'gone.txt'))
    writeFileSync(join(folder, 'kept.txt'), 'y')
    writeFileSync(join(folder, 'mine.txt'), 'x')
    symlinkSync('/etc/hosts', join(folder, 'link.txt'))
    linkSync(join(folder, 'kept.txt'), join(folder, 'same.txt'))
    expect(reported(await audit(folder))).toEqual([
      'symbolic-link link.txt',
      'unlisted-file mine.txt',
      'unlisted-file same.txt',
      'missing-file gone.txt',
      'changed-file kept.txt',
    ])
  })

  test('reports names that not every system can store', async () => {
    const folder = useTempDir()
    writeSite(folder, honest)
    for (const name of ['aux.txt', 'a?b.txt', 'Cafe.txt', 'cafe.txt']) writeFileSync(join(folder, name), 'x')
    expect(reported(await audit(folder)).filter((item) => item.startsWith('unportable-name'))).toEqual([
      'unportable-name a?b.txt',
      'unportable-name aux.txt',
      'unportable-name cafe.txt',
    ])
  })
})

describe('a secret in escapes near the border of two pieces of a file', () => {
  const filling = 'some words of a text '.repeat(20_000)
  const textFrom = (length: number): string =>
    `["${filling.slice(0, length)}${scriptEscaped(key)} ${filling.slice(0, 6000)}"]`

  test.each([3000, 2100, 1900, 1000, 300, 200, 100, 40, 20, 0])(
    'is counted once, %i characters before it',
    async (length) => {
      const usual = await auditOf({ 'a.json': textFrom(1000) })
      expect(usual.length).toBeGreaterThan(0)
      expect(await auditOf({ 'a.json': textFrom((256 << 10) - length) })).toEqual(usual)
    },
  )
})
