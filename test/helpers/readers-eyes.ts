/** Reads a folder with a site that may be half swapped as a browser does. */

type Files = Readonly<Record<string, string>>

/** A folder, and the two sites; each of its files should be from one of them. */
export interface HalfSwapped {
  found: Files
  old: Files
  next: Files
}

/** What a page loads by itself or on first use: style sheets, icons, scripts, pictures, parts of the catalog. */
const loaded =
  /<link rel="(?:stylesheet|icon)[^>]* href="([^"#]+)"|(?:src|data-script)="([^"#]+)"|data-parts="([^"]+)"/g
const linked = /<a [^>]*?href="([^"#]+)/g

/**
 * The faults that readers meet, one per line: none if every page is from one site and has everything that it loads
 * from that site.
 */
export function readersFaults(all: HalfSwapped): string[] {
  const pages = Object.entries(all.found).filter(([path]) => path.endsWith('.html') && !path.startsWith('.staging-'))
  return [
    ...pages.flatMap(([path, text]) => pageFaults(path, text, all)),
    ...deadLinks(all.found),
    ...searchFaults(all),
  ]
}

function pageFaults(path: string, text: string, all: HalfSwapped): string[] {
  const site = siteOf(path, all)
  if (site === undefined) return [`${path} is of neither site`]
  return targets(path, text, loaded)
    .filter((target) => all.found[target] === undefined || all.found[target] !== site[target])
    .map(
      (target) => `${path} loads ${target}, which ${all.found[target] === undefined ? 'is not there' : 'does not fit'}`,
    )
}

function siteOf(path: string, { found, old, next }: HalfSwapped): Files | undefined {
  return [next, old].find((site) => site[path] === found[path])
}

/** Paths on the site that a page names in attributes of the given form. */
function targets(path: string, text: string, form: RegExp): string[] {
  const named = [...text.matchAll(form)].flatMap(([, ...groups]) => groups.join(' ').split(/[\s,]+/))
  return named
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => decodeURI(new URL(target, `https://site.test/${path}`).pathname.slice(1)))
}

/** Links to missing files, on pages that a reader reaches from the start page. */
function deadLinks(found: Files): string[] {
  const queue = ['index.html']
  const seen = new Set(queue)
  const dead: string[] = []
  for (const path of queue) {
    for (const target of targets(path, found[path] ?? '', linked)) {
      if (found[target] === undefined) dead.push(`${path} leads to ${target}, which is not there`)
      else if (target.endsWith('.html') && !seen.has(target)) {
        seen.add(target)
        queue.push(target)
      }
    }
  }
  return dead
}

/** Files of the index whose names do not depend on their content; the search in a page reads only the script. */
const fixed = /^pagefind\/(?:search\.js|pagefind\.js|pagefind-worker\.js|pagefind-entry\.json)$/

/** Faults unless the script of the search is from one site and so is every file that it may ask for. */
function searchFaults(all: HalfSwapped): string[] {
  const { found } = all
  const site = siteOf('pagefind/search.js', all)
  if (site === undefined) return ['the search is of neither site']
  return Object.keys(site)
    .filter((path) => path.startsWith('pagefind/') && !fixed.test(path) && found[path] !== site[path])
    .map((path) => `the search reads ${path}, which ${found[path] === undefined ? 'is not there' : 'does not fit'}`)
}
