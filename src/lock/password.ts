/** What counts as a password. Anybody who has the folder of a site may guess as long as he likes. */

/** Characters below which a password is refused, and below which it is warned of. */
const shortest = 10
const advised = 16

/** The password that a file holds: one line end at its end is not part of it. */
export function passwordOf(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '')
}

/** A clause that says why a password is refused, or `undefined`. */
export function refusalOf(password: string): string | undefined {
  if (password.trim() === '') return 'it is empty'
  if (/[\r\n]/.test(password)) return 'it holds more than one line, and a password is typed on one'
  const characters = [...password]
  if (characters.length < shortest) return `the password is shorter than ${shortest} characters`
  if (new Set(characters).size < 5) return 'the password has fewer than five different characters'
  return undefined
}

/** A sentence on a password that is allowed but easy to guess, or `undefined`. */
export function weaknessOf(password: string): string | undefined {
  const { length } = [...password]
  if (length >= advised) return undefined
  return `It has ${length} characters. Take five random words, or ${advised} characters or more.`
}
