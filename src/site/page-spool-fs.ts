/** Texts that wait for the thread's final numbers: in memory up to a limit, then in a file. */

import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Texts in order, by number. */
export interface PageSpool {
  add: (text: string) => void
  /** Number of texts. */
  count: () => number
  /** The text that was added as number `index`. */
  get: (index: number) => string
  close: () => void
}

/** UTF-16 units that stay in memory. */
const memoryLimit = 4_000_000

/** A spool whose file, where it needs one, lies in `folder()` under a name of its own. */
export function pageSpool(folder: () => string, name: string): PageSpool {
  const places: (string | { start: number; length: number })[] = []
  let kept = 0
  let end = 0
  let file: number | undefined
  return {
    add(text) {
      if (kept + text.length <= memoryLimit) {
        kept += text.length
        places.push(text)
        return
      }
      file ??= openSync(join(folder(), name), 'w+')
      const bytes = Buffer.from(text)
      let written = 0
      while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, end + written)
      places.push({ start: end, length: bytes.length })
      end += bytes.length
    },
    count: () => places.length,
    get(index) {
      const place = places[index]
      if (place === undefined || file === undefined || typeof place === 'string')
        return typeof place === 'string' ? place : ''
      const bytes = Buffer.allocUnsafe(place.length)
      let done = 0
      while (done < place.length) {
        const read = readSync(file, bytes, done, place.length - done, place.start + done)
        if (read === 0) throw new Error('A temporary file ended early')
        done += read
      }
      return bytes.toString('utf8')
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** All texts of a spool in order. */
export function* spooled(spool: PageSpool): Generator<string> {
  for (let index = 0; index < spool.count(); index++) yield spool.get(index)
}
