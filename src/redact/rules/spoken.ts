/** Secrets in sentences: what people write to agents, what agents answer, and what programs print. */

import { none, type Rule, type Secret } from '../rule.ts'
import { tryReachItem } from '../search.ts'
import { isNamedSecret } from '../values/named-value.ts'
import { said, strong, varied } from './labels.ts'

/** A file, perhaps with a line number. Sentences about tokens and keys name the code that handles them. */
const file = /\.[a-zA-Z]{1,5}(?::\d{1,6})*$/

/**
 * Whether a value that a sentence calls a secret is one. A password may be short; anything else must look random, and unlike a
 * name in code.
 */
export const isSaid = (value: string, name = ''): boolean =>
  /^(?:asswor|asscode|pwd)/.test(name) ? said(value) : isNamedSecret(value, 'token', 'loose') && !file.test(value)

const codeLabel = /[a-zA-Z]{5,7}[ _-]?(?:codes|Codes|CODES)[^\n\w]{0,8}\n{0,2}/y
const codeOf =
  /[\s,;|"'`•*[\]-]{0,40}(?:\d{1,2}[.)] {1,3})?["'`]?(?<code>[a-zA-Z0-9]{4,6}-[a-zA-Z0-9]{4,6}(?:-[a-zA-Z0-9]{4,6}){0,3}|\d{4} \d{4}|[a-zA-Z0-9]{8,16})(?![\w-])/dy
/** Fewer in a row are words of a sentence. */
const minCodes = 3
const maxCodes = 32
const maxCode = 80

/** The codes below or after a label, each of which lets in a user who lost a second factor. */
function codesAfter(text: string, offset: number): readonly Secret[] {
  codeLabel.lastIndex = offset
  const length = codeLabel.exec(text)?.[0].length ?? 0
  if (length === 0) return none
  const found: Secret[] = []
  codeOf.lastIndex = offset + length
  while (tryReachItem(found.length, maxCodes, maxCode)) {
    const [start, end] = codeOf.exec(text)?.indices?.groups?.['code'] ?? [0, 0]
    const value = text.slice(start, end)
    if (!/\d/.test(value)) break
    found.push({ start, end, value })
  }
  return found.length < minCodes ? none : found
}

const saidAfter =
  /^ (?:(?:is|was|as) (?:(?:the|my|your|our|its) )?|\((?:that(?:['’]s| is) )?(?:the |my )?)(?:[a-z]{2,12} ){0,2}(?:pass(?:word|phrase|code)?|pw|pwd)(?:(?<end>(?=[^\w\s-]|\s*$|\n| (?:for|of|on|to|and|there|here|now|in|at)\b))|(?![\w-]))/

/** The word before a phrase that calls it a password: `"…" is the password`, `… (that's the password)`. */
function passwordBefore(text: string, offset: number): readonly Secret[] {
  const after = saidAfter.exec(text.slice(offset, offset + 64))
  if (after === null) return none
  const { groups: { quote = '', value = '' } = {} } =
    /(?:^|[\s:(])(?<quote>["'`]?)(?<value>[^\s"'`]{6,128})\k<quote>$/.exec(
      text.slice(Math.max(0, offset - 136), offset),
    ) ?? {}
  const end = offset - quote.length
  // `token2 is the password field` is about a field.
  const isSecret = after.groups?.['end'] === undefined ? varied : said
  return value !== '' && isSecret(value) ? [{ start: end - value.length, end, value }] : none
}

/** Rules for secrets in sentences. */
export const spokenRules: readonly Rule[] = [
  {
    id: 'spoken-key',
    anchors: [
      ...'chlüssel|lé API|lé d|lave de API|lave API|have de API|have da API|have API|hiave API'.split('|'),
      ...['密钥是', '密鑰是', '秘钥是', '金鑰是', '令牌是', '密钥为', '密鑰為', '令牌为'],
      ...['キーは', 'トークンは', 'シークレットは', '키는', '토큰은'],
    ],
    pattern:
      /(?:(?:chlüssel|lé (?:d['’])?API|[lh]ave (?:d[ea] )?API|hiave API)[ \t]{0,2}(?::|ist|lautet|est|es|é|è)[ \t]{1,3}|(?:[密秘][钥鑰]|金鑰|令牌)[是为為]|(?:キー|トークン|シークレット)は|(?:키|토큰)[는은])[\s：:]{0,2}["'`「“]?(?<secret>[!#-&(-_a-~]{10,256}?)(?=["'`」”]|[^!-~]|[.,]?(?:\s|$))/y,
    isSecret: (value) => strong(value) || varied(value),
  },
  {
    id: 'spoken-password',
    anchors: [
      ...['assword è', 'enha é', 'enha e', 'asło to', 'ароль', 'パスワードは', '비밀번호는'],
      ...['密码是', '密碼是', '密码为', '密碼為', '口令是', '密码改成', '密码改为', '密码设为', '密码设置为'],
      ...['用密', '，密', ',密', ' 密', '、密', '；密', '的密'].flatMap((before) => [`${before}码`, `${before}碼`]),
      ...['パスワードを', '비밀번호를'],
    ],
    pattern:
      /(?:assword è|enha [ée]|asło to|ароль(?:(?: [а-я]{1,12}){0,3} [—–-]|(?: [а-я]{1,12}){1,3}:)|パスワード[はを]|비밀번호[는를]|(?:密[码碼]|口令)(?:[是为為]|改[成为]|设(?:置)?为)|[用，,、；的 ]密[码碼])[\s：:]{0,2}["'`「“]?(?<secret>[!-~]{6,128}?)(?=["'`」]|[^!-~]|[.,]?(?:\s|$))/y,
    isSecret: said,
  },
  {
    // `use … as the password`
    id: 'spoken-password',
    anchors: ['use ', 'Use ', 'set ', 'try ', 'Try ', 'enter ', 'typed ', 'with '],
    follows: '["\'`]?[^\\s"\'`]{6,128}["\'`]? (?:as|for) ',
    pattern:
      /[a-zA-Z]{3,5} ["'`]?(?<secret>[^\s"'`]{6,128})["'`]? (?:as|for) (?:(?:the|my|your|its|root|admin|db|new|temporary) ){0,3}(?:pass(?:word|phrase|code)|pw|pwd)(?![\w-])(?! (?:field|column|input|parameter|hash))/y,
    isSecret: said,
  },
  {
    // `type … when it asks for the password`, `answer … at the password prompt`
    id: 'spoken-password',
    anchors: ['use ', 'Use ', 'type ', 'Type ', 'enter ', 'Enter ', 'answer ', 'Answer ', 'give ', 'Give ', 'with '],
    follows: '["\'`]?[^\\s"\'`]{6,128}["\'`]?,? (?:when|if|once|at|to|on|in) ',
    pattern:
      /[a-zA-Z]{3,6} ["'`]?(?<secret>[^\s"'`]{6,128}?)["'`]?,? (?:(?:when|if|once) [^\n.;]{0,40}(?:ask|prompt|want|request)|(?:at|to|on|into|in) (?:the|its|a|any|your) )[^\n.;]{0,24}\b(?:pass(?:word|phrase|code)|pw|pwd)\b(?:(?<=(?:ask|prompt|want|request)[^\n]{0,40})| (?:prompt|field|dialog|question|request)\b)/y,
    isSecret: said,
  },
  {
    id: 'spoken-password',
    anchors: [' is the ', ' is my ', ' is your ', ' was the ', ' was my ', ' as the ', ' as '].concat([
      ...[' (the ', ' (my ', " (that's ", ' (that’s ', ' (that is '],
    ]),
    follows: '(?:(?:the|my) )?(?:[a-z]{2,12} ){0,2}(?:pass|pw)',
    read: passwordBefore,
  },
  {
    id: 'spoken-password',
    anchors: [' (pass', ' (pw)', ' (pwd)'],
    read: passwordBefore,
  },
  {
    // `the password was … but is now …`, `the password is either … or …`
    id: 'spoken-password',
    anchors: ['assword ', 'asscode ', 'assphrase ', 'asswort '],
    follows:
      '(?:(?:is|was|were|are|ist|war) )?(?:(?:either|entweder|one of|maybe|probably|still) )?["\'`]?[^\\s"\'`]{6,64}["\'`]?,? (?:or|oder|but|aber|and|und|now|jetzt)[ :]',
    pattern:
      /ass(?:word|code|phrase|wort) (?:(?:is|was|were|are|ist|war) )?(?:(?:either|entweder|one of|maybe|probably|still) )?["'`]?[^\s"'`]{6,64}["'`]?,? (?:(?:or|oder|but|aber|and|und|now|jetzt):? ){1,2}(?:(?:it|is|it['’]s|ist|now|maybe|jetzt) ){0,3}["'`]?(?<secret>[^\s"'`]{6,128}?)(?=["'`]|[.,]?(?:\s|$))/y,
    isSecret: varied,
  },
  {
    id: 'spoken-password',
    anchors: ['either ', 'entweder '],
    follows: '["\'`]?[^\\s"\'`]{6,64}["\'`]?,? (?:or|oder) ',
    pattern:
      /(?<=ass(?:word|code|phrase|wort) (?:is |was |are |ist |war )?)(?:either|entweder) ["'`]?(?<secret>[^\s"'`]{6,64}?)(?=["'`]?,? (?:or|oder) )/y,
    isSecret: said,
  },
  {
    // A name of a thing or a user in Russian is not a password: only what looks random counts without punctuation before it.
    id: 'spoken-password',
    anchors: ['ароль от ', 'ароль для ', 'ароль к '],
    pattern: /ароль(?: [а-я]{1,12}){1,4} ["'`«]?(?<secret>[!-~]{6,128}?)(?=["'`»]|[.,]?(?:\s|$))/y,
    isSecret: varied,
  },
  {
    id: 'spoken-password',
    // `… is changed to` and `… for … is` are notations of a named value
    anchors: ['assword from', 'assword changed from', 'assword was changed from'],
    pattern: /assword (?:(?:was )?changed )?from[ \t]["'`]?(?<secret>[^\s"'`]{6,128}?)(?=["'`]|[.,]?(?:\s|$))/y,
    isSecret: said,
  },
  {
    // `A temporary password is generated for root@localhost: …`
    id: 'spoken-password',
    anchors: ['assword is generated', 'assword was generated', 'assword generated', 'assword has been'],
    pattern:
      /assword (?:(?:is |was |)generated|has been (?:generated|created|set|reset))(?: (?:for|to) \S{1,80})?:? (?<secret>\S{6,128})/y,
    isSecret: varied,
  },
  {
    // `API key created: …`, `Incorrect API key provided: …`; `key` alone may be one of a database table, which is an id
    id: 'spoken-key',
    anchors: ['key ', 'Key ', 'oken '],
    follows: '(?:created|provided|generated|issued|successfully)',
    pattern:
      /(?:(?<=(?<name>API|api|[Aa]ccess|[Ss]ecret|[Aa]uth)[ _-])[Kk]ey|[Kk]ey|(?<rest>oken))(?: (?:created|provided|generated|issued|successfully)){1,3}:\s{1,8}["'`]?(?<secret>[A-Za-z0-9_.~+/=-]{16,512}?)(?=["'`]|\.?(?:\s|$))/y,
    isSecret: (value, name) => (name === '' ? strong(value) : isNamedSecret(value, 'token')),
  },
  {
    // A label, and the value alone in a line below.
    id: 'spoken-key',
    anchors: [
      ...['assword:', 'assword', 'oken:', 'oken is:', 'key:', 'key is:', 'Key:', 'ecret:', 'installation:'].flatMap(
        (label) => [`${label}\n`, `${label}\r\n`],
      ),
    ],
    pattern:
      /(?:(?:assword|oken(?: is)?|[Kk]ey(?: is)?|ecret):?\**|installation:)(?:\r?\n){1,2}(?:[ \t]{0,8}`{3}\w{0,12}\r?\n)?[ \t]{0,8}`?(?<secret>[!-~]{10,512}?)`?(?=[ \t]*(?:\r?\n|$))/y,
    isSecret: (value) => (strong(value) && !/^[\w.-]{2,80}[=:]/.test(value)) || /^[0-9a-f]{32,128}$/.test(value),
  },
  {
    // `Password for the [elastic] user successfully reset.` with `New value: …` below, or the value alone
    id: 'spoken-password',
    anchors: ['New value: ', 'assword for the '],
    pattern:
      /(?:New value: |assword for the \[?[\w.@-]{1,64}\]? (?:user|account)[^\n]{0,160}:\s{1,8})["'`]?(?<secret>[^\s"'`\\]{8,128})(?=["'`\s\\]|$)/y,
    isSecret: varied,
  },
  {
    // What `elasticsearch-setup-passwords` prints.
    id: 'spoken-password',
    anchors: ['PASSWORD '],
    pattern: /PASSWORD [a-z_]{2,40} = (?<secret>\S{8,128})/y,
    isSecret: varied,
  },
  {
    // `here is the token`, without punctuation at its end
    id: 'spoken-key',
    anchors: ['oken\n', 'key\n', 'Key\n', 'oken created\n', 'ey created\n'],
    pattern: /(?:oken|[Kk]ey)(?: created)?\n{1,2}[ \t]{0,8}`?(?<secret>[!-_a-~]{16,512}?)`?(?=[ \t]*(?:\r?\n|$))/y,
    isSecret: (value) => isSaid(value) && !/^[0-9a-f]+$/i.test(value),
  },
  {
    // `use … as the token`
    id: 'spoken-key',
    anchors: ['use ', 'Use ', 'set ', 'enter ', 'typed ', 'with '],
    follows: '["\'`]?[^\\s"\'`]{16,512}["\'`]? (?:as|for) ',
    pattern:
      /[a-zA-Z]{3,5} ["'`]?(?<secret>[^\s"'`]{16,512})["'`]? (?:as|for) (?:(?:the|my|your|its|an?|new|temporary) ){0,3}(?:(?:API|api|access|auth|bearer|secret|signing|personal) ){0,2}(?:tokens?|keys?|secrets?|credentials?)\b/y,
    isSecret: (value) => isSaid(value),
  },
  {
    // `The API key you gave me (…) works`, `the password I use is …`
    id: 'spoken-key',
    anchors: ['ey', 'oken', 'ecret', 'assword'].flatMap((word) => [' you ', ' I ', ' we '].map((who) => word + who)),
    pattern:
      /(?<name>ey|oken|ecret|assword) (?:you|I|we)(?: [\w'’.-]{1,20}){0,6}(?: ?:| ?\(| is| was)[ \t]{0,2}["'`]?(?<secret>[^\s"'`()]{8,512}?)(?=["'`).,;]{0,3}(?:\s|$))/y,
    isSecret: isSaid,
  },
  {
    // `My password's …`
    id: 'spoken-password',
    anchors: ['assword', 'asscode', 'pwd', 'oken', 'ey'].flatMap((word) => [`${word}'s `, `${word}’s `]),
    pattern:
      /(?<name>assword|asscode|pwd|oken|ey)['’]s (?:now |still |just )?["'`]?(?<secret>[^\s"'`]{6,512}?)(?=["'`]|[.,]?(?:\s|$))/y,
    isSecret: isSaid,
  },
  {
    // `Das Passwort für den Server lautet …`, `La contraseña del servidor es …`
    id: 'spoken-password',
    anchors: [
      ...['asswort', 'ennwort', 'PW'].flatMap((word) =>
        [' für ', ' fuer ', ' zum ', ' zur ', ' vom '].map((to) => word + to),
      ),
      ...['ontraseña', 'lave', 'enha', 'ot de passe'].flatMap((word) =>
        [' de', ' para ', ' pour ', ' do '].map((to) => word + to),
      ),
      'lave es ',
    ],
    pattern:
      /(?:asswort|ennwort|PW|ontraseña|lave|enha|ot de passe)(?: (?:für|fuer|zum|zur|vom|del?|des|do|para|pour) [^\n:=.]{1,60}?)? (?:ist|lautet|war|est?|é)(?: (?:jetzt|nun|ahora|maintenant|agora))? ["'`„«]?(?<secret>[^\s"'`“»]{6,256}?)(?=["'`“»]|[.,]?(?:\s|$))/y,
    isSecret: varied,
  },
  {
    id: 'recovery-code',
    anchors: ['ecovery', 'ackup', 'cratch', 'ECOVERY', 'ACKUP'].flatMap((word) =>
      [' codes', ' Codes', '_codes', '-codes', 'Codes', ' CODES', '_CODES'].map((codes) => word + codes),
    ),
    read: codesAfter,
    lines: true,
  },
]
