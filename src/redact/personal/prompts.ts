/** Shell prompts and e-mail addresses: what stands around an `@`. */

/** A shell prompt: who works on which machine. Places are those of the names in the text. */
export interface Prompt {
  user: string
  userAt: number
  host: string
  hostAt: number
}

/** Part of an address before or behind the `@`: places are those of the whole. */
export interface Address {
  start: number
  end: number
}

const host = /[A-Za-z0-9](?:[\w.-]{0,200}[A-Za-z0-9])?/y

/** How prompts begin before the user and go on behind the host: those of bash, of Fedora and of zsh. */
const shapes: readonly { before: RegExp; after: RegExp }[] = [
  { before: /(?:^|[\s[(>]|(?:^|[\r\n])[+-])$/, after: /:(?:~|\/)[^\s$#%]{0,200}[$#%](?=\s|$)/y },
  { before: /(?:^|[\s>+-])\[$/, after: / [^\s\]]{1,80}\][$#%](?=\s|$)/y },
  { before: /(?:^|[\r\n])[+-]?(?:\([\w.-]{1,32}\) )?$/, after: / (?:~|[\w./-]{1,80}) [%#$](?=\s|$)/y },
]

/** The prompt with its `@` at a place of a text, where one stands there. */
export function promptAt(text: string, at: number): Prompt | undefined {
  const user = /(?<![\w.-])[A-Za-z_][\w.-]{0,31}$/.exec(text.slice(Math.max(0, at - 33), at))?.[0]
  const found = user === undefined ? undefined : matchAt(host, text, at + 1)
  if (user === undefined || found === undefined) return undefined
  const [userAt, hostAt] = [at - user.length, at + 1]
  const before = text.slice(Math.max(0, userAt - 40), userAt)
  const isPrompt = shapes.some(
    (shape) => matchAt(shape.after, text, hostAt + found.length) !== undefined && shape.before.test(before),
  )
  return isPrompt ? { user, userAt, host: found, hostAt } : undefined
}

const local = /(?<![\w.%+-])[\w%+](?:[\w.%+-]{0,62}[\w%+-])?$/
const domain = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}([A-Za-z]{2,24})(?![\w-]|\.\w)/y
/** `icon@2x.png` is a file, and `left-pad@1.3.0.tgz` a package. */
const fileEnds =
  /^(?:png|jpe?g|gif|webp|svg|ico|css|s[ac]ss|[cm]?[jt]sx?|json|html?|md|map|tgz|zip|gz|lock|patch|whl)$/i

/** The e-mail address with its `@` at a place of a text, where one stands there. Addresses of repositories are none. */
export function addressAt(text: string, at: number): Address | undefined {
  const own = local.exec(text.slice(Math.max(0, at - 65), at))?.[0]
  const found = own === undefined ? undefined : matchAt(domain, text, at + 1)
  if (own === undefined || found === undefined) return undefined
  const [start, end] = [at - own.length, at + 1 + found.length]
  const isFile = fileEnds.test(found.slice(found.lastIndexOf('.') + 1)) || /^\d+\.\d/.test(found)
  const isRemote = own === 'git' || /^:\S/.test(text.slice(end, end + 2)) || /[/:]/.test(text.charAt(start - 1))
  return isFile || (isRemote && !/mailto:$/i.test(text.slice(Math.max(0, start - 7), start)))
    ? undefined
    : { start, end }
}

function matchAt(pattern: RegExp, text: string, place: number): string | undefined {
  pattern.lastIndex = place
  return pattern.exec(text)?.[0]
}
