// Loads controls and answers of the search on first use.

let loading

function load() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = document.querySelector('a.find').dataset.script
    script.addEventListener('load', () => resolve(globalThis.codexSearchBox))
    script.addEventListener('error', () => reject(new Error(`${script.src} could not be loaded`)))
    document.head.append(script)
  })
}

/** Resolves with the function that makes them. */
export function loadBox() {
  loading ??= load()
  return loading
}
