// Replaces the login page by a page of the site, with its style and its scripts.
import { readFile, runBytes } from './files.js'
import { hrefOf, pathOf, read, resolve, turnLinks, watchLinks, write } from './links.js'
import { deferPictures, showPictures } from './pictures.js'
import { aim, keepScroll } from './scroll.js'

/** Provides the functions that scripts of the page use: see `templates/assets/locked`. */
function offer(site) {
  const own = (href) => {
    const [path, query] = href.split('?')
    return [pathOf(site.path, path), query === undefined ? '' : `?${query}`]
  }
  globalThis.codexLock = Object.freeze({
    path: site.path,
    read,
    write,
    hrefOf,
    resolve: (href) => resolve(site, href),
    bytes: (path) => readFile(site, path),
    run: async (href) => runBytes(await readFile(site, ...own(href))),
  })
}

async function sheetOf(site, link) {
  const sheet = new CSSStyleSheet({ media: link.media })
  const bytes = await readFile(site, pathOf(site.path, link.getAttribute('href')))
  return sheet.replace(new TextDecoder().decode(bytes))
}

/** Loads the style sheets and scripts of the page, and removes the elements that request them. */
async function prepare(site, page) {
  const links = [...page.querySelectorAll('link[rel="stylesheet"]')]
  const scripts = [...page.querySelectorAll('script[src]')].map((script) => script.getAttribute('src'))
  for (const element of page.querySelectorAll('link, script, noscript')) element.remove()
  const [sheets, code] = await Promise.all([
    Promise.all(links.map((link) => sheetOf(site, link))),
    Promise.all(scripts.map((src) => readFile(site, pathOf(site.path, src)))),
    turnLinks(site, page),
  ])
  return { sheets, code }
}

/** Replaces what is shown by the page. The page's own policy is not applied: that of the login page remains in force. */
function swap(page, sheets) {
  const html = document.documentElement
  for (const { name } of [...html.attributes]) if (name !== 'data-theme') html.removeAttribute(name)
  for (const { name, value } of page.documentElement.attributes) html.setAttribute(name, value)
  document.title = page.title
  document.querySelector('link[rel="stylesheet"]')?.remove()
  document.adoptedStyleSheets = sheets
  document.body.replaceWith(document.adoptNode(page.body))
}

/** Shows the page whose document is `html`. Rejects if a part of it cannot be loaded or decrypted. */
export async function showPage(site, html) {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const deferred = deferPictures(site.path, page)
  const { sheets, code } = await prepare(site, page)
  // Transparent rather than hidden, because hidden elements cannot be focused.
  const veil = new CSSStyleSheet()
  veil.replaceSync('body { opacity: 0 }')
  offer(site)
  swap(page, [...sheets, veil])
  watchLinks(site)
  try {
    for (const bytes of code) await runBytes(bytes)
    aim(read(location.href))
    await keepScroll()
  } finally {
    document.adoptedStyleSheets = sheets
  }
  await showPictures(site, deferred)
}
