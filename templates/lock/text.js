// Shows a file that is not a page: its text, and a button that saves it.
import { joined } from './bytes.js'
import { laterParts } from './files.js'
import { resolve } from './links.js'

/** The maximum number of characters that are shown; the saved file has all of them. */
const maxShownLength = 1_000_000

function element(name, attributes, ...children) {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  created.append(...children)
  return created
}

/** Saves the whole file; its later parts are loaded only now. */
async function save(site, header, body) {
  const bytes = joined([body, ...(await laterParts(site, header))])
  const url = URL.createObjectURL(new Blob([bytes], { type: 'text/plain' }))
  element('a', { href: url, download: header.path.replace(/.*\//, '') }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Shows the first part of a file. */
export async function showText(site, header, body) {
  const name = header.path.replace(/.*\//, '')
  const text = new TextDecoder().decode(body)
  const button = element('button', { type: 'button' }, 'Save the file')
  const message = element('p', { class: 'told', role: 'status' })
  button.addEventListener('click', () => {
    save(site, header, body).catch((error) => {
      message.textContent = `The file could not be saved: ${error.message}.`
    })
  })
  const home = element('a', { href: await resolve(site, '/') }, 'All sessions')
  const isCut = header.parts > 1 || text.length > maxShownLength
  if (isCut) message.textContent = 'Only the beginning is shown. Save the file to read all of it.'
  const head = element('header', {}, element('h1', {}, name), element('p', { class: 'ways' }, home, button), message)
  document.title = name
  document.body.replaceChildren(
    element('main', { class: 'text' }, head, element('pre', {}, text.slice(0, maxShownLength))),
  )
}
