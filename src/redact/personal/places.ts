/** Where a name stands for a user: the same letters elsewhere are a word like any other. */

/** A place by what stands right before and right behind the name. */
interface Place {
  before: RegExp
  after: RegExp
}

/** Lines of a diff have a sign before them. */
const lineStart = /(?:^|[\r\n])[+-]?$/
const anything = /^/

const places: readonly Place[] = [
  // Before a host, but not in an e-mail address: that is for a rule of its own.
  { before: /(?:^|[\s"'`([{<=,;|]|(?:^|[\r\n])[+-])$/, after: /^@(?:[\w-]+(?![\w.-])|[\w.-]{1,250}:[^\s])/ },
  { before: /\b(?:USER|LOGNAME|USERNAME|SUDO_USER)["']?[=:]\s{0,2}["']?$/, after: /^(?![\w-])/ },
  // `uid=1000(ada) gid=1000(ada)`
  { before: /[=,]\d{1,10}\($/, after: /^\)/ },
  // Owner and group of a long listing.
  { before: /[rwxsStT-]{9}[.+@]?\s{1,4}\d{1,6}\s{1,4}(?:[\w.-]{1,32}\s{1,8})?$/, after: /^\s/ },
  // A line of its own: what `whoami` prints.
  { before: lineStart, after: /^\s*?(?:\r?\n|$)/ },
  // The first column of a list of processes.
  { before: lineStart, after: /^\s{1,16}\d{1,8}\s{1,6}\d{1,3}\.\d\s/ },
  { before: /\b(?:su(?: -l?)?|sudo -u|chown(?: -[A-Za-z]{1,4})?|--user|--owner)[ =]$/, after: /^(?![\w.-])/ },
  { before: /\bchown(?: -[A-Za-z]{1,4})? [\w.-]{1,32}:$/, after: /^(?![\w.-])/ },
  { before: /(?:^|[\s"'`=:(])~$/, after: /^(?![\w.-])/ },
  // A folder whose name is a path with its slashes replaced.
  { before: /-(?:home|Users)-$/, after: anything },
]

/** Characters that end a path, seen from its end. */
const outside = /[\s"'`<>()[\]{}=:,;|*?]/

/** How a path on Windows begins; a user's name may hold blanks. */
const windowsPath = /(?<!\w)[A-Za-z]:(?:[\\/]Users[\\/][^\\/:*?"<>|\r\n]{1,64} )?$/i

/** Characters before and behind a name that decide. */
const reach = 96

/** Whether the name from `start` to `end` of a text stands for a user. */
export function isUserPlace(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - reach), start)
  const after = text.slice(end, end + reach)
  return isPathPart(before, after) || places.some((place) => place.before.test(before) && place.after.test(after))
}

/** Whether a name is a whole part of an absolute path. Parts of addresses are none. */
function isPathPart(before: string, after: string): boolean {
  if (!/[/\\]$/.test(before) || /^(?:[\p{L}\p{N}_~-]|\.[\p{L}\p{N}_])/u.test(after)) return false
  let begin = before.length
  while (begin > 0 && !outside.test(before.charAt(begin - 1))) begin--
  if (begin === 0 && before.length === reach) return false
  const outer = before.slice(0, begin)
  const path = before.slice(begin).replace(lineStart.test(outer) ? /^[+-]/ : '', '')
  if (windowsPath.test(outer)) return true
  return !/[\])}]$/.test(outer) && /^(?:\/(?!\/)|~[\w.-]*[/\\])/.test(path)
}
