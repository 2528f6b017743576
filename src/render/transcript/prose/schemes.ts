/** Which destinations a link of a transcript may have. */

const allowed = new Set(['http', 'https', 'mailto'])

/**
 * Whether a decoded destination may stay a link: relative, a fragment, or `http`, `https`, `mailto`.
 * `main.ts:12` is a place in a file, not a scheme.
 */
export function isSafeUrl(url: string): boolean {
  // Browsers ignore white space and controls inside a scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\0- \x7F-\x9F]/g, ''))?.[1]
  if (scheme === undefined || allowed.has(scheme.toLowerCase())) return true
  return /^[\w-]+\.[\w.-]+:\d+(?::\d+)?$/.test(url)
}

/** Whether an address begins as one of the web or of mail: of what transcripts and plugins name, only those lead out of the site. */
export function leadsOut(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url)
}

/** What a link that leads out of the site bears: where it leads learns nothing of the page, and search engines do not follow it. */
export const foreignRel: readonly string[] = ['nofollow', 'noreferrer', 'noopener']

/** Whether an address is one of the web or of mail, complete and without blanks: fit for a link of the frame. */
export function isWebUrl(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(url)
}

const scheme = /(?:script|data|file|blob)\s*(?::|&|\\)/i

/**
 * What tells where a destination may begin, where a paragraph or a line ends, and the words that a link which runs something
 * cannot do without, in every disguise that Markdown allows.
 */
const landmark = new RegExp(`(?<sign>\\][(:]|<)|(?<blank>\\n[ \\t>]*(?=\\n))|\\n|(?<scheme>${scheme.source})`, 'gi')

/**
 * Whether a scheme that runs something stands where any renderer could read it as a destination: behind `](` or `]:` on that
 * line or the next one, since a destination stands no further away, or behind `<` in the same paragraph, since a tag may have
 * lines. It asks less of the reference engine than a sign and a scheme anywhere would: of the text of real sessions a
 * tenth instead of a fifth.
 */
export function mayRunBehindSign(body: string): boolean {
  // Hardly any body has such a word, so that few are read line by line.
  return scheme.test(body) && standsBehindSign(body)
}

function standsBehindSign(body: string): boolean {
  let linesLeft = 0
  let isInTag = false
  for (const { groups: { sign, blank, scheme: word } = {} } of body.matchAll(landmark)) {
    if (word !== undefined) {
      if (linesLeft > 0 || isInTag) return true
    } else if (sign === '<') isInTag = true
    else if (sign !== undefined) linesLeft = 2
    else {
      linesLeft--
      if (blank !== undefined) isInTag = false
    }
  }
  return false
}
