/** Finds shell prompts, which show who works on which machine, in a text and in the bytes of a rollout. */

/** A shell prompt: who works on which machine, with the offsets of both names in the text. */
export interface Prompt {
  user: string
  userAt: number
  host: string
  hostAt: number
}

const host = /[A-Za-z0-9](?:[\w.-]{0,200}[A-Za-z0-9])?/y

/** How prompts begin before the user and continue after the host: those of bash, Fedora, zsh, fish and others. */
const shapes: readonly { before: RegExp; after: RegExp }[] = [
  { before: /(?:^|[^\w@/.%+-])[+-]{0,2}$/, after: /:(?:~|\/)[^\s$#%]{0,200}[$#%](?=\s|$)/y },
  { before: /(?:^|[\s>+-])\[$/, after: /(?: [^\s\]]{1,80}|:[~/][^\s\]]{0,80})\][$#%](?=\s|$)/y },
  { before: /(?:^|[\r\n])[+-]?(?:\([\w.-]{1,32}\) )?$/, after: / (?:~|[\w./-]{1,80}) [%#$](?=\s|$)/y },
  // A folder with spaces in its name, and a space before the sign.
  { before: /(?:^|[\r\n])[+-]?(?:\([\w.-]{1,32}\) )?$/, after: /:[~/][^\r\n$#%:@"']{0,120}(?:\$| %)(?=\s|$)/y },
  // A prompt of two lines, drawn as a box.
  { before: /[╭┌][─-]{1,3}[[(]{0,2}$/, after: /[\])]?[\s\]─-][^\n]{0,160}\r?\n[+-]?[╰└]/y },
  // The sign of the prompt on a line of its own.
  {
    before: /(?:^|[\s>[(])[+-]?$/,
    after: /(?:[ :][~/][^\r\n]{0,160})?\r?\n[+-]?[$❯➜λ](?=\s|$)/y,
  },
  // Git Bash and MSYS2
  {
    before: /(?:^|[^\w@/.%+-])[+-]{0,2}$/,
    after: / (?:MINGW(?:32|64)|MSYS2?|UCRT64|CLANG(?:64|ARM64)) [~/]/y,
  },
  // PowerShell on another machine
  { before: /(?:^|[\r\n])[+-]?\[$/, after: /\]: PS [^\r\n]{1,200}>/y },
  // Segments that symbols of a font separate.
  { before: /(?:^|[\s\uE0B0-\uE0B3])$/, after: /\s{0,2}[\uE0B0-\uE0B3]\s/y },
  // That of fish, with a branch.
  { before: /(?:^|[\s[(>"'`]|(?:^|[\r\n])[+-])$/, after: / [~/][^\s>]{0,200}(?: \([^()\n]{1,80}\))?[>#](?=\s|$)/y },
]

/** The prompt whose `@` is at an offset of a text, if there is one. */
export function promptAt(text: string, at: number): Prompt | undefined {
  const user = /(?<![\w.-])[A-Za-z_][\w.-]{0,31}$/.exec(text.slice(Math.max(0, at - 33), at))?.[0]
  // `git@forge.example:/shop` is an address.
  const found = user === undefined || user === 'git' ? undefined : matchAt(host, text, at + 1)
  if (user === undefined || found === undefined) return undefined
  const [userAt, hostAt] = [at - user.length, at + 1]
  const before = text.slice(Math.max(0, userAt - 40), userAt)
  const isPrompt = shapes.some(
    (shape) => matchAt(shape.after, text, hostAt + found.length) !== undefined && shape.before.test(before),
  )
  return isPrompt ? { user, userAt, host: found, hostAt } : undefined
}

/** What a sticky pattern matches at an offset. */
export function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0]
}

/** The characters between user and host: that of nearly all shells, and that of Kali. */
export const promptPunctuation = ['@', '㉿'] as const
/** How many bytes of a line are read around such a character, including escapes and colours. */
const around = { before: 160, after: 480 }
const escapes = /\\{1,16}(?:u001[bB]\[[\d;?]{0,40}[A-Za-z]|[nrt"])|"/g

/**
 * The prompts in an unparsed line of a rollout, each as `user@host`. Its texts are JSON strings, some of them with JSON inside.
 */
export function promptsInLine(line: Buffer): readonly string[] {
  let found: string[] | undefined
  for (const sign of signBytes) {
    for (let at = line.indexOf(sign); at !== -1; at = line.indexOf(sign, at + sign.length)) {
      const end = at + sign.length
      if (!isPrompt(line, at, end)) continue
      const before = unescaped(line.toString('utf8', Math.max(0, at - around.before), at))
      const after = unescaped(line.toString('utf8', end, end + around.after))
      const prompt = promptAt(`${before}@${after}`, before.length)
      if (prompt === undefined) continue
      found ??= []
      found.push(`${prompt.user}@${prompt.host}`)
    }
  }
  return found ?? none
}

const signBytes = promptPunctuation.map((sign) => Buffer.from(sign))
const none: readonly string[] = []

const maxHost = 254
/** Bytes that may occur in the names of users and machines. */
const nameBytes = bytesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-')
/** Bytes with which a prompt continues after the machine, or an escape begins. */
const nextBytes = bytesOf(': ])\\')

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(256)
  for (const sign of characters) bytes[sign.charCodeAt(0)] = 1
  return bytes
}

/** Whether the bytes around such a character may be those of a prompt. This check saves decoding most addresses. */
function isPrompt(line: Buffer, at: number, end: number): boolean {
  if (nameBytes[line[at - 1] ?? 0] !== 1) return false
  let next = end
  while (nameBytes[line[next] ?? 0] === 1 && next - end < maxHost) next++
  return nextBytes[line[next] ?? 0] === 1
}

/** Decodes the text of a JSON string, without colours. The end of a string becomes the end of a line. */
function unescaped(text: string): string {
  return text.replace(escapes, (found) => {
    if (found === '"' || /[nr]$/.test(found)) return '\n'
    if (found.endsWith('"')) return '"'
    return found.endsWith('t') ? '\t' : ''
  })
}
