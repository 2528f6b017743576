/** Personal data that shows by its form: home folders and addresses of e-mail. */

/** A part of a text that tells of a person, `end` exclusive. */
export interface PersonalPlace {
  start: number
  end: number
  rule: 'home-folder' | 'email'
}

/** A home folder with its name; routes and addresses such as `https://host/Users/guide` have something before them. */
const home =
  /(?<![\w.$~})%/\\-])(?:file:\/\/)?(?:\/(?:home|Users)\/|\/[a-z]\/Users\/|\/mnt\/[a-z]\/Users\/|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))([A-Za-z_][\w.-]{0,63})/g
/** Names of folders that are nobody's. */
const nobody = /^(?:Shared|Public|Default|All|user|username|name|you|your[-_]?name|me|USER|USERNAME|NAME)$/

const local = /[A-Za-z0-9][\w.+-]{0,63}$/
const domain = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}(?![\w-])/
/** Addresses that are invented, of programs, or of no mailbox. */
const noPerson =
  /^(?:git|hg|svn|npm|no-?reply|noreply\S*|notifications?|you|user|name|me)@|@(?:\S+\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal|users\.noreply\.\S+)$|\.(?:png|jpe?g|gif|svg|webp|ico|css|[cm]?[jt]sx?|json|md|html?|py|rs|go|sh|toml|ya?ml|lock|txt|service|timer|socket|target)$/i

/** The parts of a text that name a home folder or an address of e-mail, in order of kind. */
export function findPersonal(text: string): PersonalPlace[] {
  return [...findHomes(text), ...findEmails(text)]
}

function findHomes(text: string): PersonalPlace[] {
  const found: PersonalPlace[] = []
  for (const { 0: match, 1: name = '', index } of text.matchAll(home)) {
    if (!nobody.test(name)) found.push({ start: index, end: index + match.length, rule: 'home-folder' })
  }
  return found
}

/** Looks around each `@`, for a pattern that begins with a mailbox would try every word of the text. */
function findEmails(text: string): PersonalPlace[] {
  const found: PersonalPlace[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = local.exec(text.slice(Math.max(0, at - 64), at))?.[0]
    const behind = domain.exec(text.slice(at + 1, at + 256))?.[0]
    if (before === undefined || behind === undefined || noPerson.test(`${before}@${behind}`)) continue
    // `user:password@host` is an address of another kind, and a secret.
    if (/[:/]$/.test(text.slice(0, at - before.length).slice(-1))) continue
    found.push({ start: at - before.length, end: at + 1 + behind.length, rule: 'email' })
  }
  return found
}
