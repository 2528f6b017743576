/** Turns pictures of a transcript into files named by their content. */

import { imageSize } from 'image-size'
import type { PictureFact } from '../rollout/parse/facts.ts'
import type { Asset, AssetSink } from '../transcript/slice.ts'
import { sha256 } from '../util/hash.ts'
import { ownValue } from '../util/own.ts'
import { withoutMetadata } from './picture-metadata.ts'

/** Formats that a page shows. SVG is not among them, because it can contain scripts. */
const formats: Readonly<Record<string, { mediaType: string; extension: string }>> = {
  png: { mediaType: 'image/png', extension: 'png' },
  jpg: { mediaType: 'image/jpeg', extension: 'jpg' },
  gif: { mediaType: 'image/gif', extension: 'gif' },
  webp: { mediaType: 'image/webp', extension: 'webp' },
}

/**
 * A sink that passes each picture's bytes to `store` under its name, without metadata unless it `keepsMetadata`. The format is
 * read from the bytes, whatever the record claims. A picture whose metadata cannot be separated from the rest is not stored.
 */
export function assetSink(
  store: (name: string, bytes: Uint8Array) => void,
  { keepsMetadata = false }: { keepsMetadata?: boolean } = {},
): AssetSink {
  return (picture) => {
    const recorded = bytesOf(picture)
    if (recorded === undefined) return undefined
    const { format, width, height } = measure(recorded)
    if (format === undefined) return { bytes: recorded.length, mediaType: claimedType(picture) }
    const bytes = keepsMetadata ? recorded : withoutMetadata(recorded)
    if (bytes === undefined) return { bytes: recorded.length, mediaType: format.mediaType, broken: true }
    const name = `${sha256(bytes).slice(0, 32)}.${format.extension}`
    store(name, bytes)
    const asset: Asset = { asset: name, bytes: bytes.length, mediaType: format.mediaType }
    if (width !== undefined && height !== undefined) Object.assign(asset, { width, height })
    return asset
  }
}

function bytesOf({ data, base64 }: PictureFact): Buffer | undefined {
  if (base64 !== undefined) return decode(base64)
  const match = data === undefined ? null : /^data:[^,]{0,200};base64,/.exec(data)
  return match === null || data === undefined ? undefined : decode(data.slice(match[0].length))
}

function decode(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === 0 ? undefined : bytes
}

function measure(bytes: Uint8Array): { format?: (typeof formats)[string]; width?: number; height?: number } {
  try {
    const { type, width, height } = imageSize(bytes)
    const format = type === undefined ? undefined : ownValue(formats, type)
    return format === undefined ? {} : { format, width, height }
  } catch {
    return {}
  }
}

function claimedType({ data, mediaType }: PictureFact): string {
  return mediaType ?? /^data:([\w.+/-]{1,80})[;,]/.exec(data ?? '')?.[1] ?? 'application/octet-stream'
}
