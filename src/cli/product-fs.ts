/** The product of a command: to standard output, or to a file that is complete or as it was before. */

import { realpathSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Home } from '../config/kinds.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots, type Root } from '../rollout/discover/homes-fs.ts'
import { belongsTo } from '../rollout/discover/walk-fs.ts'
import { printable } from '../util/printable.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { formatBytes } from '../util/time.ts'
import { shortPath } from './called-as-fs.ts'
import { note, type World } from './world.ts'

/** Where a product goes, and what the command reads: nothing of that is written over. */
export interface Product {
  /** Absolute; standard output where it is absent. */
  output: string | undefined
  /** As given; none means where Codex keeps its own. */
  homes: readonly Home[]
  /** A rollout that is read, absolute. */
  source?: string | undefined
}

type Write = (piece: string | Uint8Array) => Promise<void>

/**
 * Runs `work` with a function that takes its product piece by piece. The file takes its name once all pieces came, and
 * its size is said. Throws `UsageError` for a file that cannot be written, or that the command reads.
 */
export async function writeTo<T>(product: Product, world: World, work: (write: Write) => Promise<T>): Promise<T> {
  const { output } = product
  if (output === undefined) return work((piece) => world.stdout.write(piece))
  refuseSources(product, world)
  const file = productFile(output)
  try {
    const result = await work(file.write)
    await note(world, `Wrote ${printable(shortPath(output, world.cwd))}: ${formatBytes(await file.finish())}.\n`)
    return result
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Throws `UsageError` where a product would take the place of a rollout that is read, or of what Codex keeps. */
export function refuseSources({ output, homes, source }: Product, { env, homeDir }: World): void {
  if (output === undefined) return
  const roots: Root[] = source === undefined ? [] : [{ path: source, kind: 'file', label: '' }]
  try {
    roots.push(...findRoots({ codexHomes: homes, env, homeDir, mayMiss: () => true }).roots)
  } catch (error) {
    // Who reads them says so.
    if (!(error instanceof UsageError)) throw error
  }
  if (belongsTo(output, roots))
    throw new UsageError(`\`${output}\` belongs to Codex's sessions and is not overwritten; name another file.`)
}

/** A file that is being written. */
export interface ProductFile {
  /** Throws `UsageError` where the disk refuses. */
  write: Write
  /** Puts it in the place of what was there, and gives its bytes. */
  finish: () => Promise<number>
  /** Leaves what was there. */
  discard: () => Promise<void>
}

/** A file that is made, under another name, when its first piece comes. What is no regular file, a pipe or a device, is written to. */
export function productFile(output: string): ProductFile {
  const target = realPath(output)
  const before = statSync(target, { throwIfNoEntry: false })
  const isDirect = before !== undefined && !before.isFile()
  const path = isDirect ? target : `${target}.${process.pid}.tmp`
  let file: FileHandle | undefined
  let bytes = 0
  const explained = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step()
    } catch (cause) {
      if (errorCode(cause) === undefined) throw cause
      const isMissing = file === undefined && errorCode(cause) === 'ENOENT'
      const reason = isMissing ? 'its folder does not exist' : reasonOf(cause)
      throw new UsageError(`Cannot write \`${output}\`: ${reason}.`, { cause })
    }
  }
  const write: Write = (piece) =>
    explained(async () => {
      file ??= await open(path, 'w', before === undefined ? 0o666 : before.mode & 0o777)
      await file.writeFile(piece)
      bytes += Buffer.byteLength(piece)
    })
  return {
    write,
    async finish() {
      // A product without a single byte is a file too.
      await write('')
      await explained(async () => {
        await file?.close()
        if (!isDirect) await rename(path, target)
      })
      return bytes
    },
    async discard() {
      await file?.close()
      if (file !== undefined && !isDirect) rmSync(path, { force: true })
    },
  }
}

/** A link stays one: what it leads to is written. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
