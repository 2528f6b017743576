/** Writes the product of a command to standard output, or to a file that ends up either complete or unchanged. */

import { existsSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Home } from '../config/kinds.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots, homesAbove } from '../rollout/discover/homes-fs.ts'
import { belongsTo, sessionFolderAround } from '../rollout/discover/walk-fs.ts'
import { realPath, writeFault } from '../util/files-fs.ts'
import { printable } from '../util/printable.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { formatBytes } from '../util/time.ts'
import { shortPath } from './called-as-fs.ts'
import { note, type World } from './world.ts'

/** Where a product goes, and what the command reads and must not overwrite. */
interface Product {
  /** Absolute path; absent for standard output. */
  output: string | undefined
  /** As given; an empty list means Codex's own home. */
  homes: readonly Home[]
  /** Absolute path of a rollout that is read. */
  source?: string | undefined
}

type Write = (piece: string | Uint8Array) => Promise<void>

/**
 * Runs `work` with a function that takes its product piece by piece. The file gets its name once all pieces are written, and its
 * size is printed. Throws a `UsageError` for a file that cannot be written, or that the command reads.
 */
export async function writeTo<T>(product: Product, world: World, work: (write: Write) => Promise<T>): Promise<T> {
  const { output } = product
  if (output === undefined) return work((piece) => world.stdout.write(piece))
  requireProduct(product, world)
  const { result, bytes } = await writeFileWhole(output, work)
  await note(world, `Wrote ${printable(shortPath(output, world.cwd))}: ${formatBytes(bytes)}.\n`)
  return result
}

/**
 * Throws a `UsageError` if a product cannot be written, as `refuseSources` does or because of its folder. For commands that read
 * much before they write.
 */
export function requireProduct(product: Product, world: World): void {
  refuseSources(product, world)
  const { output } = product
  const fault = output === undefined ? undefined : productFault(output)
  if (fault !== undefined) throw new UsageError(`Cannot write \`${output}\`: ${fault}. Choose another \`--output\`.`)
}

function productFault(output: string): string | undefined {
  try {
    const target = realPath(output)
    const stat = statSync(target, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return 'it is a folder'
    // A pipe or a device is written to directly.
    if (stat !== undefined && !stat.isFile()) return undefined
    return existsSync(dirname(target)) ? writeFault(dirname(target)) : 'its folder does not exist'
  } catch (error) {
    return errorCode(error) === 'ENOTDIR' ? writeFault(dirname(output)) : reasonOf(error)
  }
}

/** Throws a `UsageError` if a product would replace what is read or what Codex keeps in any home, or be among its sessions. */
function refuseSources({ output, homes, source }: Product, { env, homeDir }: World): void {
  if (output === undefined) return
  if (source !== undefined && belongsTo(output, [{ path: source, kind: 'file', label: '' }]))
    throw new UsageError(`\`${output}\` is the file that is read and is not overwritten; name another file.`)
  const roots = homesAbove(output)
  // The homes that the call names, and Codex's own.
  for (const sources of [homes, []])
    try {
      roots.push(...findRoots(sources, { env, homeDir, mayMiss: () => true }).roots)
    } catch (error) {
      // The code that reads them reports it.
      if (!(error instanceof UsageError)) throw error
    }
  if (belongsTo(output, roots))
    throw new UsageError(`\`${output}\` belongs to Codex's sessions and is not overwritten; name another file.`)
  const around = sessionFolderAround(output, roots)
  if (around !== undefined)
    throw new UsageError(
      `\`${output}\` is in \`${around}\`, where Codex keeps its sessions: choose another \`--output\`.`,
    )
}

/**
 * Runs `work` and replaces a file with what it writes, completely or not at all. Throws a `UsageError` if the disk refuses it.
 */
export async function writeFileWhole<T>(
  output: string,
  work: (write: Write) => Promise<T>,
): Promise<{ result: T; bytes: number }> {
  const file = productFile(output)
  try {
    const result = await work(file.write)
    return { result, bytes: await file.finish() }
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** A file that is being written. */
interface ProductFile {
  write: Write
  /** Replaces the old file with it, and returns its size in bytes. */
  finish: () => Promise<number>
  /** Drops it and keeps the old file. */
  discard: () => Promise<void>
}

/** A file that is created under another name when its first piece arrives. A pipe or a device is written to directly. */
function productFile(output: string): ProductFile {
  // A link remains; the file that it points to is written.
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
      // An empty product must create a file too.
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
