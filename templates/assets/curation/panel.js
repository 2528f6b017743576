// The dialog in which a reader gives a session a star, tags and a note, and saves those of all sessions as a file.

import { make } from '../page/make.js'
import { showDecision } from './shown.js'
import { allWords, canKeep, countDecisions, curationWith, decide, decisionOf, tagsIn } from './store.js'

const file = 'curation.json'

function save(curation) {
  const text = `${JSON.stringify(curation, undefined, 2)}\n`
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  make('a', { href, download: file }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1000)
}

/** Reads a curation file that the reader chose. Throws for any other file, because saving over it would lose its content. */
async function curationIn(chosen) {
  const read = JSON.parse(await chosen.text())
  if (typeof read?.sessions !== 'object' || read.sessions === null) throw new Error('no curation')
  return read
}

function labelled(text, field) {
  return make('label', {}, text, field)
}

function fieldsOf(id, change) {
  const { star = false, tags = [], note = '' } = decisionOf(id)
  const starred = make('input', { type: 'checkbox', autofocus: true })
  starred.checked = star
  const words = make('input', { type: 'text', list: 'tags-used', autocomplete: 'off', spellcheck: 'false' })
  words.value = tags.join(', ')
  const text = make('textarea', { rows: '4', maxlength: '20000' })
  text.value = note
  for (const field of [starred, words, text])
    field.addEventListener('input', () =>
      change({ star: starred.checked, tags: tagsIn(words.value), note: text.value }),
    )
  const used = make(
    'datalist',
    { id: 'tags-used' },
    ...allWords().flatMap((tag) => (tag === '★' ? [] : [new Option(tag)])),
  )
  return [
    make('label', { class: 'check' }, starred, ' ★ Star'),
    labelled('Tags, with commas between them', words),
    used,
    labelled('Note, in Markdown', text),
  ]
}

function exports(status) {
  const whole = make('button', { type: 'button' }, `Save ${file}`)
  whole.addEventListener('click', () => save(curationWith()))
  const chosen = make('input', { type: 'file', accept: '.json,application/json', class: 'hide', tabindex: '-1' })
  const add = make('button', { type: 'button' }, 'Add to a curation file…')
  add.addEventListener('click', () => chosen.click())
  chosen.setAttribute('aria-label', 'Curation file')
  chosen.addEventListener('change', async () => {
    try {
      save(curationWith(await curationIn(chosen.files[0])))
      status.textContent = 'Saved a copy of that file with your stars, tags and notes.'
    } catch {
      status.textContent = 'That file is no curation file; nothing was saved.'
    }
    chosen.value = ''
  })
  return make('p', { class: 'save' }, whole, add, chosen)
}

/** Opens the dialog for a session; `button` shows the star and the tags. */
export function openPanel(button, id) {
  const status = make('p', { role: 'status' })
  const showStatus = (isKept) => {
    const count = countDecisions()
    status.textContent = isKept
      ? `Kept in this browser alone${count > 1 ? `, for ${count} sessions` : ''}.`
      : 'This browser keeps nothing for this site: save the file before you leave the page.'
  }
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×')
  const dialog = make(
    'dialog',
    { class: 'help curate', 'aria-labelledby': 'curate' },
    close,
    make('h2', { id: 'curate' }, 'Star, tags and note'),
    ...fieldsOf(id, (decision) => {
      showStatus(decide(id, decision))
      showDecision(button, id)
    }),
    status,
    make('p', {}, 'To publish them, build with ', make('code', {}, `--curation ${file}`), '.'),
    exports(status),
  )
  showStatus(canKeep())
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.addEventListener('close', () => {
    dialog.remove()
    button.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
}
