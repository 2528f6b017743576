/** Pictures inside a page that stands alone. */

/** Bytes of one picture that is put into the page. */
const largest = 2 * 1024 * 1024

/** Pictures on their way into the page. */
export interface PictureShelf {
  /** Takes the bytes of a picture by its asset name. */
  store: (name: string, bytes: Uint8Array) => void
  /** A picture as a `data:` address, each time that it is shown; `undefined` where it is too large or room is out. */
  address: (name: string) => string | undefined
  /** Forgets bytes: the slice that showed them is done. */
  clear: () => void
  /** Pictures that were not given since the last call. */
  leftOut: () => number
}

/** A shelf that gives at most `room` bytes of pictures in all, those first that are asked for first. */
export function pictureShelf(room: number): PictureShelf {
  const pictures = new Map<string, Uint8Array>()
  let left = room
  let missed = 0
  return {
    store(name, bytes) {
      if (bytes.length <= Math.min(largest, left)) pictures.set(name, bytes)
    },
    address(name) {
      const bytes = pictures.get(name)
      if (bytes === undefined || bytes.length > left) {
        missed++
        return undefined
      }
      left -= bytes.length
      const type = name.slice(name.lastIndexOf('.') + 1).replace('jpg', 'jpeg')
      return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
    },
    clear: () => pictures.clear(),
    leftOut() {
      const count = missed
      missed = 0
      return count
    },
  }
}
