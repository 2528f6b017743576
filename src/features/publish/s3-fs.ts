/** A bucket of an object store, or a part of one, as a place to publish to. */

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { contentType } from '../../cli/serve/site-files-fs.ts'
import { ConfigError, UsageError } from '../../diagnostics/errors.ts'
import { defined } from '../../util/own.ts'
import { errorCode } from '../../util/reason.ts'
import type { Store, Upload } from './sync.ts'

/** How the service is reached. What is absent comes from the SDK: its environment variables, files and defaults. */
export interface S3Options {
  endpoint?: string
  region?: string
  /** The bucket stands in the path of requests and not in the host name. */
  pathStyle: boolean
}

type Sdk = typeof import('@aws-sdk/client-s3')

/** Larger files are sent as a stream, which cannot be sent a second time when the line breaks. */
const inMemory = 8 << 20

/** Opens a bucket. Throws a `ConfigError` where the SDK is not installed or knows no region; nothing is sent yet. */
export async function openBucket(target: S3Target, options: S3Options): Promise<Store> {
  const sdk = await loadSdk()
  const client = new sdk.S3Client({
    ...defined({ endpoint: options.endpoint, region: options.region }),
    forcePathStyle: options.pathStyle,
    // Stores of other makers do not know the newer checksums; MD5 they all know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  await requireRegion(client)
  return new BucketStore({ sdk, client, target })
}

interface BucketInput {
  sdk: Sdk
  client: S3Client
  target: S3Target
}

class BucketStore implements Store {
  readonly markKind = 'md5'
  readonly parallel = 8
  readonly #input: BucketInput

  constructor(input: BucketInput) {
    this.#input = input
  }

  get name(): string {
    const { bucket, prefix } = this.#input.target
    return `\`s3://${bucket}/${prefix}\``
  }

  /** Lists everything below the prefix: a thousand names a request, and the hashes with them. */
  async probe(): Promise<ReadonlyMap<string, string>> {
    const { sdk, client, target } = this.#input
    const marks = new Map<string, string>()
    let token: string | undefined
    do {
      const page = await this.#explained(`list ${this.name}`, () =>
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket: target.bucket,
            Prefix: target.prefix,
            ...defined({ ContinuationToken: token }),
          }),
        ),
      )
      for (const { Key: key = '', ETag: tag = '' } of page.Contents ?? []) {
        if (key.startsWith(target.prefix)) marks.set(key.slice(target.prefix.length), tag.replaceAll('"', ''))
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
    return marks
  }

  async read(path: string): Promise<string | undefined> {
    const { sdk, client } = this.#input
    return await this.#explained(`read \`${path}\` in ${this.name}`, async () => {
      try {
        const { Body: body } = await client.send(new sdk.GetObjectCommand(this.#at(path)))
        return await body?.transformToString('utf-8')
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    })
  }

  async put({ path, source, size, mark }: Upload): Promise<void> {
    const body = size <= inMemory ? await readFile(source) : createReadStream(source)
    const md5 = Buffer.from(mark, 'hex').toString('base64')
    await this.#send(path, { Body: body, ContentLength: size, ContentMD5: md5 })
  }

  async putText(path: string, text: string): Promise<void> {
    await this.#send(path, { Body: Buffer.from(text) })
  }

  async remove(path: string): Promise<void> {
    const { sdk, client } = this.#input
    await this.#explained(`remove \`${path}\` from ${this.name}`, () =>
      client.send(new sdk.DeleteObjectCommand(this.#at(path))),
    )
  }

  async close(): Promise<void> {
    this.#input.client.destroy()
  }

  async #send(
    path: string,
    content: Pick<PutObjectCommandInput, 'Body' | 'ContentLength' | 'ContentMD5'>,
  ): Promise<void> {
    const { sdk, client } = this.#input
    const headers = headersOf(path, contentType(path))
    await this.#explained(`write \`${path}\` in ${this.name}`, () =>
      client.send(new sdk.PutObjectCommand({ ...this.#at(path), ...content, ...headers })),
    )
  }

  #at(path: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#input.target
    return { Bucket: bucket, Key: prefix + path }
  }

  async #explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw new UsageError(`Cannot ${what}: ${explainS3Error(error)}.`, { cause: error })
    }
  }
}

async function requireRegion(client: S3Client): Promise<void> {
  try {
    await client.config.region()
  } catch (cause) {
    throw new ConfigError(
      'No region is set: give it with `--region`. Stores other than AWS take `us-east-1` or `auto`; see their manual.',
      { cause },
    )
  }
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ConfigError(
      '`publish s3` needs the package `@aws-sdk/client-s3`, which is not installed: run `npm install @aws-sdk/client-s3`.',
      { cause },
    )
  }
}

// Headers that an object store keeps with each file.

/** Headers in the names of the S3 interface. */
export interface StoredHeaders {
  ContentType: string
  CacheControl: string
  ContentDisposition?: string
}

/**
 * Files that are named by their content: the same name never holds anything else. Sealed parts of a locked site,
 * `assets/….js`, are named by their path and hold something new after each change.
 */
const hashed =
  /^assets\/[\w-]+\.[0-9a-f]{10,}\.(?:js|css)$|^assets\/[0-9a-f]{32,}\.(?!js$)\w+$|^pagefind\/.*\.pf_\w+(?:\.js)?$/

/** Whether a path of the site holds a hash of the file's content. */
export function isNamedByContent(path: string): boolean {
  return hashed.test(path)
}

/** Headers of a file: what is named by its content is kept for good, everything else is asked for again. */
export function headersOf(path: string, type: string): StoredHeaders {
  const headers = {
    ContentType: type,
    CacheControl: isNamedByContent(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  // Out of a transcript and opened by itself, it would be a document that may run scripts.
  if (type.startsWith('image/svg') && path.startsWith('assets/'))
    return { ...headers, ContentDisposition: 'attachment' }
  return headers
}

// Why an object store refused, in words.

const reasons: Readonly<Record<string, string>> = {
  AccessDenied: 'access is denied; the credentials must allow listing, reading, writing and deleting there',
  AuthorizationHeaderMalformed: 'the region does not match the bucket; give it with `--region`',
  BadDigest: 'the file changed while it was being published; publish again',
  CredentialsProviderError:
    'no credentials were found; provide them as for the AWS tools, for example in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
  ExpiredToken: 'the credentials have expired',
  InvalidAccessKeyId: 'the access key is unknown there',
  NoSuchBucket: 'the bucket does not exist',
  PermanentRedirect: 'the bucket is in another region; give it with `--region`',
  SignatureDoesNotMatch: 'the secret key does not match the access key',
}

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that address',
  ECONNRESET: 'the connection broke; publish again to complete it',
  ENOTFOUND: 'the host name is unknown',
  ETIMEDOUT: 'no answer came in time',
}

/** Whether there is no such object: stores name it differently. A bucket that is not there is another matter. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && error.name !== 'NoSuchBucket' && (error.name === 'NoSuchKey' || statusOf(error) === 404)
  )
}

/** A clause that says why. Only names and codes are told: messages of a store may quote what was sent. */
export function explainS3Error(error: unknown): string {
  if (!(error instanceof Error)) return 'the store gave no reason'
  // The SDK puts system errors into `code` of the error or of its cause.
  const code = [error, error.cause].flatMap((item) =>
    item instanceof Error && 'code' in item && typeof item.code === 'string' ? [item.code] : [],
  )[0]
  const known = reasons[error.name] ?? (code === undefined ? undefined : codes[code])
  const status = statusOf(error)
  return known ?? `the store says ${code ?? error.name}${status === undefined ? '' : ` (HTTP ${status})`}`
}

/** Status of the answer, where the SDK puts it. */
function statusOf(error: Error): number | undefined {
  const facts: unknown = '$metadata' in error ? error.$metadata : undefined
  if (typeof facts !== 'object' || facts === null || !('httpStatusCode' in facts)) return undefined
  return typeof facts.httpStatusCode === 'number' ? facts.httpStatusCode : undefined
}

// The part of an object store that a site lies in.

/** A bucket and what all keys in it begin with: empty, or ending in a slash. */
interface S3Target {
  bucket: string
  prefix: string
}

/**
 * Reads `s3://bucket` and `s3://bucket/some/prefix`; `undefined` where another scheme or none is meant. Throws a `UsageError`
 * for a bucket or prefix that does not fit, without its text, which may hold a password.
 */
export function readS3Target(address: string): S3Target | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/i.exec(address) ?? []
  if (bucket === undefined) return undefined
  if (!/^[a-z0-9][a-z0-9._-]{2,62}$/i.test(bucket))
    throw new UsageError(
      'The bucket in `--to` has no valid name: expected 3 to 63 letters, digits, dots, hyphens and underscores, first a letter or digit.',
    )
  const parts = path.split('/').filter((part) => part !== '')
  if (parts.some((part) => part === '.' || part === '..' || /[\p{Cc}\\]/u.test(part)))
    throw new UsageError('The prefix in `--to` is not valid: expected parts other than `.` and `..`, without `\\`.')
  return { bucket, prefix: parts.map((part) => `${part}/`).join('') }
}
