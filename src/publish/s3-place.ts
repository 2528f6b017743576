/** The part of an object store that a site lies in. */

/** A bucket and what all keys in it begin with: empty, or ending in a slash. */
export interface S3Place {
  bucket: string
  prefix: string
}

/** Reads `s3://bucket` and `s3://bucket/some/prefix`; `undefined` for anything else. */
export function readS3Place(address: string): S3Place | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,62})(?:\/(.*))?$/i.exec(address) ?? []
  if (bucket === undefined) return undefined
  const parts = path.split('/').filter((part) => part !== '')
  if (parts.some((part) => part === '.' || part === '..' || /[\p{Cc}\\]/u.test(part))) return undefined
  return { bucket, prefix: parts.map((part) => `${part}/`).join('') }
}
