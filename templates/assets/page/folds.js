// Folds stay as the reader left them, by session. What the page or a view opens by itself is not remembered.
import { folder } from './address.js'
import { keep, recall } from './keep.js'

const maxSessions = 40
const maxFolds = 200
const main = document.getElementById('main')

/** Folds that are open as they were built. */
const openAtFirst = new WeakSet(main?.querySelectorAll('details[open]'))
/** What the page made of a fold since: the reader's doing is what differs from that. */
const given = new WeakMap()
/**
 * Whether a fold was open when it was looked at last. Events do not tell who toggled it: a browser sends one for several
 * toggles in a row, and may leave the page before it sends any.
 */
const seen = new WeakMap()
let saving = 0

/** Takes folds that came later as they were built. */
export function takeFolds(root) {
  for (const fold of root.querySelectorAll('details[open]')) openAtFirst.add(fold)
  if (root.open) openAtFirst.add(root)
}

/** Opens or closes a fold on the page's own account. */
export function setFold(fold, open) {
  note(fold)
  given.set(fold, open)
  put(fold, open)
}

function put(fold, open) {
  seen.set(fold, open)
  fold.open = open
}

/** The id of a fold or of the item it is the first one of, `<id>/2` for the third; nothing for a fold in no item. */
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

/** Sessions with the state of their folds that differ from the page as built, oldest first. */
function read() {
  try {
    const sessions = JSON.parse(recall('folds') ?? '[]')
    return new Map(sessions.map(([path, folds]) => [path, new Map(folds)]))
  } catch {
    return new Map()
  }
}

/** What was kept when the page was opened, and what changed since; `undefined` is as the page gave it. */
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

/** Remembers what the reader did to a fold since it was looked at last. */
function note(fold) {
  if (fold.open === (seen.get(fold) ?? openAtFirst.has(fold))) return
  seen.set(fold, fold.open)
  const key = keyOf(fold)
  if (key === undefined) return
  changed.set(key, fold.open === (given.get(fold) ?? openAtFirst.has(fold)) ? undefined : fold.open)
  clearTimeout(saving)
  saving = setTimeout(save, 300)
}

/** Leaves folds as the reader did, whatever the view makes of the others. */
export function restoreFolds() {
  for (const [key, open] of kept) {
    const fold = foldOf(key)
    if (fold) put(fold, open === 1)
  }
}

if (main) {
  main.addEventListener('toggle', ({ target }) => main.contains(target) && note(target), true)
  main.addEventListener('codex-fresh', ({ target }) => takeFolds(target), true)
  addEventListener('pagehide', () => {
    main.querySelectorAll('details').forEach(note)
    save()
  })
}
