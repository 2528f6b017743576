/** Why something on disk failed, in words that contain no path of the machine. */

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use by another program',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it would be too large',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  EXDEV: 'a part of it is on another disk',
}

/** The code of a system error, for example `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  // Node puts the code there; `in` proves that the property exists.
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether the system refused something. Codes that Node gives to a wrong use of its functions start with `ERR_`. */
export function isSystemError(error: unknown): boolean {
  return /^E(?!RR_)[A-Z0-9]+$/.test(errorCode(error) ?? '')
}

/** Whether the disk or its permissions are at fault, and not the program. */
export function isDiskError(error: unknown): boolean {
  return Object.hasOwn(words, errorCode(error) ?? '')
}

/** A phrase that can follow a colon: the meaning of a system error's code, or else the error's own message. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (code !== undefined) return words[code] ?? code
  return error instanceof Error ? error.message : String(error)
}
