// Keyboard shortcuts: single letters step through items, turns, errors and edits of a session, or the rows of a list.
import { address, hrefOf } from './address.js'
import { copyAt } from './copy.js'
import { idIn, isTyping, say } from './dom.js'
import { keysAreOn, showHelp } from './help.js'
import { keep, recall } from './keep.js'
import { reveal } from './places.js'
import { nextView } from './views.js'
import { flow, goTo, here, isShown, neighbour, stops } from './walk.js'

// In the story of a long session, most failures and edits are on other pages: rows name them and link to them.
const failures = '.flow :is(.item.error, .item.failed, .item:has(> .failed), .still:not(.declined) > a)'
const edits = '.flow :is(.item.patch, .item.changed)'
const storyRows = '.still > a, .changed'

const wanted = { errors: failures, edits }

/**
 * Goes to the next or the previous page of the session: to its first or last item, or to the first or last one of `what` there.
 * Returns whether there is such a page.
 */
function turnPage(by, what = '') {
  const link = document.querySelector(by > 0 ? 'a[rel="next"]' : 'a[rel="prev"]')
  if (!link) return false
  keep('arrive', `${by} ${what}`, 'session')
  location.assign(link.href)
  return true
}

function step(by) {
  const element = neighbour([...document.querySelectorAll(stops)], by)
  if (element) goTo(element)
  else if (!turnPage(by)) say(by > 0 ? 'This is the end' : 'This is the beginning')
}

/** Whether an item is the first visible one of its turn. */
function isFirstOfTurn(item) {
  return isShown(item) && [...item.closest('.turn').querySelectorAll('.item')].find(isShown) === item
}

/** Goes to the first item of a turn, with the heading of the turn in view. */
function goToTurn(item) {
  goTo(item, item.closest('.turn')?.querySelector('.stamp') ?? item)
}

function stepTurn(by) {
  const item = neighbour([...document.querySelectorAll('.flow .turn .item')], by, isFirstOfTurn)
  if (item) goToTurn(item)
  else if (!turnPage(by)) say(by > 0 ? 'This is the last turn' : 'This is the first turn')
}

/** Whether a row of the story links to something that is not on this page; what is here is gone to itself. */
function isOnlyLinked(row) {
  const links = row.matches('a') ? [row] : [...row.querySelectorAll('.files a')]
  return isShown(row) && links.some((link) => !document.getElementById(idIn(hrefOf(link).replace(/^[^#]*/, ''))))
}

const isWanted = (element) => !element.matches(storyRows) || isOnlyLinked(element)

/** Goes to the next or previous one of `what`, even if a fold or a view hides it, or to the row that links to it. */
function seek(what, by) {
  const item = neighbour([...document.querySelectorAll(wanted[what])], by, isWanted)
  if (item) {
    reveal(item)
    goTo(item)
  } else if (!turnPage(by, what)) say(`No ${by > 0 ? 'more' : 'earlier'} ${what} on this page`)
}

/** Opens or closes the focused fold, else the first fold of the item, else the fold around it. */
function toggleFold() {
  const item = here()
  if (!item) return
  const focused = document.activeElement.closest('details')
  const own = focused && item.contains(focused) ? focused : item.querySelector('details')
  const fold = item.matches('.did') ? item : (own ?? item.closest('details'))
  if (!fold) return
  fold.open = !fold.open
  goTo(item.checkVisibility() ? item : (fold.closest('.item') ?? fold))
}

/** Copies the focused block, else the first block of the item. */
function copyHere() {
  const item = here()
  const focused = document.activeElement
  if (item) copyAt(item.contains(focused) && focused.closest('[data-copy]') ? focused : item)
}

/** Opens all folds of the turn; if all are open, closes them except for those around the reader's position. */
function toggleTurn() {
  const item = document.activeElement.closest(stops) ?? here()
  const folds = [...(item?.closest('.turn')?.querySelectorAll('details') ?? [])]
  const open = folds.some((fold) => !fold.open)
  for (const fold of folds) fold.open = open || (fold !== item && fold.contains(item))
}

/** The star button, which is added after this script has run, or never on pages that have no stars. */
const star = () => document.querySelector('.star')

/** Each key, the key for backwards, what both do, and the function that does it. */
const inSession = [
  ['j', 'k', 'Next, previous item', step],
  ['t', 'T', 'Next, previous turn', stepTurn],
  ['e', 'E', 'Next, previous error', (by) => seek('errors', by)],
  ['d', 'D', 'Next, previous edit', (by) => seek('edits', by)],
  ['o', '', 'Open or close the item', toggleFold],
  ['O', '', 'Open or close everything in the turn', toggleTurn],
  ['c', '', 'Copy the text of the item', copyHere],
  ['v', '', 'Story, work, everything', () => say(nextView())],
  ['s', '', 'Star, tags and note', () => star()?.click()],
  // `find/open.js` handles this key.
  ['f', '', 'Find in this session'],
]
const help = () => showHelp(keys.filter(([key]) => key !== 's' || star()))
const inList = [['j', 'k', 'Next, previous row', step]]
const everywhere = [
  // `search/open.js` handles this key.
  ...(document.querySelector('a.find') ? [['/', '', 'Search']] : []),
  ['?', '', 'This list', help],
]
const keys = [...(flow ? inSession : inList), ...everywhere]

addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey || event.isComposing || event.defaultPrevented) return
  const row = keys.find((names) => names[0] === key || (names[1] !== '' && names[1] === key))
  const run = row?.[3]
  if (!run || isTyping(target) || !keysAreOn()) return
  event.preventDefault()
  run(key === row[1] ? -1 : 1)
})

document.querySelector('.keys')?.addEventListener('click', help)

/** How the reader came from another page of the session, if by a key: forwards (`1`) or back, and what the key looks for. */
const [by, what] = recall('arrive', 'session')?.split(' ') ?? []
keep('arrive', null, 'session')
if (flow && by && address().hash === '') arrive(by > 0, what)

/** Continues at the first item of the page, or its last one if the reader goes back, or at the first or last one of `what`. */
function arrive(isForward, what) {
  const items = [...document.querySelectorAll(wanted[what] ?? stops)]
  const isStop = what ? isWanted : isShown
  const item = isForward ? items.find(isStop) : items.findLast(isStop)
  if (item && what) reveal(item)
  if (item && (what || !isForward)) goTo(item)
  else if (item) goToTurn(item)
  else if (what) {
    arrive(isForward)
    say(`No ${what} on this page`)
  }
}
