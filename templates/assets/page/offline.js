// Starts the service worker of a site that can be read offline, and removes that of a site that no longer can.

const { root = '', offline } = document.documentElement.dataset
const worker = new URL(`${root}sw.js`, location.href).href

async function updateWorker() {
  if (offline !== undefined) {
    await navigator.serviceWorker.register(worker)
    return
  }
  if (navigator.serviceWorker.controller?.scriptURL !== worker) return
  const registration = await navigator.serviceWorker.getRegistration()
  await registration?.unregister()
  const prefix = `codex-export ${new URL('.', worker).pathname} `
  for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name)
}

// `file:` pages and insecure addresses have no service worker, and some readers forbid it: everything works without it.
if ('serviceWorker' in navigator && location.protocol !== 'file:') updateWorker().catch(() => {})
