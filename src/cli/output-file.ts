/** The product of a command, to a file or to standard output. */

import { type FileHandle, open, rm } from 'node:fs/promises'
import { UsageError } from '../diagnostics/errors.ts'
import { printable } from '../util/printable.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { formatBytes } from '../util/time.ts'
import { shortPath } from './called-as-fs.ts'
import { note, type World } from './world.ts'

type Write = (piece: string | Uint8Array) => Promise<void>

/**
 * Runs `work` with a function that takes its product piece by piece. The file `output` is made when the first piece is
 * there, and removed when not all of them came, and what it holds in the end is said; without a name the pieces go to
 * standard output. Throws `UsageError` for a file that cannot be made.
 */
export async function writeTo<T>(
  output: string | undefined,
  world: World,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  if (output === undefined) return work((piece) => world.stdout.write(piece))
  let file: FileHandle | undefined
  const write: Write = async (piece) => {
    file ??= await create(output)
    await file.writeFile(piece)
  }
  try {
    const result = await work(write)
    // A product without a single byte is a file too.
    await write('')
    const bytes = (await file?.stat())?.size ?? 0
    await file?.close()
    await note(world, `Wrote ${printable(shortPath(output, world.cwd))}: ${formatBytes(bytes)}.\n`)
    return result
  } catch (error) {
    await file?.close()
    if (file !== undefined) await rm(output, { force: true })
    throw error
  }
}

async function create(output: string): Promise<FileHandle> {
  try {
    return await open(output, 'w')
  } catch (cause) {
    const reason = errorCode(cause) === 'ENOENT' ? 'its folder does not exist' : reasonOf(cause)
    throw new UsageError(`Cannot write \`${output}\`: ${reason}.`, { cause })
  }
}
