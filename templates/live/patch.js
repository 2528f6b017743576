// Updates an open page to the current text of its file. Only what differs from the text that was loaded before is touched, so
// what the reader and other scripts did to the page stays.

/** Elements that are identified by their first content: folds with runs of work, and list entries, which may have just a link. */
const holders = 'li, details, article, section'

/** What distinguishes an element from its siblings, wherever it is among them. */
function markOf(element) {
  if (element.id) return element.id
  if (element.matches('a')) return element.getAttribute('href')
  const held = element.matches(holders) ? element.querySelector(element.matches('li') ? '[id], a[href]' : '[id]') : null
  return held ? held.id || held.getAttribute('href') : element.getAttribute('class')
}

/** The children of an element by their marks; those with the same mark are numbered. */
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

/** The text of an element itself, without that of its children. */
function wordsOf(element) {
  return [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data.trim() : '')).join('')
}

/** The state of an element's folds and the position of the focused element, so that another element can be given the same. */
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

/** Notifies scripts of the page of a new element, which they then prepare. */
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

/** Changes the attributes that the build changed; a fold stays as the reader left it. */
function patchAttributes(live, base, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (name !== 'open' && base.getAttribute(name) !== value) live.setAttribute(name, value)
  }
  for (const { name } of base.attributes) {
    if (name !== 'open' && !fresh.hasAttribute(name)) live.removeAttribute(name)
  }
}

/** Elements that were removed, by id, and those that were added: the build moves items, for example into a longer run of work. */
const removed = new Map()
const added = []

/**
 * Changes `live`, which was built as `base`, to match `fresh`. Elements that scripts added are in neither and stay; those that
 * scripts removed are skipped. An item that moved remains the same element: open, selected and focused as before.
 */
export function patch(live, base, fresh) {
  const restoreState = saveReaderState(base.ownerDocument)
  change(live, base, fresh)
  // An element that is put back may have parts that moved too.
  for (const [element, source] of added) putBack(element, source, base.ownerDocument)
  added.length = 0
  removed.clear()
  restoreState()
}

function change(live, base, fresh) {
  if (base.isEqualNode(fresh)) return
  if (base.localName !== fresh.localName || wordsOf(base) !== wordsOf(fresh)) {
    replace(live, fresh)
    return
  }
  patchAttributes(live, base, fresh)
  const [lives, bases, freshes] = [live, base, fresh].map(byKey)
  for (const key of bases.keys()) if (!freshes.has(key)) removeOld(lives.get(key))
  const built = new Set([...bases.keys()].map((key) => lives.get(key)))
  let last = null
  for (const [key, child] of freshes) {
    if (bases.has(key)) last = changeChild(lives.get(key), bases.get(key), child) ?? last
    else last = add(live, lastAdded(last, built), child)
  }
}

/** An element, or the last one that scripts added after it: a change that the reader opened, or work instead of its link. */
function lastAdded(element, built) {
  let last = element
  for (let one = last?.nextElementSibling; one && !built.has(one); one = one.nextElementSibling) last = one
  return last
}

/** Changes a child and returns the element that is now at its position; `undefined` if a script removed it. */
function changeChild(live, base, fresh) {
  if (!live) return undefined
  const before = live.previousSibling
  const parent = live.parentElement
  change(live, base, fresh)
  if (live.isConnected) return live
  return before ? before.nextSibling : parent.firstChild
}

function removeOld(element) {
  if (!element) return
  for (const one of [element, ...element.querySelectorAll('[id]')]) if (one.id) removed.set(one.id, one)
  element.remove()
}

/** Adds a new child after another one, or as the first one. */
function add(parent, last, fresh) {
  const child = document.importNode(fresh, true)
  if (last) last.after(child)
  else parent.prepend(child)
  announce(child)
  added.push([child, fresh])
  return child
}

/** Puts elements that were removed back, instead of their copies in an element that was added. */
function putBack(element, source, before) {
  const moved = []
  for (const fresh of [source, ...source.querySelectorAll('[id]')]) {
    const old = removed.get(fresh.id)
    const base = before.getElementById(fresh.id)
    if (!old || old.localName !== base?.localName || moved.some((one) => one.contains(fresh))) continue
    const copy = fresh === source ? element : element.querySelector(`#${CSS.escape(fresh.id)}`)
    if (!copy?.isConnected || copy.localName !== old.localName) continue
    moved.push(fresh)
    copy.replaceWith(old)
    change(old, base, fresh)
  }
}

/**
 * Saves the selection, the focus, which an element loses when it is moved, and which folds the reader opened. Returns the
 * function that restores them. If the build put a closed fold around what was opened or selected, that fold is opened; if around
 * the focused element, it gets the focus.
 */
function saveReaderState(before) {
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = getSelection()
  const focused = document.activeElement
  const read = [...document.querySelectorAll('main details[open]')].filter((fold) => !isBuiltOpen(fold, before))
  if (!isCollapsed) read.push(anchorNode.parentElement)
  const seen = read.filter((element) => element?.checkVisibility())
  return () => {
    for (const element of seen) for (const fold of closedAround(element)) fold.open = true
    const isLost = !isCollapsed && getSelection().isCollapsed
    if (isLost && canSelect(anchorNode, anchorOffset) && canSelect(focusNode, focusOffset))
      getSelection().setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset)
    if (!focused.isConnected || focused === document.activeElement) return
    const target = closedAround(focused).at(-1)?.querySelector('summary') ?? focused
    target.focus({ preventScroll: true })
  }
}

/** Whether a node is still in the page and has that many characters or children. */
function canSelect(node, offset) {
  return node.isConnected && offset <= (node.length ?? node.childNodes.length)
}

/** Whether the build opened a fold. A fold without an id is identified by its number within the item around it. */
function isBuiltOpen(fold, before) {
  const owner = fold.closest('[id]')
  const counterpart = owner && before.getElementById(owner.id)
  if (owner === fold || !counterpart) return Boolean(counterpart?.open)
  return counterpart.querySelectorAll('details')[[...owner.querySelectorAll('details')].indexOf(fold)]?.open === true
}

/** The closed folds that hide an element, innermost first. */
function closedAround(element) {
  const folds = []
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    if (!fold.open && fold !== element && !fold.querySelector('summary').contains(element)) folds.push(fold)
  return folds
}
