/** Which names say that their value is a secret, and how surely; and which bind no value. */

import { detached } from '../../util/json.ts'

/**
 * How surely a name indicates a secret: after `password` a short mixed value is one, after `secret` (tokens, credentials, keys to
 * something) a longer one, after `weak` (`key`, `auth`, `salt`) only what looks random by its form.
 */
export type NameKind = 'password' | 'secret' | 'weak'

/** Words for a password, by language, spelled as in texts. */
export const passwordWords: readonly string[] = [
  'password|passwd|passphrase|passcode|pwd',
  // German, Dutch, Nordic and Baltic languages
  'passwort|kennwort|wachtwoord|lösenord|losenord|adgangskode|passord|lykilorð|salasana|parool|slaptažodis',
  'slaptazodis|parole',
  // Romance languages
  'contraseña|contrasena|contrasenya|clave de acceso|senha|palavra-passe|palavra passe|mot de passe|mot_de_passe',
  'motdepasse|parola|parolă',
  // Slavic languages, Hungarian, Turkish, Greek
  'hasło|haslo|heslo|geslo|lozinka|пароль|парола|лозинка|jelszó|jelszo|şifre|sifre|κωδικός',
  // Asian languages
  'סיסמה|كلمة المرور|پسورد|पासवर्ड|รหัสผ่าน|mật khẩu|kata sandi|kata laluan|密码|密碼|口令|パスワード|비밀번호|گذرواژه',
].flatMap((line) => line.split('|'))

/** Words for a token, or a key that opens something, in other languages. */
export const openerWords: readonly string[] = [
  // German, Dutch, Nordic languages, Hungarian
  'schlüssel|schluessel|zugangscode|zugangsdaten|geheimnis|sleutel|nyckel|nøgle|nøkkel|avain|kulcs',
  // Romance languages: `clé` and the like alone are words of their own
  "jeton|clé api|clé d'api|clé d’api|clé secrète|clé privée|clave|llave api|llave de api|chiave api|chiave segreta",
  'chave api|chave de api|chave da api|chave secreta|segredo|cheie api',
  // Slavic languages, Turkish, Greek
  'klíč|klucz|ключ|токен|секрет|belirteci|anahtarı|κλειδί|διακριτικό',
  // Asian languages
  'مفتاح|رمز الوصول|کلید|رمز عبور|מפתח|कुंजी|คีย์|โทเค็น|khóa api|mã truy cập|kunci api',
  '密钥|密鑰|秘钥|私钥|私鑰|金鑰|令牌|權杖|凭据|凭证|キー|秘密鍵|トークン|シークレット|토큰|시크릿|비밀키|암호|api 키|api키',
].flatMap((line) => line.split('|'))

const oneOf = (list: string): string => `(?:${list.trim().split(/\s+/).join('|')})`

/** `pass` and `pw` count as separate words, or glued to whose password it is: `compass` and `bypass` are ordinary words. */
const shortPassword = new RegExp(
  `_${oneOf(`db my user usr smtp mail email imap ftp sftp admin root ssh proxy http https pg postgres mysql mariadb mongo
    redis ldap login auth key store keystore truststore srcstore deststore srckey destkey sudo wifi vpn svc service account rabbit rabbitmq mq app git
    oracle sql sa bind sys system new old require ansible become vault client server host basic test`)}?_?(?:pass|pw|psw|passwrd|pword|mdp)_(?:\\d+_)?$`,
)
const passwordWord = new RegExp(
  [...passwordWords.map((word) => word.replaceAll(/[ _-]/g, '_')), 'pass_(?:word|phrase|code)'].join('|'),
)

const openerWord = new RegExp(openerWords.map((word) => word.replaceAll(/[ _-]/g, '_')).join('|'))

/** Keys that open something; other keys (`animation-key`) are names of things. */
const secretWord = new RegExp(
  `secret|token|credential|_creds?_|_key_material_|[a-z0-9]_pat_$|authorization_$|${oneOf(`api access auth private priv encryption encrypt signing sign master license
    licence activation account acct storage service admin client consumer app application deploy webhook server shared session jwt
    hmac aes des crypto cipher decrypt decryption write read ingest ingestion integration subscription function user
    machine device root instrumentation security recovery backup customer merchant management personal preshared site
    maps bot rest sdk ssh tls ssl wireguard vapid cookie live test prod`)}_?key(?:_|$)`,
)
const keyWord = /[a-z0-9]_?key_(?:\d+_)?$/
const weakWord =
  /^_key_?\d{0,3}_$|_(?:auth|cookie)_value_$|_auth_$|_(?:set_?)?cookie_$|_session_$|_(?:sas|t?otp|salt|pepper|jwt|bearer|pat|sid|session_?id|code_verifier)_$/

/** A last word that makes the name refer to something about a secret. */
const harmlessEnd = new RegExp(
  `_${oneOf(`names? ids? refs? references? paths? files? filenames? dirs? directory folder urls? uris? hosts? types? kinds?
    arns? counts? counter limits? length len size age expir\\w* ttl versions? hash hashed sha\\d* md5 digest fingerprint
    thumbprint checksum integrity policy policies algorithm alg formats? headers? prefix suffix endpoint labels? fields?
    hints? placeholder status states? usages? budget rate description regex patterns? rules? requirements? required
    enabled disabled strength errors? messages? inputs? prompt reset visible visibility changed updated created at manager
    provider class schema columns? props title button link page forms? colou?r index maps? sets? lists? ring chain frames?
    words press pressed down up bindings? events? owners? scopes? issuer audience env vars? variables? parser lexer stream
    validator validation generator factory rotation lifetime minutes seconds days min max total selector source engine
    encryption encoding hashing accessor present exists valid invalid missing matche?s? modes? methods? flow grant info metadata meta config options?
    params? settings comparator order position prices? costs? symbol family spec mounts? template hook filter callback
    alias curve pairs? nodes? kid extractor window hashers? encoder encryptor strategy chars? characters charset alphabet
    address mint symbol standard balance decimals store backend group scanning bucket offset span line text literal model
    embedding tree dict score history algo scheme iterations rounds checker toggle icon attribute helper process include
    location role santa signatures? sig accounts? timeout interval duration hours attempts? retries delay time timestamp date sha\\d_\\d+`)}_$`,
)
const harmlessKey = new RegExp(
  `_${oneOf(`public pub primary foreign sort partition cache idempotency row hash map object index group grouping
    composite unique host publishable anon react nav menu i18n message locale translation shortcut hot arrow registry merge
    animation routing dedup dedupe deduplication query state lookup natural surrogate business tab entity list item node
    data config feature flag metric label dict attribute attr property prop redis s3 blob file path image asset bucket
    document doc record event error field column col form route theme style icon font answer score enter return escape esc
    modifier space delete any which first last next prev previous this current parent child compare join range shard
    distribution order trace span context job task queue lock mutex limit throttle bind option setting ref meta json yaml
    parameter param variable var dataset table view block widget component section title text name string number alt ctrl
    control shift command cmd sub dir folder reference sync resource template version build artifact restore save computed
    web_?socket normalized canonical start end correlation project issue surrogate verify verification verifying gpg pgp kms peer wrapped encrypted
    ciphertext candidate tag binding topic mutation request response store redux swr atom recoil tree cluster clustering
    bucketing reg txn transaction merkle target source input output origin fragment segment page cell`)}_?key`,
)
const harmlessToken = new RegExp(
  `_${oneOf(`max min total input output prompt completion num count cached cache reasoning next page continuation
    continue csrf_?header cancel cancellation eos bos pad unk mask sep cls stop start special punctuation keyword identifier
    design color colour theme syntax current previous peek n per avg average budget used remaining limit thinking audio text
    image accepted rejected prediction operator comment lex word sync change position paging pagination abort
    injection client_request starting lease fencing resume trace correlation public_key metadata idempotency creation skip
    delta dedup dedupe deduplication ordering watermark contract base quote reward governance lp erc20 nft first last prev
    cur tool think eot watch cursor state receipt`)}_?tokens?_|_tokens_$|tokeni[sz]|_tokens?_${oneOf('per used left in out remaining k s')}_$`,
)
/** Those of them that environment variables use for counts and pointers, too; `SYNC_TOKEN` and `INPUT_TOKEN` open something. */
const harmlessCapitals =
  /_(?:max|min|total|prompt|completion|num|count|cached|next|page|continuation|csrf_?header|eos|bos|pad|unk|mask|sep|cls|punctuation|keyword|identifier|color|colour|syntax|n|per|avg|average|budget|used|remaining|limit|lex|paging|pagination|position)_tokens?_|_tokens_$|tokeni[sz]|_tokens?_(?:per|used|left|in|out|remaining|k|s)_$/
const capitals = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/
/** Names that contain such words but hold no secret. A page that opens with a password contains its salt. */
const harmlessWord =
  /^_search_key_$|(?:captcha|turnstile)_site_?key|^_(?:data_)?site_?key_$|^_(?:next|nuxt|expo|vite)_public_(?:(?!secret)\w)*_key_$|_signingkey_$|^_data_salt_$|key_?code|_codes?_$|keyboard|keyframe|monkey|turkey|hockey|donkey|jockey|whiskey|secretar|passage|passenger|passive|passport|compass|bypass|secrets?_?manager|_(?:first|second|third|last|final|next|previous|one|two|three|single|double|multi|per|each|low|high|band|render|shadow|depth|light\w*|geometry|post\w*|forward|compiler|optimi[sz]\w*|lint|full|dry|base|shader|gbuffer|layer|compute|copy|clear|composite|opaque|transparent|bloom|blur|outline|rush|ski|season|boarding)_pass_$/

/** What makes a request unique for most clouds, but opens something for a few, so the form of the value decides. */
const uniqueToken = /_(?:client|request|execution|lock|mutation|operation|transaction|retry)_token_$/

const kinds = new Map<string, NameKind | ''>()
/** The names of one archive repeat, but a text full of different ones must not fill the memory. */
const maxNames = 4096

/** What a name says about its value, however it is spelled; `undefined` if it indicates no secret. */
export function kindOfName(name: string): NameKind | undefined {
  const known = kinds.get(name)
  if (known !== undefined) return known === '' ? undefined : known
  const kind = judge(normalized(name), capitals.test(name) ? harmlessCapitals : harmlessToken)
  if (kinds.size >= maxNames) kinds.clear()
  // A name is cut from a text of up to a megabyte, which would stay in memory as long as the name does.
  kinds.set(detached(name), kind ?? '')
  return kind
}

/** The singular of a name, and the method that adds a value to the collection. */
const several =
  /^(.*(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|cred|cookie|pat|key))s(\.(?:push|append|add|set|put|insert|unshift|register))?$/i

/**
 * What a plural name says about each value: `apiKeys`, `TOKENS`. `keys` alone names anything, and `tokens` alone words of a text.
 */
export function kindOfMany(name: string): NameKind | undefined {
  const [, one, container = ''] = several.exec(name) ?? []
  if (one === undefined || /^key$/i.test(one)) return undefined
  const kind = kindOfName(one)
  return kind === 'secret' && /^token$/i.test(one) && container === '' ? 'weak' : kind
}

/** `clientSecret`, `CLIENT-SECRET` and `Client Secret` as `_client_secret_`. */
function normalized(name: string): string {
  const split = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
  return `_${split}_`.replaceAll(/[-_. ]+/g, '_')
}

function judge(name: string, noToken: RegExp): NameKind | undefined {
  if (harmlessWord.test(name) || noToken.test(name) || harmlessEnd.test(name)) return undefined
  if (passwordWord.test(name) || shortPassword.test(name)) return 'password'
  if (uniqueToken.test(name)) return 'weak'
  const opens = secretWord.test(name)
  if (harmlessKey.test(name) && !/secret|credential|token/.test(name)) return undefined
  if (opens || openerWord.test(name)) return 'secret'
  if (weakWord.test(name)) return 'weak'
  return keyWord.test(name) ? 'secret' : undefined
}

// Names that bind no value because they are parts of paths: files, images, endpoints, keys of stores.

/** Whether a telling name between two offsets is part of a path. */
export function isPartOfPath(text: string, start: number, end: number): boolean {
  return (
    isFile(text, start, end) || isImage(text, start, end) || isEndpoint(text, start, end) || isInPath(text, start, end)
  )
}

const sourceFile =
  /\.(?:[cm]?[jt]sx?|md|py|rs|go|rb|java|kt|swift|c|h|cpp|cs|php|lua|html|css|scss|vue|ya?ml|toml|json|pem|sh|txt)$/

/** Whether the name is a file: `src/token.js:12:`, `src/token.ts`. */
function isFile(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end)
  if (!name.includes('.')) return false
  if (artifact.test(name)) return true
  if (/["'`)]/.test(text.charAt(end)) && sourceFile.test(name)) return true
  return text[end] === ':' && /^:\d{1,6}(?:[:-]|\s|$)/.test(text.slice(end, end + 9))
}

const imageHead =
  /(?:(?:^|[\s"'`=(,])(?:[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}|localhost)(?::\d{2,5})?\/(?:[a-z\d._-]+\/){0,6}|(?:\b[Ii]mage["']?[ \t]?[:=][ \t]?["']?|FROM (?:--platform=\S{1,40} )?|docker (?:pull|push|run|tag|inspect|rmi) )(?:[\w.:-]+\/){0,6})$/
const imageTag = /^:[\w.-]{1,128}(?:@sha256:|["'`\s,)\]\\]|$)/

/** Whether the name is that of an image followed by its tag: `ghcr.io/ada/token-service:1.4`. */
function isImage(text: string, start: number, end: number): boolean {
  if (text[end] !== ':' || !imageTag.test(text.slice(end, end + 140))) return false
  return imageHead.test(text.slice(Math.max(0, start - 160), start))
}

const addressHead = /:\/\/[^\s"'`]{1,160}\/$/

/** `https://x.internal/oauth/token` before other words of a command, and `checksum/secret: …`. */
function isEndpoint(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== '/') return false
  if (/(?:checksum|hash|digest)\/$/.test(text.slice(Math.max(0, start - 10), start))) return true
  if (!/^["'`]?(?:\s|$)/.test(text.slice(end, end + 2))) return false
  return addressHead.test(text.slice(Math.max(0, start - 170), start))
}

const artifact = /\.(?:tar|t?gz|t?[bx]z2?|zip|whl|jar|deb|rpm|exe|dmg|iso|crate|gem|nupkg|apk)$/

const pathAfter = /^:[A-Za-z][A-Za-z_-]{1,40}:(?=[\w*{<$-])/
const pathBefore = /(?:^|[\s"'`(])[a-z][a-z_-]{1,40}:(?:[a-z_-]{2,40}:)*$/

/** `token:usage:…`, `cache:token:…`: a name in a path of names, as key-value stores use. */
function isInPath(text: string, start: number, end: number): boolean {
  if (text[end] !== ':' || !/^:[\w*{<$-]/.test(text.slice(end, end + 2))) return false
  if (pathAfter.test(text.slice(end, end + 44))) return true
  return (
    text[start - 1] === ':' &&
    !/pass/i.test(text.slice(start, end)) &&
    pathBefore.test(text.slice(Math.max(0, start - 90), start))
  )
}
