// Work that the story of a long session leads to opens in its place. The build wrote it beside the page as scripts, because
// those load from a folder on disk too; where that fails, the link leads to the work.
import { hrefOf } from './address.js'
import { runFile } from './site-file.js'
import { showLocalTimes } from './times.js'
import { flow } from './walk.js'

const pages = new Map()

async function load(page) {
  await runFile(`work-${page}.js`)
  // No other script runs between the end of this one and here.
  const bytes = Uint8Array.from(atob(globalThis.codexWork.pop()), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text())
}

function runsOf(page) {
  if (!pages.has(page)) pages.set(page, load(page))
  return pages.get(page)
}

/** Links within the run that lead to what is only on its own page. */
function leadBack(run, page) {
  for (const link of run.querySelectorAll('a[href^="#"]')) {
    const href = hrefOf(link)
    if (!run.querySelector(`[id="${CSS.escape(href.slice(1))}"]`)) link.setAttribute('href', `${page}.html${href}`)
  }
}

async function open(link, page, id) {
  // Parsed apart from the page, so that nothing of it runs.
  const run = new DOMParser().parseFromString((await runsOf(page))[id], 'text/html').body.firstElementChild
  leadBack(run, page)
  run.open = true
  const focused = link === document.activeElement
  link.replaceWith(run)
  showLocalTimes(run)
  if (focused) run.firstElementChild.focus({ preventScroll: true })
}

flow?.addEventListener('click', (event) => {
  const link = event.target.closest('a.did')
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  const [, page, id] = /^(\d+)\.html#(.+)$/.exec(hrefOf(link)) ?? []
  if (id === undefined) return
  event.preventDefault()
  open(link, page, id).catch(() => {
    pages.delete(page)
    location.assign(link.href)
  })
})
