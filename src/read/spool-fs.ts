/** A stream of bytes made readable at random: in memory while it is small, else in a temporary file. */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ByteBuilder } from '../util/byte-builder.ts'
import { reasonOf } from '../util/reason.ts'
import { descriptorSource } from './file-source-fs.ts'
import { type ByteSource, bufferSource, VanishedFileError } from './source.ts'

/** Where and how far to spool. */
export interface SpoolOptions {
  /** Gives an existing folder for temporary files; asked only when one is needed. */
  spoolDir: () => string
  /** Up to here the bytes stay in memory. */
  memoryBytes: number
  /** More bytes than this are an error: a small file must not fill the disk. */
  maxBytes: number
}

/**
 * Collects a stream. A stream that breaks off after some bytes gives a source with `damage`; one that gives nothing
 * throws its error. Leaves no temporary file behind when it throws.
 */
export async function spool(chunks: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<ByteSource> {
  const sink = new Spool(options)
  let damage: string | undefined
  try {
    for await (const chunk of chunks) sink.write(chunk)
  } catch (error) {
    if (sink.failed || sink.size === 0 || error instanceof VanishedFileError) {
      sink.discard()
      throw error
    }
    damage = reasonOf(error)
  }
  return sink.finish(damage)
}

class Spool {
  readonly #options: SpoolOptions
  readonly #memory = new ByteBuilder()
  #file: { fd: number; path: string } | undefined
  size = 0
  /** The error came from writing, not from the stream. */
  failed = false

  constructor(options: SpoolOptions) {
    this.#options = options
  }

  write(chunk: Uint8Array): void {
    this.failed = true
    this.size += chunk.length
    if (this.size > this.#options.maxBytes) {
      throw new Error(`it expands to more than the limit of ${this.#options.maxBytes} bytes`)
    }
    if (this.size <= this.#options.memoryBytes) this.#memory.append(chunk)
    else this.#spill(chunk)
    this.failed = false
  }

  finish(damage: string | undefined): ByteSource {
    const file = this.#file
    if (file === undefined) return bufferSource(this.#memory.view(), damage)
    return descriptorSource(file.fd, this.size, () => rmSync(file.path, { force: true }), damage)
  }

  discard(): void {
    if (this.#file === undefined) return
    closeSync(this.#file.fd)
    rmSync(this.#file.path, { force: true })
    this.#file = undefined
  }

  #spill(chunk: Uint8Array): void {
    if (this.#file === undefined) {
      const path = join(this.#options.spoolDir(), `rollout-${randomUUID()}.spool`)
      // Transcripts are private: no other user of the machine may read the copy.
      this.#file = { fd: openSync(path, 'wx+', 0o600), path }
      writeAll(this.#file.fd, this.#memory.view())
    }
    writeAll(this.#file.fd, chunk)
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
}
