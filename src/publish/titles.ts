/** What a person would call the pages of a site, read from the pages themselves. */

/** Path of the first page of a session. */
const sessionPage = /^sessions\/[^/]+\/index\.html$/

/** Paths of sessions among paths of a site. */
export function sessionPages(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => sessionPage.test(path))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Title of a page, without that of the site behind it; empty where there is none. */
export function titleOf(html: string, siteTitle = ''): string {
  const [, written = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? []
  const title = written.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
  const end = siteTitle === '' ? '' : ` · ${siteTitle}`
  return end !== '' && title.endsWith(end) ? title.slice(0, -end.length) : title
}

/** Whether a start page is the login page of a locked site: nothing behind it can be read. */
export function isLocked(startPage: string): boolean {
  return startPage.includes('<template id="sealed" ')
}
