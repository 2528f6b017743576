/** Nothing jumps while a page loads. */
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { type Shift, shiftsOf, watchShifts } from '../helpers/layout-shift.ts'
import { useDemoServer } from './demo.ts'
import { pageTypes } from './page-types.ts'

/** A tenth of what counts as good on the web: a line that moves by a hair, but nothing that an eye sees. */
const still = 0.01
const sum = (shifts: readonly Shift[]): number => shifts.reduce((total, { value }) => total + value, 0)
const quiet = pageTypes.filter(({ prepare }) => prepare === undefined)
const looks = quiet.flatMap((type) => ([1280, 390] as const).map((width) => ({ ...type, width })))

describeInBrowser('a page that loads', (open) => {
  const address = useDemoServer()

  it.each(looks)('does not jump: $name, $width px', async ({ path, width }) => {
    const { page } = await open(address(path()), { width, before: watchShifts })
    const shifts = await shiftsOf(page)
    expect(sum(shifts), JSON.stringify(shifts)).toBeLessThan(still)
  })

  it.each(['', '?q=idempotency', '?q=%22'])('does not jump when its index comes late: search/%s', async (asked) => {
    const { page } = await open(address('index.html'), { before: watchShifts })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/pagefind/**', (route) => released.then(() => route.continue()))
    await page.goto(address(`search/index.html${asked}`), { waitUntil: 'commit' })
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor()
    await shiftsOf(page)
    release()
    await page.getByText('Any project').waitFor()
    const shifts = await shiftsOf(page)
    expect(sum(shifts), JSON.stringify(shifts)).toBeLessThan(still)
  })

  it('is seen to jump where it does', async () => {
    const { page } = await open(address('index.html'), { before: watchShifts })
    await shiftsOf(page)
    await page.evaluate('document.body.insertAdjacentHTML("afterbegin", "<hr width=500 size=300>")')
    await expect.poll(async () => sum(await shiftsOf(page))).toBeGreaterThan(still)
  })
})
