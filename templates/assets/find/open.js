// Opens the find of a session: by its button, by a key, or by an address that asks for it. Nothing of it is loaded before.
import { address } from '../page/address.js'
import { isTyping, say } from '../page/dom.js'
import { setFold } from '../page/folds.js'
import { keysAreOn } from '../page/help.js'
import { make } from '../page/make.js'
import { flow, goTo, here } from '../page/walk.js'
import { loadFind } from './load.js'

async function open(state) {
  try {
    const openFind = await loadFind()
    openFind({ setFold, here, goTo }, state)
  } catch {
    say('The find could not be loaded')
  }
}

function start() {
  const button = make(
    'button',
    { class: 'within', type: 'button', 'aria-keyshortcuts': 'f', title: 'Find (f)' },
    'Find',
  )
  button.addEventListener('click', () => open())
  document.querySelector('.ways')?.append(button)
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (key !== 'f' || ctrlKey || metaKey || altKey || isTyping(target) || !keysAreOn()) return
    event.preventDefault()
    open()
  })
  const query = address().searchParams
  const [text, kinds, hit] = ['find', 'kinds', 'hit'].map((name) => query.get(name))
  if (text === null && kinds === null) return
  open({ text: text ?? '', kinds: (kinds ?? '').split(' '), hit: /^\d+$/.test(hit ?? '') ? Number(hit) : undefined })
}

if (flow) start()
