// Opens work of a long session instead of the link that its story has. The build writes it next to the page as scripts, because
// those also load from a folder on disk; if that fails, the link leads to the work.
import { hrefOf } from './address.js'
import { changeLinks, followed, toggleChange } from './changes.js'
import { registerFolds } from './folds.js'
import { runFile } from './site-file.js'
import { showLocalTimes } from './times.js'
import { flow } from './walk.js'

const pages = new Map()

async function load(page) {
  await runFile(`work-${page}.js`)
  // No other script runs between the end of this one and here.
  const bytes = Uint8Array.from(atob(globalThis.codexWork.pop()), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  // The HTML of the runs, separated by NUL.
  return (await new Response(stream).text()).split('\0')
}

function runsOf(page) {
  if (!pages.has(page)) pages.set(page, load(page))
  return pages.get(page)
}

/** Points links of the run to its own page if their target is only there. */
function leadBack(run, page) {
  for (const link of run.querySelectorAll('a[href^="#"]')) {
    const href = hrefOf(link)
    if (!run.querySelector(`[id="${CSS.escape(href.slice(1))}"]`)) link.setAttribute('href', `${page}.html${href}`)
  }
}

/** The run that is, or contains, an element: parsed outside of the page, so that nothing in it is executed. */
async function runWith(page, id) {
  for (const html of await runsOf(page)) {
    // A cheap test first: text of the session may look like this attribute too.
    if (!html.includes(` id="${id}"`)) continue
    const run = new DOMParser().parseFromString(html, 'text/html').body.firstElementChild
    if (run.id === id || run.querySelector(`[id="${CSS.escape(id)}"]`)) return run
  }
  throw new Error('no run')
}

async function open(link, page, id) {
  const run = await runWith(page, id)
  leadBack(run, page)
  run.open = true
  registerFolds(run)
  const focused = link === document.activeElement
  link.replaceWith(run)
  showLocalTimes(run)
  if (focused) run.firstElementChild.focus({ preventScroll: true })
}

/** Shows the change of a file below its row; the change is in a run on another page. */
async function openChange(link, page, id) {
  const run = await runWith(page, id)
  if (!toggleChange(link, run.querySelector(`[id="${CSS.escape(id)}"]`))) throw new Error('no diff')
}

flow?.addEventListener('click', (event) => {
  const link = followed(event, `a.did, ${changeLinks}`)
  const [, page, id] = (link && /^(\d+)\.html#(.+)$/.exec(hrefOf(link))) ?? []
  if (id === undefined) return
  event.preventDefault()
  const show = link.matches('a.did') ? open : openChange
  show(link, page, id).catch(() => {
    pages.delete(page)
    location.assign(link.href)
  })
})
