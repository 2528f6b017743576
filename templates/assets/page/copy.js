// Buttons to copy and to wrap a block. There is a single pair, which moves to the block that is pointed at or focused.
import { say } from './dom.js'
import { make } from './make.js'

/** What is shown in addition to the text itself: shell prompts, notes about cuts, text for screen readers. */
const decorations = '.ps, .cut, .label, .hide, .tools, [aria-hidden="true"]'

const copyButton = make('button', { type: 'button' }, 'Copy')
const wrapButton = make('button', { type: 'button', 'aria-pressed': 'false' }, 'Wrap')
const tools = make('div', { class: 'tools' }, wrapButton, copyButton)
let block

/** Puts a text on the clipboard; if that is not allowed, as on `file:` pages, by copying a selection. */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = make('textarea', { class: 'hide', readonly: true })
    const focused = document.activeElement
    field.value = text
    document.body.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    focused?.focus({ preventScroll: true })
    return done
  }
}

async function copy(text, what) {
  const done = await toClipboard(text)
  say(done ? `Copied the ${what}` : 'The browser did not allow copying')
  return done
}

/** What messages call a block, from its `data-copy` attribute. */
function nameOf(element) {
  return element.dataset.copy || 'text'
}

/** The text of a block to copy: prose with its line breaks as shown, everything else verbatim. */
function textOf(element) {
  // Not textContent, which has no line break at the end of a paragraph.
  if (element.dataset.copy === 'text' && element.checkVisibility()) return shownText(element)
  const clone = element.cloneNode(true)
  for (const part of clone.querySelectorAll(decorations)) part.remove()
  return clone.textContent.replace(/\n$/, '')
}

/** The text that a block shows, without the label of its own fold. */
function shownText(element) {
  const fold = element.querySelector('.show-all')
  fold?.toggleAttribute('hidden', true)
  const text = element.innerText.trim()
  fold?.toggleAttribute('hidden', false)
  return text
}

/** The block around an element, or the first one of an item. */
function blockAt(element) {
  return element.closest('[data-copy]') ?? (element.matches('.item') ? element.querySelector('[data-copy]') : null)
}

/** Copies the block around an element, or the first block of an item, if there is one. */
export async function copyAt(element) {
  const found = blockAt(element)
  if (found) await copy(textOf(found), nameOf(found))
}

function bring(target) {
  if (!(target instanceof Element) || tools.contains(target)) return
  const next = blockAt(target)
  if (!next || next === block) return
  block = next
  const name = nameOf(block)
  copyButton.textContent = 'Copy'
  copyButton.setAttribute('aria-label', `Copy the ${name}`)
  wrapButton.hidden = !('wrap' in block.dataset)
  wrapButton.setAttribute('aria-pressed', String(block.classList.contains('wrapped')))
  wrapButton.setAttribute('aria-label', `Wrap long lines of the ${name}`)
  tools.classList.toggle('of-text', block.dataset.copy === 'text')
  // Next to the block and not in it, where the buttons would scroll away with the text.
  block.after(tools)
  tools.style.top = `${block.offsetTop}px`
}

copyButton.addEventListener('click', async () => {
  const copied = block
  // The reader may be at another block when the browser answers.
  if ((await copy(textOf(copied), nameOf(copied))) && copied === block) copyButton.textContent = 'Copied'
})

wrapButton.addEventListener('click', () => {
  wrapButton.setAttribute('aria-pressed', String(block.classList.toggle('wrapped')))
})

document.addEventListener('pointerover', ({ target }) => {
  // Moved buttons lose the focus, and a page that scrolls moves what is below the pointer.
  if (target.closest?.('[data-copy]') && !tools.querySelector(':focus-visible')) bring(target)
})
document.addEventListener('focusin', ({ target }) => bring(target))

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('[data-copy-text], [data-copy-link]')
  if (!button) return
  const isLink = 'copyLink' in button.dataset
  copy(isLink ? location.href.replace(/[?#].*/, '') : button.dataset.copyText, isLink ? 'link' : 'text')
})
for (const button of document.querySelectorAll('[data-copy-text], [data-copy-link]')) button.hidden = false
