// Brings an open page to what its file says now: only what differs from the text that was loaded before is touched, so that what
// the reader and other scripts did to the page stays.

/** What is known by what it holds first: entries of lists, and folds with runs of work. */
const holders = 'li, details, article, section'

/** What tells an element from its siblings, wherever it stands among them. */
function markOf(element) {
  if (element.id) return element.id
  if (element.matches('a')) return element.getAttribute('href')
  const held = element.matches(holders) ? element.querySelector('[id], a[href]') : null
  return held ? held.id || held.getAttribute('href') : element.getAttribute('class')
}

/** The children of an element by what they are; equal ones by their number. */
function byKey(element) {
  const counts = new Map()
  return new Map(
    [...element.children].map((child) => {
      const name = `${child.localName} ${markOf(child)}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return [`${name} ${counts.get(name)}`, child]
    }),
  )
}

/** Whether an element has text of its own beside its children. */
function wordsOf(element) {
  return [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data.trim() : '')).join('')
}

/** Positions of the folds that are open, and of what has the focus, so that they can be found in another element. */
function stateOf(element) {
  const all = [...element.querySelectorAll('*')]
  const focused = document.activeElement
  return {
    folds: [...element.querySelectorAll('details')].map((fold) => fold.open),
    isOpen: element.open,
    focused: element === focused ? -1 : all.filter((one) => one.localName === focused?.localName).indexOf(focused),
    hasFocus: element.contains(focused),
    kind: focused?.localName,
  }
}

function restore(element, { folds, isOpen, focused, hasFocus, kind }) {
  for (const [index, fold] of [...element.querySelectorAll('details')].entries()) {
    if (index < folds.length) fold.open = folds[index]
  }
  if (element.localName === 'details') element.open = isOpen
  if (!hasFocus) return
  const target = focused < 0 ? element : element.querySelectorAll(kind)[focused]
  if (target && focused < 0 && target.tabIndex < 0) target.tabIndex = -1
  target?.focus({ preventScroll: true })
}

/** What a page script does to new elements: it hears of each by this event. */
function announce(element) {
  element.dispatchEvent(new Event('codex-fresh', { bubbles: true }))
}

function replace(live, fresh) {
  const state = stateOf(live)
  const next = document.importNode(fresh, true)
  live.replaceWith(next)
  announce(next)
  restore(next, state)
}

/** Attributes that the build changed; a fold stays as the reader left it. */
function patchAttributes(live, base, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (name !== 'open' && base.getAttribute(name) !== value) live.setAttribute(name, value)
  }
  for (const { name } of base.attributes) {
    if (name !== 'open' && !fresh.hasAttribute(name)) live.removeAttribute(name)
  }
}

/**
 * Changes `live`, which was built as `base`, to what `fresh` says. Elements that scripts added have no part in either and stay;
 * where a script took one away, nothing is to be changed.
 */
export function patch(live, base, fresh) {
  if (base.isEqualNode(fresh)) return
  if (base.localName !== fresh.localName || wordsOf(base) !== wordsOf(fresh)) {
    replace(live, fresh)
    return
  }
  patchAttributes(live, base, fresh)
  const [lives, bases, freshes] = [live, base, fresh].map(byKey)
  for (const key of bases.keys()) if (!freshes.has(key)) lives.get(key)?.remove()
  let last = null
  for (const [key, child] of freshes) {
    if (bases.has(key)) last = patchChild(lives.get(key), bases.get(key), child) ?? last
    else last = add(live, last, child)
  }
}

/** Changes a child and gives the element that stands in its place; nothing where a script took it away. */
function patchChild(live, base, fresh) {
  if (!live) return undefined
  const before = live.previousSibling
  const parent = live.parentElement
  patch(live, base, fresh)
  if (live.isConnected) return live
  return before ? before.nextSibling : parent.firstChild
}

/** Puts a new child behind another one, or first. */
function add(parent, last, fresh) {
  const added = document.importNode(fresh, true)
  if (last) last.after(added)
  else parent.prepend(added)
  announce(added)
  return added
}
