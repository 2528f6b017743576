/** A real Codex writes, and a browser shows it. `CODEX_BIN=path/to/codex npm run test:codex` */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { features } from '../../src/program.ts'
import { freshSite, watchSite } from '../../src/site/watch-fs.ts'
import { findBrowser } from '../helpers/browser-setup.ts'
import { launchChromium } from '../helpers/chromium.ts'
import { plainBuild, quietHost } from '../helpers/surroundings.ts'
import { useTempDir } from '../helpers/temp.ts'
import { codexHome } from './codex.ts'
import { command, message, startModel } from './mock-model.ts'

const bin = process.env['CODEX_BIN'] ?? ''

describe.skipIf(bin === '')('a watched page and a real Codex', () => {
  test('lists a session that begins, and shows its command and each of its answers', async () => {
    const folder = useTempDir()
    const model = await startModel()
    onTestFinished(() => model.close())
    const home = codexHome(bin, folder, model.url)
    const stop = new AbortController()
    const host = quietHost({ signal: stop.signal, now: Date.now })
    const [out, cache] = [join(folder, 'site'), join(folder, 'cache')]
    const options = plainBuild({ homes: [{ path: home.path }], out, cache, search: false, liveMs: 300_000 })
    const site = freshSite(options, features, host)
    await site.build(host)
    const server = await startServer(out, { port: 0, live: true })
    const news = {
      updated: server.notifyPages,
      built: server.notifyPages,
      failed: (error: Error) => Promise.reject(error),
    }
    const watching = watchSite(site, host, { poll: false, liveMs: 300_000 }, news)
    const browser = await launchChromium((await findBrowser()) ?? '')
    onTestFinished(async () => {
      await browser.close()
      stop.abort(new Error('the test is over'))
      await watching
      await server.close()
    })
    const page = await browser.newPage()
    await page.goto(server.url)
    const codex = await home.open()
    onTestFinished(() => codex.close())
    model.say([command('call_plum', 'echo plum')], [message('The word is plum.')])
    await codex.say('Which word is there?')
    await page.locator('a.row', { hasText: 'Which word is there?' }).click({ timeout: 30_000 })
    expect(await page.locator('.flow').innerText()).toContain('The word is plum.')
    for (const word of ['pear', 'quince', 'fig']) {
      model.say([message(`The word is ${word}.`)])
      const begin = performance.now()
      await codex.say(`And now, ${word}?`)
      await page
        .getByText(`The word is ${word}.`, { exact: true })
        .first()
        .waitFor({ state: 'attached', timeout: 30_000 })
      process.stdout.write(
        `a turn of a real Codex was seen ${Math.round(performance.now() - begin)} ms after it was asked\n`,
      )
    }
  })
})
