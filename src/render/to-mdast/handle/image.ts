/** Pictures. */
import type { Image } from '../../../model/trast.ts'
import { assetPath, relativeLink, sessionMarkdown } from '../../../model/urls.ts'
import { formatBytes } from '../../../util/time.ts'
import { brokenPicture } from '../../words.ts'
import { type Inline, mono, oneLine, paragraph } from '../build.ts'
import type { Handle } from '../state.ts'

const words: Readonly<Record<Image['origin'], string>> = {
  attached: 'Attached picture',
  generated: 'Generated picture',
  viewed: 'Viewed picture',
  tool: 'Picture from a tool',
}

/** The copied asset as a picture; without one a line that says what it was. Its source is never loaded. */
export const image: Handle<Image> = (node, { context }) => {
  const alt = oneLine(node.alt ?? '').trim() || words[node.origin]
  if (node.asset !== undefined) {
    const url = relativeLink(sessionMarkdown(context.threadId), assetPath(node.asset))
    return [{ type: 'paragraph', children: [{ type: 'image', url, alt }] }]
  }
  const facts: Inline[] = [node.mediaType ?? '', node.bytes === undefined ? '' : formatBytes(node.bytes)]
  const known = facts.filter((fact) => fact !== '').join(', ')
  const source: Inline[] = node.url === undefined ? [] : [': ', mono(shownUrl(node.url))]
  const note = node.broken ? brokenPicture : 'not included'
  return [paragraph(`${alt}, ${note}`, known === '' ? '' : ` (${known})`, ...source)]
}

/** An address without the bytes that a `data:` address carries. */
function shownUrl(url: string): string {
  return /^\s*data:/i.test(url) ? `${url.trim().slice(0, 40)}…` : url
}
