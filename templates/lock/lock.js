// The login page: asks for the password, unless this tab has the key, and shows the page that it contains in encrypted form.
import { fromBase64 } from './bytes.js'
import { keepKey, recallKey, recallTheme } from './kept.js'
import { keysOf, masterOf, nameOf } from './keys.js'
import { showPage } from './page.js'
import { unseal } from './sealed.js'
import { showText } from './text.js'

const panel = document.querySelector('.lock')
const message = panel.querySelector('.told')
const form = panel.querySelector('form')
const input = form.querySelector('[type="password"]')
const button = form.querySelector('button')

const sealed = document.getElementById('sealed')
const { name, check, rounds } = sealed.dataset
const lock = { salt: fromBase64(sealed.dataset.salt), rounds: Number(rounds) }
const base = new URL(sealed.dataset.root, location.href).href

function showStatus(text) {
  panel.classList.add('asks')
  message.textContent = text
}

/** Asks for the password. */
function ask() {
  panel.classList.add('asks')
  form.hidden = false
  input.focus()
}

/** The name of the page that the address asks for, so that a host cannot show another one instead. */
function expectedName(keys) {
  return /\/pages\/([0-9a-f]{32})(?:\.html)?$/.exec(location.pathname)?.[1] ?? nameOf(keys, 'index.html')
}

/** Shows the page with the keys of the site. */
async function show(keys) {
  const { header, body } = await unseal(keys, name, sealed.content.textContent)
  if (name !== (await expectedName(keys))) throw new Error('it is another page of the site')
  const site = { keys, base, path: header.path }
  if (header.path.endsWith('.html')) await showPage(site, new TextDecoder().decode(body))
  else await showText(site, header, body)
}

/** Opens the page; if the key is right but the page does not open, says why. */
async function open(keys) {
  form.hidden = true
  try {
    await show(keys)
  } catch (error) {
    const reason = error.name === 'OperationError' ? 'it was damaged or mixed up with another' : error.message
    showStatus(
      `The password is right, but this page cannot be opened: ${reason}. Load it again; if that does not help, the site must be built again.`,
    )
  }
}

async function onSubmit(event) {
  event.preventDefault()
  if (button.disabled) return
  button.disabled = true
  showStatus('Unlocking…')
  const master = await masterOf(input.value, lock)
  const keys = await keysOf(master)
  button.disabled = false
  if (keys.check !== check) {
    showStatus('This is not the password of this site. Check upper and lower case, and spaces.')
    input.setAttribute('aria-invalid', 'true')
    input.select()
    return
  }
  keepKey(lock.salt, master)
  await open(keys)
}

/** A sentence about what this browser or this address lacks; `undefined` if nothing. */
function lackOf() {
  const { protocol } = location
  if (globalThis.crypto?.subtle === undefined)
    return protocol === 'http:'
      ? 'This page cannot be unlocked over plain http: browsers offer encryption only over https. Open it by an https address, or save the folder of the site and open its index.html from disk.'
      : 'This page cannot be unlocked: this browser offers no encryption here. Open it by an https address.'
  if (globalThis.DecompressionStream === undefined)
    return 'This page cannot be unlocked: this browser is too old for it.'
}

async function start() {
  const theme = recallTheme()
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  const lack = lackOf()
  if (lack !== undefined) return showStatus(lack)
  form.addEventListener('submit', onSubmit)
  const master = recallKey(lock.salt)
  const keys = master && (await keysOf(master))
  if (keys?.check === check) return open(keys)
  keepKey(lock.salt, undefined)
  ask()
}

start()
