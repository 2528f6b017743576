/** Style sheets and scripts inside a page. */

/**
 * A script as the content of a `script` element. Browsers hash what they parsed, so that line breaks are theirs; what
 * would end the element or comment it out is escaped, which means the same inside strings.
 */
export function inlineScript(source: string): string {
  return parsedBreaks(source).replace(/<(?=\/script|!--)/gi, '\\x3C')
}

/** A style sheet as the content of a `style` element. */
export function inlineStyle(source: string): string {
  return parsedBreaks(source).replace(/<(?=\/style)/gi, '\\3C ')
}

function parsedBreaks(source: string): string {
  return source.replace(/\r\n?/g, '\n')
}
