/** A bucket of an object store, or a prefix of one, as a target of `publish`. */

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { contentType } from '../../cli/serve/site-files-fs.ts'
import { ConfigError, UsageError } from '../../diagnostics/errors.ts'
import { defined } from '../../util/own.ts'
import { errorCode } from '../../util/reason.ts'
import type { Store, Upload } from './sync.ts'

/** How the service is reached. Absent values come from the SDK: its environment variables, files and defaults. */
export interface S3Options {
  endpoint?: string
  region?: string
  /** Name the bucket in the path of requests instead of the host name. */
  pathStyle: boolean
  /** Ends requests that are under way, and the waits between attempts. */
  signal?: AbortSignal
  /** Milliseconds without a byte after which an attempt failed (default one minute). */
  silenceMs?: number
}

/** How often a request is sent, unless `AWS_MAX_ATTEMPTS` says otherwise: stores ask to slow down for seconds, not for moments. */
const attempts = 8

type Sdk = typeof import('@aws-sdk/client-s3')

/** Files of more bytes are streamed, and a stream cannot be sent again when the connection breaks. */
const inMemory = 8 << 20

/** Opens a bucket; nothing is sent yet. Throws a `ConfigError` if the SDK is not installed or no region is known. */
export async function openBucket(target: S3Target, options: S3Options): Promise<Store> {
  const sdk = await loadSdk()
  const client = new sdk.S3Client({
    ...defined({ endpoint: options.endpoint, region: options.region }),
    forcePathStyle: options.pathStyle,
    // Stores other than AWS may not support the newer checksums; all support MD5.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(process.env['AWS_MAX_ATTEMPTS'] === undefined && { maxAttempts: attempts }),
    // Without limits, a store or proxy that stops answering would hold the publish forever.
    requestHandler: { connectionTimeout: 15_000, socketTimeout: options.silenceMs ?? 60_000 },
  })
  await requireRegion(client)
  return new BucketStore({ sdk, client, target, ...defined({ signal: options.signal }) })
}

interface BucketInput {
  sdk: Sdk
  client: S3Client
  target: S3Target
  signal?: AbortSignal
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

  /** Lists everything below the prefix, with hashes: a thousand names per request. */
  async probe(): Promise<ReadonlyMap<string, string>> {
    const { sdk, client, target, signal } = this.#input
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
          sending(signal),
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
    const { sdk, client, signal } = this.#input
    return await this.#explained(`read \`${path}\` in ${this.name}`, async () => {
      try {
        const { Body: body } = await client.send(new sdk.GetObjectCommand(this.#at(path)), sending(signal))
        return await body?.transformToString('utf-8')
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    })
  }

  async put({ path, source, size, mark }: Upload): Promise<void> {
    const body = size <= inMemory ? await readWhole(path, source) : createReadStream(source)
    const md5 = Buffer.from(mark, 'hex').toString('base64')
    await this.#send(path, { Body: body, ContentLength: size, ContentMD5: md5 })
  }

  async putText(path: string, text: string): Promise<void> {
    await this.#send(path, { Body: Buffer.from(text) })
  }

  async remove(path: string): Promise<void> {
    const { sdk, client, signal } = this.#input
    await this.#explained(`remove \`${path}\` from ${this.name}`, () =>
      client.send(new sdk.DeleteObjectCommand(this.#at(path)), sending(signal)),
    )
  }

  // Objects are written in one step, without drafts.
  async tidy(): Promise<void> {}

  async close(): Promise<void> {
    this.#input.client.destroy()
  }

  async #send(
    path: string,
    content: Pick<PutObjectCommandInput, 'Body' | 'ContentLength' | 'ContentMD5'>,
  ): Promise<void> {
    const { sdk, client, signal } = this.#input
    const headers = headersOf(path, contentType(path))
    await this.#explained(`write \`${path}\` in ${this.name}`, () =>
      client.send(new sdk.PutObjectCommand({ ...this.#at(path), ...content, ...headers }), sending(signal)),
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
      this.#input.signal?.throwIfAborted()
      throw new UsageError(`Cannot ${what}: ${explainS3Error(error)}.`, { cause: error })
    }
  }
}

function sending(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return defined({ abortSignal: signal })
}

async function readWhole(path: string, source: string): Promise<Buffer> {
  try {
    return await readFile(source)
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') throw cause
    throw new UsageError(`\`${path}\` vanished while it was being published. Publish again.`, { cause })
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

// The headers that an object store keeps with each file.

/** Headers under their names in the S3 interface. */
interface StoredHeaders {
  ContentType: string
  CacheControl: string
  ContentDisposition?: string
}

/**
 * Paths of files that are named by their content, so that a name never gets another content. Sealed parts of a locked
 * site, `assets/….js`, do not match: they are named by their path, and their content changes.
 */
const hashed =
  /^assets\/[\w-]+\.[0-9a-f]{10,}\.(?:js|css)$|^assets\/[0-9a-f]{32,}\.(?!js$)\w+$|^pagefind\/.*\.pf_\w+(?:\.js)?$/

/** Whether a path of the site contains a hash of the file's content. */
export function isNamedByContent(path: string): boolean {
  return hashed.test(path)
}

/** Headers of a file. Browsers keep a file named by its content for good, and ask again for any other. */
export function headersOf(path: string, type: string): StoredHeaders {
  const headers = {
    ContentType: type,
    CacheControl: isNamedByContent(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  // An SVG from a transcript, opened on its own, would be a document that can run scripts.
  if (type.startsWith('image/svg') && path.startsWith('assets/'))
    return { ...headers, ContentDisposition: 'attachment' }
  return headers
}

// Reasons why an object store refused a request, in words.

const reasons: Readonly<Record<string, string>> = {
  AccessDenied: 'access is denied; the credentials must allow listing, reading, writing and deleting there',
  BadDigest: 'the file changed while it was being published; publish again',
  CredentialsProviderError:
    'no credentials were found; provide them as for the AWS tools, for example in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
  ExpiredToken: 'the credentials have expired',
  InvalidAccessKeyId: 'the access key is unknown there',
  NoSuchBucket: 'the bucket does not exist',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  SignatureDoesNotMatch: 'the secret key does not match the access key',
  SlowDown: 'the store asks to send less at once; publish again to complete it',
  TimeoutError: 'no answer came in time; publish again to complete it',
}

/** Errors that mean another region than that of the bucket. */
const regional = ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException', 'PermanentRedirect']

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that address',
  ECONNRESET: 'the connection broke; publish again to complete it',
  ENOENT: 'a file vanished while it was being published; publish again',
  ENOTFOUND: 'the host name is unknown',
  ETIMEDOUT: 'no answer came in time; publish again to complete it',
}

/** Whether an error means that an object does not exist, which stores report differently. A missing bucket does not count. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && error.name !== 'NoSuchBucket' && (error.name === 'NoSuchKey' || statusOf(error) === 404)
  )
}

/** Explains an error in a clause. It contains only names and codes, because a store's messages may quote what was sent. */
export function explainS3Error(error: unknown): string {
  if (!(error instanceof Error)) return 'the store gave no reason'
  // The SDK puts the code of a system error into the error itself or its cause.
  const code = [error, error.cause].flatMap((item) =>
    item instanceof Error && 'code' in item && typeof item.code === 'string' ? [item.code] : [],
  )[0]
  const known = reasons[error.name] ?? (code === undefined ? undefined : codes[code])
  if (known !== undefined) return known
  if (regional.includes(error.name))
    return `the bucket is in another region${regionOf(error)}; give it with \`--region\``
  const status = statusOf(error)
  if (status !== undefined && status < 400)
    return `what answers there is no object store (HTTP ${status}); check \`--endpoint\``
  const said = code ?? error.name
  // Names that the SDK gives to answers without a code, for example those of a proxy.
  if (status !== undefined && /^(?:Error|Unknown|UnknownError)$/.test(said))
    return `the answer is HTTP ${status}; try again later`
  return `the store says ${said}${status === undefined ? '' : ` (HTTP ${status})`}`
}

/** The region that the store names, as a phrase. */
function regionOf(error: Error): string {
  const { Region: named, $response: response } = error as { Region?: unknown; $response?: { headers?: object } }
  const region = named ?? (response?.headers as Record<string, unknown> | undefined)?.['x-amz-bucket-region']
  return typeof region === 'string' && /^[a-z0-9-]{1,40}$/.test(region) ? `, \`${region}\`` : ''
}

/** The HTTP status of the answer, if the SDK recorded it. */
function statusOf(error: Error): number | undefined {
  const facts: unknown = '$metadata' in error ? error.$metadata : undefined
  if (typeof facts !== 'object' || facts === null || !('httpStatusCode' in facts)) return undefined
  return typeof facts.httpStatusCode === 'number' ? facts.httpStatusCode : undefined
}

// The part of an object store that contains a site.

/** A bucket, and the prefix of all keys of the site: empty, or ending in a slash. */
interface S3Target {
  bucket: string
  prefix: string
}

/**
 * Parses `s3://bucket` and `s3://bucket/some/prefix`; `undefined` if the scheme is another or missing. Throws a
 * `UsageError` for an invalid bucket or prefix, without quoting it, because it may contain a password.
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
