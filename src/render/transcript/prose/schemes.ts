/** Destinations that links of a transcript may have. */

const allowed = new Set(['http', 'https', 'mailto'])

/**
 * Whether a decoded destination may stay a link: relative, a fragment, or `http`, `https`, `mailto`.
 * `main.ts:12` is a position in a file, not a scheme.
 */
export function isSafeUrl(url: string): boolean {
  // Browsers ignore whitespace and controls inside a scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\0- \x7F-\x9F]/g, ''))?.[1]
  if (scheme === undefined || allowed.has(scheme.toLowerCase())) return true
  return /^[\w-]+\.[\w.-]+:\d+(?::\d+)?$/.test(url)
}

/** Whether an address begins like one of the web or of mail; no other links of transcripts and plugins leave the site. */
export function leadsOut(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url)
}

/** `rel` of links that leave the site: their targets learn nothing about the page, and search engines do not follow them. */
export const foreignRel: readonly string[] = ['nofollow', 'noreferrer', 'noopener']

/** Whether an address is a complete one of the web or of mail, without spaces, and so fit for a link of the frame. */
export function isWebUrl(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(url)
}

const scheme = /(?:script|data|file|blob)\s*(?::|&|\\)/i

/**
 * The marks after which a destination may begin, ends of paragraphs and lines, and the words that every link that runs
 * something contains, in every disguise that Markdown allows.
 */
const landmark = new RegExp(`(?<mark>\\][(:]|<)|(?<blank>\\n[ \\t>]*(?=\\n))|\\n|(?<scheme>${scheme.source})`, 'gi')

/**
 * Whether a scheme that runs something is where any renderer could read it as a destination: after `](` or `]:` on that line
 * or the next, because a destination is no further away, or after `<` in the same paragraph, because a tag may have several
 * lines. This sends a tenth of the text of real sessions to the reference engine; a mark and a scheme anywhere would send a
 * fifth.
 */
export function mayRunAfterMark(body: string): boolean {
  // Hardly any body has such a word, so few are searched for landmarks.
  return scheme.test(body) && hasSchemeAfterMark(body)
}

function hasSchemeAfterMark(body: string): boolean {
  let linesLeft = 0
  let isInTag = false
  for (const { groups: { mark, blank, scheme: word } = {} } of body.matchAll(landmark)) {
    if (word !== undefined) {
      if (linesLeft > 0 || isInTag) return true
    } else if (mark === '<') isInTag = true
    else if (mark !== undefined) linesLeft = 2
    else {
      linesLeft--
      if (blank !== undefined) isInTag = false
    }
  }
  return false
}
