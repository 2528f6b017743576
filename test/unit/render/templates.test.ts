import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'
import { ConfigError } from '../../../src/diagnostics/errors.ts'
import {
  curationScripts,
  filterScripts,
  findScripts,
  inLockedSite,
  linkStyle,
  pageScripts,
  panelScripts,
  plainScripts,
  searchScripts,
  siteScripts,
  standaloneScripts,
} from '../../../src/render/asset-parts.ts'
import { loadAssets, loadStandaloneAssets } from '../../../src/render/assets-fs.ts'
import { pageView } from '../../../src/render/pages/page-view.ts'
import { escapeText } from '../../../src/render/templates.ts'
import { loadTemplates, renamedParts, unusedThemeFiles } from '../../../src/render/templates-fs.ts'
import { itemKinds } from '../../../src/render/transcript/hast/parts.ts'
import { decoded, encoded } from '../../../src/util/pieces.ts'
import { siteInfo } from '../../helpers/render.ts'
import { useTempDir } from '../../helpers/temp.ts'

const files = readdirSync(templatesFolder, { recursive: true, encoding: 'utf8' }).map((path) =>
  path.replaceAll('\\', '/'),
)
const sources = files
  .filter((path) => path.endsWith('.eta'))
  .map((path) => ({ path, source: readFileSync(join(templatesFolder, path), 'utf8') }))

function override(path: string, content: string): string {
  const folder = useTempDir()
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  return folder
}

describe('the templates', () => {
  it('are all compiled', async () => {
    for (const { path } of sources) {
      const own = await loadTemplates(override(path, '<% if ( %>')).catch((error: unknown) => String(error))
      expect(own, path).toContain(`${path}\` does not compile`)
    }
  })

  it('do not change the bytes of a body, unless a theme reads it', async () => {
    const bodies = [Buffer.from('<p>ü</p>'), Buffer.from('<p>b</p>')]
    const view = (body: string) => ({ ...pageView('a.html', 'A', siteInfo()), body })
    const around = (await loadTemplates()).renderAround('html/layout', view, bodies)
    expect(around).toEqual([expect.any(String), ...bodies, expect.any(String)])
    expect(decoded(encoded(around))).toBe((await loadTemplates()).render('html/layout', view('<p>ü</p><p>b</p>')))
    const themed = await loadTemplates(override('html/layout.eta', '[<%~ it.body.toUpperCase() %>]'))
    expect(themed.renderAround('html/layout', view, bodies)).toBe('[<P>Ü</P><P>B</P>]')
  })

  it('print nothing unescaped except rendered bodies and partials', () => {
    const raw = sources.flatMap(({ path, source }) =>
      [...source.matchAll(/<%[-_]?\s*~\s*(.*?)\s*[-_]?%>/gs)].map(([, code]) => `${path}: ${code}`),
    )
    const allowed =
      /^[\w/-]+\.eta: (?:it\.(?:body|style|script)|panel\.body|include\('@partials\/[a-z]+'(?:, (?:agent|\{[\w: .,']+\}))?\))$/
    expect(raw.length).toBeGreaterThan(5)
    expect(raw.filter((use) => !allowed.test(use))).toEqual([])
    expect(raw.filter((use) => use.includes('eta: it.'))).toEqual([
      'html/layout.eta: it.body',
      'html/not-found.eta: it.style',
      'html/not-found.eta: it.script',
      'html/page.eta: it.body',
      'html/session.eta: it.body',
      'html/single.eta: it.style',
      'html/single.eta: it.body',
      'html/single.eta: it.script',
      'partials/agent.eta: it.body',
    ])
  })

  it('quote every attribute that they print', () => {
    const bare = sources.flatMap(({ source }) => source.match(/[\w-]+=<%=/g) ?? [])
    expect(bare).toEqual([])
  })

  it('are replaced one by one by files of the same name', async () => {
    const own = await loadTemplates(override('html/not-found.eta', '<p><%= it.title %></p>'))
    expect(own.render('html/not-found', pageView('404.html', 'Gone & away', siteInfo()))).toBe(
      '<p>Gone &amp; away · Sessions</p>',
    )
    const partial = await loadTemplates(override('partials/search.eta', '<form class="own"></form>'))
    const view = { ...pageView('projects/index.html', 'Projects', siteInfo()), heading: '', sorts: [], rows: [] }
    expect(partial.render('html/projects', view)).toContain('<form class="own"></form>')
  })

  it('change their key with their text', async () => {
    const same = readFileSync(join(templatesFolder, 'html/list.eta'), 'utf8')
    const [one, two, own] = await Promise.all([
      loadTemplates(),
      loadTemplates(override('html/list.eta', same)),
      loadTemplates(override('html/list.eta', 'x')),
    ])
    expect(one.key).toBe(two.key)
    expect(own.key).not.toBe(one.key)
  })

  it.each([
    ['does not compile', '<% if ( %>'],
    ['does not render', '<%= it.nothing.at.all %>'],
  ])('of the user are named in the error if one %s', async (reason, source) => {
    const folder = override('html/not-found.eta', source)
    const attempt = async () =>
      (await loadTemplates(folder)).render('html/not-found', pageView('404.html', 'x', siteInfo()))
    await expect(attempt).rejects.toThrow(ConfigError)
    await expect(attempt).rejects.toThrow(`The template \`${join(folder, 'html/not-found.eta')}\` ${reason}`)
    await expect(attempt).rejects.not.toThrow('__eta')
  })

  it('of the user are refused if one cannot be read', async () => {
    const folder = useTempDir()
    mkdirSync(join(folder, 'html/index.eta'), { recursive: true })
    await expect(loadTemplates(folder)).rejects.toThrow('Cannot read')
  })

  it('in a folder that is missing, or is a file, are refused', async () => {
    const missing = join(useTempDir(), 'no-theme')
    await expect(loadTemplates(missing)).rejects.toThrow(
      new ConfigError(`Cannot read templates from \`${missing}\`: it does not exist.`),
    )
    writeFileSync(missing, '')
    await expect(loadTemplates(missing)).rejects.toThrow('it is not a folder')
  })

  it('in a folder that replaces nothing are refused, and so is a misspelt part', async () => {
    await expect(loadTemplates(override('session.eta', ''))).rejects.toThrow(
      /replaces no template: it has none of `html`/,
    )
    await expect(loadTemplates(override('assets/themes.css', ''))).rejects.toThrow(
      new ConfigError('`assets/themes.css` in `templatesDir` replaces nothing; did you mean `assets/theme.css`?'),
    )
    await expect(loadTemplates(override('assets/keys.js', ''))).rejects.toThrow('did you mean `assets/page/keys.js`?')
    await loadTemplates(override('assets/sources-of-this-theme.css', ''))
  })

  it('that were renamed are refused with the current name', async () => {
    for (const [former, current] of [
      ['assets/search-open.js', 'assets/search/load-index.js'],
      ['assets/search.js', 'assets/search/open.js'],
    ] as const)
      await expect(loadTemplates(override(former, ''))).rejects.toThrow(
        new ConfigError(`\`${former}\` in \`templatesDir\` replaces nothing; it is called \`${current}\` now.`),
      )
    const root = join(templatesFolder, '..')
    for (const [former, current] of renamedParts) {
      expect(existsSync(join(root, 'templates', current))).toBe(true)
      expect(existsSync(join(root, 'templates', former))).toBe(false)
    }
  })

  it('of the user that nothing uses are reported, with what was meant or that the part was removed', async () => {
    const folder = override('partials/turns.eta', '')
    const files = {
      'assets/print.js': '',
      'assets/sources-of-this-theme.css': '',
      'html/days.eta': '<%~ include("@partials/of-days") %>',
      'partials/of-days.eta': 'x',
      'partials/pagers.eta': '',
      'partials/head.eta': '',
    }
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), source)
    }
    await loadTemplates(folder)
    const reported = async (hasPlugins: boolean) =>
      (await unusedThemeFiles(folder, hasPlugins)).map(({ file, message }) => [file, message.split('. ')[1]])
    const always = [
      ['partials/pagers.eta', 'Did you mean `partials/pager.eta`?'],
      ['partials/turns.eta', 'This version has no such part any more: delete the file.'],
    ]
    const parts = [
      ['assets/print.js', 'This version has no such part any more: delete the file.'],
      ['assets/sources-of-this-theme.css', 'It replaces nothing, and nothing includes it.'],
    ]
    expect(await reported(true)).toEqual([...parts, ...always])
    expect(await reported(false)).toEqual([
      ...parts,
      ['html/days.eta', 'It replaces nothing, and nothing includes it.'],
      ...always,
    ])
  })
})

describe('the documentation of the templates', () => {
  const root = join(templatesFolder, '..')
  const doc = readFileSync(join(root, 'docs/templates.md'), 'utf8')

  it('names every field of every view', () => {
    const views = ['views', 'pages/session/views']
      .map((name) => readFileSync(join(root, `src/render/${name}.ts`), 'utf8'))
      .join('')
    const fields = [...views.matchAll(/(?:^ {2}|[{;] )(\w+)(\??): /gm)].map(([, name = '', optional = '']) => ({
      name,
      optional,
    }))
    expect(fields.length).toBeGreaterThan(40)
    const isNamed = ({ name, optional }: { name: string; optional: string }) =>
      doc.includes(`\`${name}?\``) || (optional === '' && doc.includes(`\`${name}\``))
    const missing = fields.filter((field) => !isNamed(field))
    expect(missing).toEqual([])
  })

  it('names every class of an item', () => {
    const names = Object.values(itemKinds).flatMap((classes) => classes.split(' '))
    const inner = new Set(['say', 'omitted'])
    expect(names.filter((name) => !inner.has(name) && !doc.includes(`\`${name}\``))).toEqual([])
  })

  it('names every template, partial and asset', () => {
    const names = files
      .filter((path) => /\.\w+$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => path.replace(/^(?:partials|lock|live|assets(?=\/[\w-]+\.))\/|\.\w+$/g, ''))
    // Names may also be ordinary words: they count only in the list, and those of scripts in the entry of their
    // folder.
    const list = doc.split('```')[1] ?? ''
    const isListed = (path: string): boolean => {
      const [, folder = '', name = path] = /^(assets\/\w+\/)(.+)/.exec(path) ?? []
      const entry = folder === '' ? list : (list.split(`\n${folder}*.js `)[1]?.split(/\n(?=\S)/)[0] ?? '')
      return new RegExp(`(?<![\\w/-])${name}(?![\\w/-])`).test(entry)
    }
    expect(names.filter((name) => !isListed(name))).toEqual([])
  })
})

describe('escaped text', () => {
  it('is safe in elements and quoted attributes', () => {
    expect(escapeText(`<a href="x" id='y'>&\0`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;␀')
  })

  it('is empty for absent values', () => {
    expect([escapeText(undefined), escapeText(null), escapeText(0)]).toEqual(['', '', '0'])
  })
})

describe('the assets', () => {
  const find = (assets: Awaited<ReturnType<typeof loadAssets>>, name: string) =>
    String(assets.files.find(({ path }) => path === `assets/${name}`)?.content)

  it('are one style sheet and one script per feature, named by their content', async () => {
    const assets = await loadAssets()
    const names = [
      assets.page.css,
      assets.page.js,
      assets.page.searchJs,
      assets.page.findJs,
      assets.page.curationJs,
      assets.page.filterJs,
    ]
    expect(assets.files.map(({ path }) => path)).toEqual(names.map((name) => `assets/${name}`))
    expect(assets.page.css).toMatch(/^site\.[0-9a-f]{10}\.css$/)
    expect(await loadAssets()).toBe(assets)
    // A theme that replaces nothing gets the same assets.
    expect(await loadAssets(override('assets/sources-of-this-theme.css', ''))).toEqual(assets)
    const own = await loadAssets(override('assets/tokens.css', '@layer tokens {}'))
    expect(own.page.css).not.toBe(assets.page.css)
    expect(own.page.js).toBe(assets.page.js)
  })

  it('contain every part that exists', async () => {
    const assets = await loadAssets()
    const parts = files.filter((file) => /^assets\/.+\.(?:css|js)$/.test(file))
    for (const path of parts.filter((file) => file.endsWith('.css'))) {
      const whole = path === 'assets/plain.css' ? assets.page.plainStyle : find(assets, assets.page.css)
      expect(whole).toContain(linkStyle([readFileSync(join(templatesFolder, path), 'utf8')]))
    }
    const lists = [
      pageScripts,
      siteScripts,
      panelScripts,
      standaloneScripts,
      searchScripts,
      findScripts,
      curationScripts,
      filterScripts,
      plainScripts,
    ]
    const scripts = [...lists.flat(), ...inLockedSite(lists.flat())].map(
      (name) => `assets/${typeof name === 'string' ? name : name.part}.js`,
    )
    expect([...new Set(scripts)].sort()).toEqual(parts.filter((file) => file.endsWith('.js')).sort())
  })

  it('of standalone pages need no other file', async () => {
    const { script } = await loadStandaloneAssets()
    expect(script).toContain("parts['page/keys']")
    expect(script).not.toMatch(/parts\['(?:lists\/catalog|page\/offline|search\/index-files)|pagefind|import\(/)
  })

  it('of the user are refused if they cannot be linked', async () => {
    const folder = override('assets/page/keys.js', `import { nothing } from './dom.js'\n`)
    await expect(loadAssets(folder)).rejects.toThrow(ConfigError)
    await expect(loadAssets(folder)).rejects.toThrow('`page/keys.js` imports `nothing`')
  })

  it('stay within their size limits', async () => {
    const assets = await loadAssets()
    expect(gzipSync(find(assets, assets.page.css)).length).toBeLessThanOrEqual(16_000)
    expect(gzipSync(find(assets, assets.page.js)).length).toBeLessThanOrEqual(15_000)
  })

  it('load nothing from other hosts and never write HTML', async () => {
    const assets = await loadAssets()
    expect(find(assets, assets.page.css)).not.toMatch(/url\(|@import|https?:/)
    expect(find(assets, assets.page.js)).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?:/,
    )
  })
})
