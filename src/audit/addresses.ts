/** Where an address in a page leads, read as browsers read it. */

/**
 * `inside`: relative, to a file of the site. `web`: to a host. `script`: it runs. `data`: it brings its own content.
 * `machine`: to a file of the reader's machine. `other`: a program such as e-mail takes it.
 */
export type AddressKind = 'inside' | 'web' | 'script' | 'data' | 'machine' | 'other'

/** The address without what browsers leave out of it: control characters around it, tabs and line breaks in it. */
export function trimAddress(address: string): string {
  return address.replace(/^[\x00-\x20]+|[\x00-\x20]+$|[\t\n\r]/g, '')
}

/** Where a trimmed address leads. */
export function addressKind(address: string): AddressKind {
  if (/^[/\\]{2}/.test(address)) return 'web'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return 'inside'
    case 'http':
    case 'https':
    case 'ws':
    case 'wss':
    case 'ftp':
      return 'web'
    case 'javascript':
    case 'vbscript':
      return 'script'
    case 'data':
    case 'blob':
    case 'filesystem':
      return 'data'
    case 'file':
      return 'machine'
    default:
      return 'other'
  }
}

/** The addresses of a `srcset`. */
export function srcsetAddresses(srcset: string): string[] {
  return srcset
    .split(/,\s+|,$/)
    .map((part) => part.trim().split(/\s+/)[0] ?? '')
    .filter((part) => part !== '')
}

/** A picture that a page holds itself, of a format that runs nothing. */
export function isInlinePicture(address: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i.test(address)
}

/** Host of an address for people, without anything that could be secret; empty where it has none. */
export function hostOf(address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}(?:[^/\\?#@]*@)?([a-z0-9.-]{1,255})/i.exec(address)?.[1] ?? ''
}
