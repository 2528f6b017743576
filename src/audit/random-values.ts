/**
 * Random texts behind words that speak of a secret: a net below all rules that know what a key looks like. It shares nothing
 * with redaction, on purpose: what redaction reads in a wrong way, this must not read in the same wrong way.
 */

/** A part of a text that looks like a secret, `end` exclusive. */
export interface RandomValue {
  start: number
  end: number
  rule: 'random-value'
}

/** Words that speak of a secret, also within a longer name: `DB_PASSWORD`, `apiKeyValue`, `client secret`. */
const telling =
  /pass(?:word|wort|wd|phrase|code)|pwd|secret|token|credential|authorization|identified\s+by|sshpass\s+-p|(?<![A-Za-z])(?:auth|pw)(?![a-z])|(?:api|app|access|account|auth|client|encryption|license|master|private|secret|service|shared|signing|storage)[-_. ]?key/gi
/** The rest of a name. `tokens`, `tokenizer` and `secretary` are other words. */
const nameRest = /(?:s(?![A-Za-z])|S(?![A-Za-z])|(?<=[a-z])(?=[A-Z])|(?![A-Za-z]))[\w.-]{0,30}?(?![\w.-])/y
/** What stands between a name and its value: signs, and words that say nothing. */
const between =
  /(?:\\[nrt]|[^A-Za-z0-9]|(?<![A-Za-z0-9])(?:is|was|be|to|of|as|with|the|an?|values?|default|string|text|plain|set|key|by|identified|now|new|basic|bearer|token)(?![A-Za-z0-9])){1,40}/iy
/** A key: letters and digits, with the signs of base64 and of parts. */
const key = /[A-Za-z0-9][A-Za-z0-9+/_=.~-]{18,400}/y
/** A password that a program made: any signs but those that end it. */
const password = /[^\s\p{Cc}"'`<>\u2026\u00AB\u00BB]{10,64}/uy

/** The random values of a text that stand behind telling words, in order. */
export function findRandomValues(text: string): RandomValue[] {
  const found: RandomValue[] = []
  for (const { 0: word, index } of text.matchAll(telling)) {
    const name = endOf(nameRest, text, index + word.length)
    const start = name === undefined ? undefined : endOf(between, text, name)
    if (start === undefined || start <= (found.at(-1)?.start ?? -1)) continue
    // Base64 holds such words too, with nothing but its own signs behind them.
    const gap = text.slice(index + word.length, start)
    if (!/[^\w+/.~-]/.test(gap)) continue
    const end = valueEnd(text, start)
    // A commit on the next line, or further on in a list, is not what the name names.
    const isCommit = end !== undefined && /[\n,]/.test(gap) && /^[\da-f]{40}\b/.test(text.slice(start, start + 41))
    if (end !== undefined && !isCommit) found.push({ start, end, rule: 'random-value' })
  }
  return found
}

/** Where a random value ends that begins at a place. */
function valueEnd(text: string, start: number): number | undefined {
  const keyEnd = endOf(key, text, start)
  if (keyEnd !== undefined && isRandomKey(text.slice(start, keyEnd))) return keyEnd
  const passwordEnd = endOf(password, text, start)
  return passwordEnd !== undefined && isRandomPassword(text.slice(start, passwordEnd)) ? passwordEnd : undefined
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Whether a text of letters, digits and the signs of base64 looks like one that nobody wrote. */
function isRandomKey(run: string): boolean {
  if (/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(run)) return true
  // Ids of threads and turns tell the time: only those of version 4 are random.
  const text = run.replace(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi, '').replace(/=+$/, '')
  if (text.length < 16 || new Set(text).size < 9) return false
  if (/^[\da-f]+$/i.test(text)) return text.length >= 32 && /\d/.test(text) && /[a-f]/i.test(text)
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0
  return letters >= 4 && /\d/.test(text) && changes(text) >= 0.12 && !isOfWords(text)
}

/** Whether a text with signs in it looks like a password that a program made. */
function isRandomPassword(text: string): boolean {
  const body = text.replace(/[.,;:!?)}\]]+$/, '')
  const signs = body.match(/[^A-Za-z0-9]/g)?.length ?? 0
  const isMixed = /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body)
  const isCode = /^u[\dA-Fa-f]{4}|\\[ux]|\$\{|\(\)|=>|::|&&|\|\|/.test(body)
  return isMixed && !isCode && body.length >= 10 && signs <= body.length / 2 && changes(body) >= 0.4 && !isOfWords(body)
}

/** The pairs of letters of which words are made: in a random text one of seven is among them. */
const common = new Set(
  (
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ' +
    'ro ri io ic ne me li co ma ce ho la el ta ec om ca no il ns us di be wi tr ac un so pe lo ut em ge ke ss am ot ol ir ' +
    'ry ey ad mo po id cr im ag ct ie sp pr op ap ck ow ue ai ul ab ay nc sh ch ee ll tt mp rs ts od ex au vi ty ni ys do'
  ).split(' '),
)

/** Whether the letters of a text stand beside each other as in words: `CreateOAuth2TokenCommand`, `x25519.PrivateKey`. */
function isOfWords(text: string): boolean {
  let [pairs, known] = [0, 0]
  for (const [word] of text.matchAll(/[A-Za-z]{2,}/g)) {
    for (let at = 0; at < word.length - 1; at++) if (common.has(word.slice(at, at + 2).toLowerCase())) known++
    pairs += word.length - 1
  }
  return pairs >= 6 && known > pairs * 0.42
}

/** The share of neighbours that are of different kinds: lower case, upper case, digit, sign. */
function changes(text: string): number {
  let count = 0
  for (let at = 1; at < text.length; at++) if (kindOf(text.charCodeAt(at)) !== kindOf(text.charCodeAt(at - 1))) count++
  return count / (text.length - 1)
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 1
  if (code >= 65 && code <= 90) return 2
  return code >= 48 && code <= 57 ? 3 : 4
}
