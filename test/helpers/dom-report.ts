/** How a browser's parser reads pages: their structure, and everything in them that no text may bring in. */
import type { Page } from 'playwright-core'

/** The report of one page. */
export interface PageReport {
  path: string
  /**
   * Elements in order with their depth, names of attributes and classes, without texts and the content of prose; empty if
   * nobody compares it.
   */
  form: string[]
  /** In words: what a transcript must not be able to put into a page. */
  faults: string[]
}

/** Reads pages of the open site; `paths` are relative to the current page. Only the forms of `compared` are returned. */
export function reportPages(
  page: Page,
  paths: readonly string[],
  compared: ReadonlySet<string>,
): Promise<PageReport[]> {
  return page.evaluate(inBrowser, { paths: [...paths], compared: paths.filter((path) => compared.has(path)) })
}

/** Reads the current page as it is now, after its scripts have run. */
export async function reportShown(page: Page): Promise<PageReport[]> {
  return await page.evaluate(inBrowser, null)
}

/** Runs in the browser, so it uses nothing from outside. Without `wanted` it reads the current page. */
async function inBrowser(wanted: { paths: string[]; compared: string[] } | null): Promise<PageReport[]> {
  const proseElements = new Set(
    'a blockquote br code del div em h2 h3 h4 h5 h6 hr li ol p pre section span strong sup table tbody td th thead tr ul'.split(
      ' ',
    ),
  )
  const proseAttributes = new Set([
    ...['aria-describedby', 'aria-label', 'class', 'data-copy', 'data-wrap', 'href', 'id', 'rel', 'role', 'start'],
    ...['tabindex', 'title'],
  ])
  /** Elements that draw formulas. */
  const mathElements = new Set(
    'annotation math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics'.split(
      ' ',
    ),
  )
  const mathAttributes = new Set(
    'accent accentunder class columnspan depth display displaystyle encoding fence form height largeop linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width'.split(
      ' ',
    ),
  )
  const mathClasses = /^(?:mbox|ml|mover|mr|munder)$/
  const proseClasses =
    /^(?:back|center|ctl|done|footnotes|language-[\w+#.-]{1,40}|nolink|note-label|raw|right|task|tex|wide|h[a-z]{1,3}|prose)$/
  const running = /^(?:on|style$|srcdoc$|formaction$|ping$|srcset$|background$|xlink:|is$|popover|slot$|part$)/

  const hiding = /[\u200b\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

  /** Flags of regions are made of characters that are marked as invisible anywhere else. */
  const withoutFlags = (text: string): string => text.replace(/\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}/gu, '')

  const isOwn = (address: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|[/\\]{1,2})/i.test(address)

  const linkFaults = (element: Element): string[] => {
    const address = element.getAttribute('href') ?? ''
    if (isOwn(address)) return []
    if (!/^(?:https?|mailto):/.test(address)) return [`leads to ${address}`]
    const isQuiet = element.localName !== 'a' || (element.getAttribute('rel') ?? '').includes('noreferrer')
    return isQuiet ? [] : [`sends its address to ${address}`]
  }

  const inProse = (element: Element): string[] => {
    const { localName: name, id, classList, namespaceURI } = element
    const isMath = namespaceURI === 'http://www.w3.org/1998/Math/MathML'
    const allowed = isMath ? mathAttributes : proseAttributes
    const attributes = element.getAttributeNames().filter((attribute) => !allowed.has(attribute))
    const classes = [...classList].filter((token) => !(isMath ? mathClasses : proseClasses).test(token))
    const isForeign = id !== '' && !/^(?:[0-9a-f]{8}-)?l\d+(?:\.\d+)*-/.test(id)
    return [
      ...((isMath ? mathElements : proseElements).has(name) ? [] : [`<${name}> in prose`]),
      ...attributes.map((attribute) => `${attribute} in prose`),
      ...classes.map((token) => `class ${token} in prose`),
      ...(isForeign ? [`id ${id} in prose`] : []),
    ]
  }

  const anywhere = (element: Element): string[] => {
    const { localName: name } = element
    const source = element.getAttribute('src') ?? ''
    return [
      ...element
        .getAttributeNames()
        .flatMap((attribute) => (running.test(attribute) ? [`<${name} ${attribute}>`] : [])),
      ...(hiding.test(withoutFlags(element.getAttribute('title') ?? '')) ? ['a title that reorders or hides'] : []),
      ...(/^(?:a|area|link|use|image)$/.test(name) ? linkFaults(element) : []),
      ...(isOwn(source) || source.startsWith('data:image/png') ? [] : [`loads ${source}`]),
    ]
  }

  const faultsOf = (document: Document): string[] => {
    const elements = [...document.querySelectorAll('*')]
    const ids = elements.map(({ id }) => id).filter((id) => id !== '')
    const seen = new Set<string>()
    const twice = ids.filter((id) => seen.size === seen.add(id).size)
    const hidden = hiding.exec(withoutFlags(document.documentElement.textContent ?? ''))?.[0]
    return [
      ...[...document.querySelectorAll('.prose *')].flatMap(inProse),
      ...elements.flatMap(anywhere),
      ...twice.map((id) => `id ${id} occurs twice`),
      ...(hidden === undefined ? [] : [`U+${hidden.codePointAt(0)?.toString(16)} as it is`]),
    ]
  }

  const formOf = (root: Element): string[] => {
    const lines: string[] = []
    const walk = (element: Element, depth: number, isInPre: boolean): void => {
      const { classList, localName: name } = element
      const names = element.getAttributeNames()
      // Marks of invisible characters, and colours of code and terminals, depend on the text by design.
      const isRun = name === 'span' && isInPre && names.length < 2
      // Text between backticks in a step of a plan or a title of a finding is code, and nothing else.
      const isCode =
        name === 'code' && names.length === 0 && element.matches('.plan > li > * > *, .finding > p > b > *')
      // Lines of paths may break after slashes.
      const before = element.previousSibling
      const isBreak = name === 'wbr' && names.length === 0 && before instanceof Text && /[/\\]$/.test(before.data)
      if (!isRun && !isCode && !isBreak && !classList.contains('ctl')) {
        const attributes = names.filter((attribute) => !/^(?:class|title)$/.test(attribute))
        const classes = [...classList].sort().map((token) => `.${token}`)
        lines.push(' '.repeat(depth) + [name, ...attributes.sort(), ...classes].join(' '))
      }
      if (classList.contains('prose')) return
      for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling)
        walk(child, depth + 1, isInPre || name === 'pre')
    }
    walk(root, 0, false)
    return lines
  }

  const compared = new Set(wanted?.compared)

  const report = (path: string, document: Document): PageReport => {
    const faults = faultsOf(document)
    // The content of `noscript` is text for a page with scripts and markup for the parser.
    if (document === window.document) return { path, form: [], faults }
    const form = compared.has(path) ? formOf(document.documentElement) : []
    const again = new DOMParser().parseFromString(document.documentElement.outerHTML, 'text/html')
    const isAlike = () => formOf(again.documentElement).join('\n') === formOf(document.documentElement).join('\n')
    if (!document.documentElement.isEqualNode(again.documentElement) && !isAlike())
      faults.push('reads differently the second time')
    return { path, form, faults }
  }

  if (wanted === null) return [report('', document)]
  const { paths } = wanted
  const reports: PageReport[] = []
  /** Number of pages that are read at the same time. */
  const together = 8
  for (let from = 0; from < paths.length; from += together) {
    const some = paths.slice(from, from + together)
    const sources = await Promise.all(some.map(async (path) => (await fetch(path)).text()))
    for (const [index, path] of some.entries()) {
      reports.push(report(path, new DOMParser().parseFromString(sources[index] ?? '', 'text/html')))
    }
  }
  return reports
}
