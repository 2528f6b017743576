// Remembers for each session which folds the reader opened and closed, but not what the page or a view did by itself.
import { folder } from './address.js'
import { keep, recall } from './keep.js'

const maxSessions = 40
const maxFolds = 200
const main = document.getElementById('main')

/** Folds that the build left open. */
const openAtFirst = new WeakSet(main?.querySelectorAll('details[open]'))
/** The state that the page gave a fold since then: any other state is the reader's choice. */
const setByPage = new WeakMap()
/**
 * Whether a fold was open when it was last checked. Events do not show who toggled it: a browser sends one event for several
 * toggles in a row, and may leave the page before it sends any.
 */
const seen = new WeakMap()
let saving = 0

/** Registers folds that were added to the page later, in the state in which they were built. */
export function registerFolds(root) {
  for (const fold of root.querySelectorAll('details[open]')) openAtFirst.add(fold)
  if (root.open) openAtFirst.add(root)
}

/** Opens or closes a fold on behalf of the page, which is not remembered. */
export function setFold(fold, open) {
  note(fold)
  setByPage.set(fold, open)
  setOpen(fold, open)
}

function setOpen(fold, open) {
  seen.set(fold, open)
  fold.open = open
}

/** A fold's own id, else its item's id if it is the item's first fold, `<id>/2` for the third; `undefined` outside of items. */
function keyOf(fold) {
  if (fold.id) return fold.id
  const owner = fold.closest('[id]:not(main, details)')
  if (!owner || owner.contains(main)) return undefined
  const index = [...owner.querySelectorAll('details')].indexOf(fold)
  return index === 0 ? owner.id : `${owner.id}/${index}`
}

function foldOf(key) {
  const [id, index = 0] = key.split('/')
  const owner = document.getElementById(id)
  return owner?.matches('details') ? owner : owner?.querySelectorAll('details')[index]
}

/** For each session, the folds whose state differs from the page as built; oldest session first. */
function read() {
  try {
    const sessions = JSON.parse(recall('folds') ?? '[]')
    return new Map(sessions.map(([path, folds]) => [path, new Map(folds)]))
  } catch {
    return new Map()
  }
}

/** What was stored when the page was opened, and what changed since then; `undefined` means the state that the page gave. */
const kept = main ? (read().get(folder) ?? new Map()) : new Map()
const changed = new Map()

function save() {
  clearTimeout(saving)
  if (changed.size === 0) return
  const sessions = read()
  const folds = sessions.get(folder) ?? new Map()
  for (const [key, open] of changed) {
    folds.delete(key)
    if (open !== undefined) folds.set(key, open ? 1 : 0)
  }
  changed.clear()
  sessions.delete(folder)
  if (folds.size > 0) sessions.set(folder, new Map([...folds].slice(-maxFolds)))
  const newest = [...sessions].slice(-maxSessions)
  keep('folds', newest.length === 0 ? null : JSON.stringify(newest.map(([path, map]) => [path, [...map]])))
}

/** Remembers what the reader did to a fold since it was last checked. */
function note(fold) {
  if (fold.open === (seen.get(fold) ?? openAtFirst.has(fold))) return
  seen.set(fold, fold.open)
  const key = keyOf(fold)
  if (key === undefined) return
  changed.set(key, fold.open === (setByPage.get(fold) ?? openAtFirst.has(fold)) ? undefined : fold.open)
  clearTimeout(saving)
  saving = setTimeout(save, 300)
}

/** Restores the folds that the reader opened or closed, whatever the view does to the others. */
export function restoreFolds() {
  for (const [key, open] of kept) {
    const fold = foldOf(key)
    if (fold) setOpen(fold, open === 1)
  }
}

if (main) {
  main.addEventListener('toggle', ({ target }) => main.contains(target) && note(target), true)
  main.addEventListener('codex-fresh', ({ target }) => registerFolds(target), true)
  addEventListener('pagehide', () => {
    main.querySelectorAll('details').forEach(note)
    save()
  })
}
