// Added by `serve` to pages while sessions are written: learns which pages changed, updates this one, and shows that it did.
import { patch } from './patch.js'

/** Identifies the text from which the browser made this page. */
const loadedFrom = document.currentScript.dataset.page
/** The folder of the site, which a proxy may serve below a path. */
const site = new URL('..', document.currentScript.src)
/** The file of this page, as the server names the ones that changed. */
const path = decodeURIComponent(location.pathname.slice(site.pathname.length)).replace(/(^|\/)$/, '$1index.html')
const retryMs = 2000
/** The maximum number of anchors below the upper edge; more than fit into a window. */
const maxAnchors = 20

const words = {
  answer: 'waiting for the answer',
  command: 'waiting for a command',
  tool: 'waiting for a tool',
}

const state = document.createElement('span')
state.setAttribute('role', 'status')
state.setAttribute('aria-live', 'polite')
const clock = document.createElement('span')
/** Leads to the sessions that are not in the site yet. */
const list = document.createElement('a')
list.href = new URL('.live/sessions.html', site).href
list.textContent = 'all sessions'
list.hidden = true
const box = document.createElement('p')
box.className = 'live'
box.append(state, clock, list)
document.body.append(box)

/** The text of the page as it was last loaded, without what scripts changed. */
let base
/** `base` as a document, if it was needed: parsing a large page takes longer than fetching it. */
let parsed
let source
let mode
let loading
let isStale = false
let retry = 0

function say(text, kind) {
  if (state.textContent !== text) state.textContent = text
  box.dataset.state = kind
}

function sayLive() {
  list.hidden = mode !== 'building' || loadedFrom === 'sessions'
  if (mode === 'building') return say('Not all sessions are built yet', 'busy')
  const waits = document.querySelector('main')?.dataset.waits
  if (waits === undefined) say('Live', 'idle')
  else say(`Live · ${words[waits]}`, 'busy')
}

function parse(text) {
  return new DOMParser().parseFromString(text, 'text/html')
}

/** The style sheets and scripts of the page, whose names depend on their content. */
function assetsOf(page) {
  const files = page.head.querySelectorAll('link[rel="stylesheet"], script[src]')
  return [...files].map((one) => one.getAttribute('src') ?? one.getAttribute('href')).join()
}

/**
 * Candidates for what must not move, with their positions: the innermost element across the upper edge of the window, then, in
 * case the build puts that into a fold, what is visible below it.
 */
function anchors() {
  const over = []
  const below = []
  for (const one of document.querySelectorAll('main .item[id], main .turn[id], main li > a.row')) {
    const { top, bottom } = one.getBoundingClientRect()
    if (bottom <= 60 || !one.checkVisibility()) continue
    if (top < 60) over.unshift({ one, top })
    else if (below.push({ one, top }) === maxAnchors) break
  }
  return [...over.slice(0, 1), ...below]
}

function isAtEnd() {
  const { scrollTop, clientHeight, scrollHeight } = document.documentElement
  return scrollHeight > clientHeight && scrollTop + clientHeight >= scrollHeight - 60
}

/** Scrolls to the end, and again in the next frames if what is laid out is taller than expected, unless the reader scrolls up. */
function goToEnd(frames = 10) {
  const root = document.documentElement
  scrollTo({ top: root.scrollHeight, behavior: 'instant' })
  const { scrollTop } = root
  if (frames > 0) requestAnimationFrame(() => root.scrollTop < scrollTop || goToEnd(frames - 1))
}

/** Applies a change without moving what the reader sees; a reader at the end gets to the new end. */
function withoutJump(change) {
  const root = document.documentElement
  const atEnd = isAtEnd()
  const marks = atEnd ? [] : anchors()
  // The browser's own scroll anchoring must be off, or the shift would be corrected twice.
  root.style.overflowAnchor = 'none'
  change()
  if (atEnd) goToEnd()
  const mark = marks
    .map(({ one, top }) => ({ now: one.isConnected ? one : document.getElementById(one.id), top }))
    .find(({ now }) => now?.checkVisibility())
  if (mark) scrollBy({ top: mark.now.getBoundingClientRect().top - mark.top, behavior: 'instant' })
  requestAnimationFrame(() => root.style.removeProperty('overflow-anchor'))
}

async function load() {
  const response = await fetch(location.pathname, { cache: 'no-cache' })
  if (response.status === 503) return say('Waiting for the site', 'busy')
  if (response.status === 404) return say('This page is no longer in the site', 'lost')
  if (!response.ok) throw new Error(`status ${response.status}`)
  const text = await response.text()
  // The page changed before this script knew its text, so there is nothing to compare with.
  if (base === undefined && response.headers.get('etag') !== `"${loadedFrom}"`) return location.reload()
  if (base !== undefined && text !== base) show(text)
  base = text
  sayLive()
}

function show(text) {
  const before = parsed ?? parse(base)
  const now = parse(text)
  parsed = now
  const main = document.querySelector('main')
  const [old, next] = [before, now].map((page) => page.querySelector('main'))
  if (assetsOf(before) !== assetsOf(now) || !main || !old || old.className !== next?.className) {
    location.reload()
    return
  }
  document.title = now.title
  withoutJump(() => patch(main, old, next))
  const time = new Date().toTimeString().slice(0, 5)
  clock.textContent = ` · updated ${time}`
}

/** Loads the page again; if it changes in the meantime, once more. */
async function refresh() {
  if (loading) {
    isStale = true
    return
  }
  loading = true
  try {
    do {
      isStale = false
      await load()
    } while (isStale)
  } catch {
    say('Connection lost: trying again', 'lost')
  } finally {
    loading = false
  }
}

/** What a page does with each event of the server. */
const reactions = {
  changed(data) {
    const paths = JSON.parse(data)
    if (paths === null || paths.includes(path)) refresh()
  },
  // The first event of a stream, so that changes from before the connection are loaded too.
  async mode(data) {
    mode = data
    if (mode === 'settled') leave()
    await refresh()
    if (mode === 'settled') box.remove()
  },
  lost() {
    say('Connection lost: trying again', 'lost')
  },
}

function connect() {
  clearTimeout(retry)
  source = new EventSource(new URL('.live/events', site))
  for (const name of ['changed', 'mode']) source.addEventListener(name, ({ data }) => share(name, data))
  source.addEventListener('error', () => {
    share('lost')
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryMs)
  })
}

// Browsers open only a few connections to one server, and a stream holds one: so a single window that is in sight has the stream,
// and passes its events on to the others.
const group = `codex-live ${site.pathname}`
let channel
/** Ends when this page no longer takes part. */
let stay

function share(name, data) {
  channel?.postMessage({ name, data })
  reactions[name](data)
}

function join() {
  // Without a secure context, there are no locks, and each window has its own stream.
  if (!navigator.locks) {
    connect()
    return
  }
  stay = new AbortController()
  channel = new BroadcastChannel(group)
  let isWelcome = false
  channel.onmessage = ({ data: { name, data } }) => {
    if (name === 'joined') {
      if (source && mode) channel.postMessage({ name: 'welcome', data: mode })
    } else if (name !== 'welcome') reactions[name](data)
    else if (!isWelcome) {
      // Only the window that joined may have missed changes.
      isWelcome = true
      reactions.mode(data)
    }
  }
  channel.postMessage({ name: 'joined' })
  const { signal } = stay
  const hold = () =>
    new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
      if (signal.aborted) resolve()
      else connect()
    })
  navigator.locks.request(group, { signal }, hold).catch(() => {})
}

function leave() {
  clearTimeout(retry)
  source?.close()
  source = undefined
  channel?.close()
  stay?.abort()
}

// A hidden tab takes no part.
document.addEventListener('visibilitychange', () => {
  leave()
  if (!document.hidden && mode !== 'settled') join()
})
if (!document.hidden) join()
