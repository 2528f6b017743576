/** A locked site in Firefox, if the machine has it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Firefox, findFirefox, launchFirefox } from '../helpers/firefox.ts'
import { password, useLockedSite } from './locked.ts'

const path = findFirefox()

describe.skipIf(path === undefined)('a locked site in Firefox', () => {
  const { roots } = useLockedSite()
  let firefox: Firefox
  beforeAll(async () => {
    firefox = await launchFirefox(path ?? '')
  })
  afterAll(() => firefox?.close())

  /** The value of an expression as soon as a condition is true, whatever page is shown by then. */
  const once = async (condition: string, give = 'true'): Promise<unknown> => {
    const look = `
      const holds = () => { try { return Boolean(${condition}) } catch { return false } }
      arguments[arguments.length - 1](holds() ? [${give}] : null)`
    let found: unknown[] | null = null
    const ask = async (): Promise<boolean> => {
      // Leaving a page drops the question.
      found = await firefox.ask<unknown[] | null>(look).catch(() => null)
      return Array.isArray(found)
    }
    await expect.poll(ask, { timeout: 20_000, message: condition }).toBe(true)
    return found?.[0]
  }
  /** Runs a script after the answer, because it may leave the page. */
  const act = (script: string): Promise<unknown> =>
    firefox.ask(`setTimeout(() => { ${script} }); arguments[arguments.length - 1](true)`)
  const isReady =
    'document.querySelector("html[data-js] header.top") && getComputedStyle(document.body).opacity === "1"'

  it.each(Object.entries(roots))('opens with the password, leads on, searches and marks: %s', async (_, root) => {
    await firefox.open(`${root()}index.html`)
    await once('!document.querySelector("form").hidden')
    await act(
      `document.querySelector('#password').value = ${JSON.stringify(password)}; document.querySelector('form button').click()`,
    )
    expect(await once(isReady, 'document.title')).toBe('Sample sessions')
    await act(`document.querySelector('nav.sites a').click()`)
    expect(await once(`${isReady} && document.title !== 'Sample sessions'`, 'document.title')).toMatch(/^Projects/)
    await act(`document.querySelector('a.find').click()`)
    await act(
      `const box = document.querySelector('dialog input'); box.value = 'harbour'; box.dispatchEvent(new Event('input'))`,
    )
    await once(`document.querySelector('.hits ol a[href*="?mark=harbour"]')`)
    await act(`document.querySelector('.hits ol a').click()`)
    const marks = `CSS.highlights.get('sought')?.size`
    expect(await once(`${isReady} && ${marks}`, marks)).toBeGreaterThan(0)
    expect(await once('document.querySelector(":target")', 'location.hash')).toMatch(/^#.+\?mark=harbour$/)
  })
})
