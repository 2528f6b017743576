/** Pictures, from the site's own assets only. */

import type { ElementContent } from 'hast'
import type { Image } from '../../../transcript/trast.ts'
import { assetPath, relativeLink } from '../../../transcript/urls.ts'
import { formatBytes } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { brokenPicture } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { fold, isCollapsed, plainStamp } from './parts.ts'
import type { State } from './state.ts'

const origins: Readonly<Record<Image['origin'], string>> = {
  attached: 'Attached image',
  generated: 'Generated image',
  viewed: 'Viewed image',
  tool: 'Image from a tool',
}

/** The form of an asset's name; any other name was not made by us. */
const assetName = /^[\w-]+(?:\.[\w-]+)+$/

/** A figure that opens the full-size picture, or a note about a missing one. */
export function image(node: Image, state: State): ElementContent[] {
  const title = origins[node.origin]
  const facts = [node.mediaType, size(node), node.bytes === undefined ? undefined : formatBytes(node.bytes)]
  const source = addressOf(node, state)
  const note = source === undefined ? omissionNote(node, state) : undefined
  const about = facts.filter((fact) => fact !== undefined).join(' · ')
  // For a picture, size and type are only small print; for a missing one they are part of the caption.
  const details = [node.url, ...(source === undefined ? [about, note] : [])].filter(
    (fact) => fact !== undefined && fact !== '',
  )
  const caption = h('figcaption', {}, [
    ...literal(details.length === 0 ? title : `${title}: ${details.join(' · ')}`),
    source === undefined || about === '' ? undefined : h('small', {}, literal(` · ${about}`)),
  ])
  const name = ['item', ...(source === undefined ? ['image', 'missing'] : ['image'])]
  const shown = source === undefined ? undefined : h('a', { className: ['shot'], href: source }, picture(node, source))
  if (isCollapsed(node) && shown !== undefined)
    return [
      h(
        'figure',
        { id: node.id, className: name },
        plainStamp(node, state),
        fold({ what: title, quiet: true }, [shown, caption]),
      ),
    ]
  return [h('figure', { id: node.id, className: name }, plainStamp(node, state), shown, caption)]
}

/** Largest size of a picture on the page, in CSS pixels; a click opens the full size. */
const box = { width: 736, height: 480 }

/** The picture with its displayed size, so that nothing moves when it has loaded. */
function picture({ alt, origin, width, height }: Image, source: string): ElementContent {
  const shared = { src: source, alt: alt ?? origins[origin], loading: 'lazy', decoding: 'async' } as const
  if (width === undefined || height === undefined || width <= 0 || height <= 0) return h('img', shared)
  const scale = Math.min(1, box.width / width, box.height / height)
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  return h('img', { ...shared, ...size })
}

/** A file of the site, or for a standalone page what the context returns. */
function addressOf({ asset }: Image, { context, path }: State): string | undefined {
  if (asset === undefined || !assetName.test(asset)) return undefined
  return context.picture === undefined ? relativeLink(path, assetPath(asset)) : context.picture(asset)
}

/** A note that identifies a picture for which a standalone page has no space, by the hash in the name of its asset. */
function omissionNote({ asset, broken }: Image, { context }: State): string | undefined {
  if (broken) return brokenPicture
  if (asset === undefined || context.picture === undefined) return undefined
  return `left out of this file, SHA-256 begins with ${asset.split('.')[0]}`
}

function size(node: Image): string | undefined {
  return node.width === undefined || node.height === undefined ? undefined : `${node.width} × ${node.height}`
}
