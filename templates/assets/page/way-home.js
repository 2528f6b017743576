// A host shows the not-found page at any address: the start page is next to the site's icon, in one of the folders above.

/** The nearest folder above this address that contains the site; `undefined` if none is found. */
async function siteFolder() {
  const names = location.pathname.split('/').slice(1, -1)
  for (let depth = names.length; depth >= 0; depth -= 1) {
    const folder = ['', ...names.slice(0, depth), ''].join('/')
    // Two slashes would be followed by the name of another host.
    if (folder.startsWith('//')) continue
    const answer = await fetch(`${folder}favicon.svg`, { method: 'HEAD' }).catch(() => undefined)
    // Some hosts answer every request with a page.
    if (answer?.ok && answer.headers.get('content-type')?.startsWith('image/')) return folder
  }
  return undefined
}

async function linkHome() {
  const words = document.getElementById('home')
  const folder = await siteFolder()
  if (folder === undefined) return
  const link = document.createElement('a')
  link.href = `${folder}index.html`
  link.textContent = words.textContent
  words.replaceChildren(link)
}

void linkHome()
