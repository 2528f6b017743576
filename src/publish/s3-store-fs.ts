/** A bucket of an object store, or a part of one, as a place to publish to. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { ConfigError, UsageError } from '../diagnostics/errors.ts'
import { defined } from '../util/defined.ts'
import { errorCode } from '../util/reason.ts'
import { headersOf } from './headers.ts'
import { explainS3Error, isMissing } from './s3-errors.ts'
import type { S3Place } from './s3-place.ts'
import type { Store, Upload } from './store.ts'

/** How the service is reached. What is absent comes from the SDK: its environment variables, files and defaults. */
export interface S3Options {
  endpoint?: string
  region?: string
  /** The bucket stands in the path of requests and not in the host name. */
  pathStyle: boolean
  /** Type of a file by its path. */
  contentType: (path: string) => string
}

type Sdk = typeof import('@aws-sdk/client-s3')

/** Larger files are sent as a stream, which cannot be sent a second time when the line breaks. */
const inMemory = 8 << 20

/** Opens a bucket. Throws a `ConfigError` where the SDK is not installed or knows no region; nothing is sent yet. */
export async function openBucket(place: S3Place, options: S3Options): Promise<Store> {
  const sdk = await loadSdk()
  const client = new sdk.S3Client({
    ...defined({ endpoint: options.endpoint, region: options.region }),
    forcePathStyle: options.pathStyle,
    // Stores of other makers do not know the newer checksums; MD5 they all know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  await requireRegion(client)
  return new BucketStore({ sdk, client, place, contentType: options.contentType })
}

interface BucketInput {
  sdk: Sdk
  client: S3Client
  place: S3Place
  contentType: (path: string) => string
}

class BucketStore implements Store {
  readonly markKind = 'md5'
  readonly parallel = 8
  readonly #input: BucketInput

  constructor(input: BucketInput) {
    this.#input = input
  }

  get name(): string {
    const { bucket, prefix } = this.#input.place
    return `\`s3://${bucket}/${prefix}\``
  }

  /** Lists everything below the prefix: a thousand names a request, and the hashes with them. */
  async look(): Promise<ReadonlyMap<string, string>> {
    const { sdk, client, place } = this.#input
    const marks = new Map<string, string>()
    let token: string | undefined
    do {
      const page = await this.#explained(`list ${this.name}`, () =>
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket: place.bucket,
            Prefix: place.prefix,
            ...defined({ ContinuationToken: token }),
          }),
        ),
      )
      for (const { Key: key = '', ETag: tag = '' } of page.Contents ?? []) {
        if (key.startsWith(place.prefix)) marks.set(key.slice(place.prefix.length), tag.replaceAll('"', ''))
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
    const { sdk, client, contentType } = this.#input
    const headers = headersOf(path, contentType(path))
    await this.#explained(`write \`${path}\` in ${this.name}`, () =>
      client.send(new sdk.PutObjectCommand({ ...this.#at(path), ...content, ...headers })),
    )
  }

  #at(path: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#input.place
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
      'No region is set: name it by `--region`. Stores that are not of AWS take `us-east-1` or `auto`; their manual tells which.',
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
      '`publish s3` sends by the package `@aws-sdk/client-s3`, which is not installed: run `npm install @aws-sdk/client-s3`.',
      { cause },
    )
  }
}
