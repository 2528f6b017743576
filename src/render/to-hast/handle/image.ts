/** Pictures, from the site's own assets only. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Image } from '../../../model/trast.ts'
import { assetPath, relativeLink } from '../../../model/urls.ts'
import { formatBytes } from '../../../util/time.ts'
import { literal } from '../../literal.ts'
import { stamp } from '../parts.ts'
import type { State } from '../state.ts'

const origins: Readonly<Record<Image['origin'], string>> = {
  attached: 'Attached image',
  generated: 'Generated image',
  viewed: 'Viewed image',
  tool: 'Image from a tool',
}

/** What may stand in an asset's name; anything else was not made by us. */
const assetName = /^[\w-]+(?:\.[\w-]+)+$/

/** A figure that opens the whole picture, or a note of what is missing. */
export function image(node: Image, state: State): ElementContent[] {
  const title = origins[node.origin]
  const facts = [node.mediaType, size(node), node.bytes === undefined ? undefined : formatBytes(node.bytes)]
  const from = [node.url, ...facts].filter((fact) => fact !== undefined).join(' · ')
  const caption = h('figcaption', {}, `${title}${from === '' ? '' : ': '}`, literal(from))
  const source = addressOf(node, state)
  if (source === undefined) {
    return [h('figure', { id: node.id, className: ['item', 'image', 'missing'] }, stamp(node, state), caption)]
  }
  const box = node.width === undefined || node.height === undefined ? {} : { width: node.width, height: node.height }
  const picture = h('img', { src: source, alt: node.alt ?? title, loading: 'lazy', decoding: 'async', ...box })
  return [
    h(
      'figure',
      { id: node.id, className: ['item', 'image'] },
      stamp(node, state),
      h('a', { href: source }, picture),
      caption,
    ),
  ]
}

/** A file of the site, or what the context gives for a page that stands alone. */
function addressOf({ asset }: Image, { context, path }: State): string | undefined {
  if (asset === undefined || !assetName.test(asset)) return undefined
  return context.picture === undefined ? relativeLink(path, assetPath(asset)) : context.picture(asset)
}

function size(node: Image): string | undefined {
  return node.width === undefined || node.height === undefined ? undefined : `${node.width} × ${node.height}`
}
