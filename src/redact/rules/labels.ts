/** Values after labels and in calls of single tools and formats, which no general notation reads. */

import type { PatternRule } from '../rule.ts'
import { isMixed, kindsIn } from '../values/letters.ts'
import { isNamedSecret, isSecretOf } from '../values/named-value.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isPassphrase, isRandom, isStrong, isUuid, isWordy } from '../values/randomness.ts'

const unlikeWords = (value: string): boolean => !isPlaceholder(value, true) && !isWordy(value) && isMixed(value)
/** Whether a quoted value, where a call takes a password, is one: not made of words, or with numbers. */
export const plain = (value: string): boolean => unlikeWords(value) || isSecretOf('password', value, 'literal')
/** Whether a value in a sentence about passwords is one: not made of words and of three kinds of characters, or random. */
export const varied = (value: string): boolean =>
  !/\s/.test(value) && ((unlikeWords(value) && kindsIn(value) >= 3) || isSecretOf('password', value, 'loose'))
/** The same where the context leaves no doubt, so that a word with a number is enough. */
export const said = (value: string): boolean =>
  varied(value) || (!/\s/.test(value) && isSecretOf('password', value, 'firm'))
const sure = (value: string): boolean => !isPlaceholder(value, true)
const random = (value: string): boolean => unlikeWords(value) && isRandom(value)
/** Whether a value looks random by itself. */
export const strong = (value: string): boolean => !isPlaceholder(value) && isStrong(value)

/** Whether a text was typed into a password field, by the name of the field: `Password field`, `Confirm password`. */
function isTypedInto(value: string, field: string): boolean {
  return isNamedSecret(
    value,
    field.replace(/(?<![ *:])[ *:]+$|(?: input)?(?: (?:field|input|textbox|text box|box))$/gi, ''),
    'literal',
  )
}

/** Cookies in which frameworks store who is logged in. */
const sessionCookie =
  '(?:PHPSESSID|JSESSIONID|ASP\\.NET_SessionId|CFTOKEN|SAPISID|1PSID|sessionid|connect\\.sid|session-token|_session|remember_token|li_at)'

/** Rules for such labels and calls. */
export const labelRules: readonly PatternRule[] = [
  {
    id: 'wifi-password',
    anchors: ['psk=', 'psk =', 'psk: ', 'PSK "', 'EAP "', 'XAUTH "'],
    pattern: /(?:psk {0,2}[=:] {0,40}"?|(?<=: )(?:PSK|EAP|XAUTH) ")(?<secret>(?![&<])[^\s"]{8,64})/y,
    isSecret: (value) => sure(value) && (!isWordy(value) || isNamedSecret(value, 'password')),
  },
  {
    // A phrase of words between quotes
    id: 'wifi-password',
    anchors: ['psk="', 'psk = "'],
    pattern: /psk ?= ?"(?<secret>[^"\n]{8,63})"/y,
    isSecret: (value) => sure(value) && (/\d/.test(value) || isPassphrase(value)),
  },
  {
    id: 'wifi-password',
    anchors: ['WIFI:', 'Key Content ', '<keyMaterial>', '<sharedKey>'],
    pattern:
      /(?:WIFI:(?:[TSH]:[^;\n]{0,64};){0,3}P:|Key Content {1,20}: |<(?:keyMaterial|sharedKey)>)(?<secret>[^;<\s]{8,64})/y,
    isSecret: sure,
  },
  {
    id: 'session-cookie',
    anchors: [
      ...['PHPSESSID', 'JSESSIONID', 'ASP.NET_SessionId', 'CFTOKEN', 'SAPISID', '1PSID', 'sessionid', 'connect.sid'],
      ...['session-token', '_session=', "_session'", '_session"', 'remember_token', 'li_at='],
    ],
    pattern: new RegExp(`${sessionCookie}["']?[ \\t]?[=:,][ \\t]?["']?(?<secret>[A-Za-z0-9%._~+/=|-]{16,4096})`, 'y'),
    isSecret: random,
    spans: true,
  },
  {
    // `smtp.login("ada", "…")`, `WiFi.begin("home", "…")`
    id: 'call-password',
    anchors: ['login(', 'signIn(', 'sign_in(', 'WiFi.begin(', 'getConnection(', 'authenticate('],
    pattern:
      /(?:login|sign(?:I|_i)n|WiFi\.begin|getConnection|authenticate)\(\s{0,4}(?:["'][^"'\n]{1,120}["']|[\w.]{1,40}),\s{0,4}(?:["'][^"'\n]{1,80}["'],\s{0,4})?["'](?<secret>[^"'\s]{6,256})["']/y,
    isSecret: plain,
  },
  {
    // `ssh.connect("host", 22, "ada", "…")`
    id: 'call-password',
    anchors: ['connect('],
    pattern:
      /connect\(\s{0,4}["'][^"'\n]{1,120}["'],\s{0,4}\d{2,5},\s{0,4}["'][^"'\n]{1,80}["'],\s{0,4}["'](?<secret>[^"'\s]{6,256})["']/y,
    isSecret: plain,
  },
  {
    // A user and a password before they are encoded: `btoa("ada:…")`
    id: 'call-password',
    anchors: ['GetBytes(', 'btoa(', 'b64encode(', 'Buffer.from('],
    pattern: /(?:GetBytes|btoa|b64encode|Buffer\.from)\(b?["'`][\w.@+-]{1,64}:(?<secret>[^"'`\s]{6,256})["'`]/y,
    isSecret: varied,
  },
  {
    // `User.objects.create_user("ada", "ada@x.example", "…")`, `keyring.set_password("service", "ada", "…")`
    id: 'call-password',
    anchors: ['create_user(', 'create_superuser(', 'set_password(', 'Sequelize(', 'FTP(', 'FTP_TLS('],
    pattern:
      /(?:create_(?:super)?user|set_password|Sequelize|FTP(?:_TLS)?)\((?:\s{0,4}(?:["'][^"'\n]{0,120}["']|[\w.]{1,40}),){2}\s{0,4}["'](?<secret>[^"'\s]{6,256})["']/y,
    isSecret: plain,
  },
  {
    // `conn.simple_bind_s("cn=admin", "…")`
    id: 'call-password',
    anchors: ['simple_bind_s(', 'simple_bind('],
    pattern:
      /simple_bind(?:_s)?\(\s{0,4}(?:["'][^"'\n]{1,160}["']|[\w.]{1,40}),\s{0,4}["'](?<secret>[^"'\s]{6,256})["']/y,
    isSecret: plain,
  },
  {
    // What is to be hashed as a password: `bcrypt.hash('…', 10)`
    id: 'call-password',
    anchors: 'bcrypt.hash bcrypt.compare bcrypt.Generate bcrypt.generate argon2.hash( valid_password?('.split(' '),
    pattern:
      /(?:bcrypt\.\w{4,32}|argon2\.hash|valid_password\?)\(\s{0,4}(?:\[\]byte\()?b?["'`](?<secret>[^"'`\s]{6,256})["'`]/y,
    isSecret: said,
  },
  {
    // `hmac.New(sha256.New, []byte("…"))`, `hash_hmac('sha256', $data, '…')`
    id: 'call-secret',
    anchors: ['hmac.New(', 'HMAC.hexdigest(', 'HMAC.digest(', 'HMAC.base64digest(', 'hash_hmac('],
    pattern:
      /(?:hmac\.New|HMAC\.\w{6,12}|hash_hmac)\((?:[^\n,()]{1,80}(?:\([^\n()]{0,40}\))?,\s{0,4}){1,2}(?:\[\]byte\()?["'`](?<secret>[^"'`\s]{12,256})["'`]/y,
    isSecret: random,
  },
  {
    // `new SecretKeySpec("…".getBytes(), "AES")`, `Fernet(b"…")`
    id: 'call-secret',
    anchors: ['SecretKeySpec(', 'Fernet('],
    pattern: /(?:SecretKeySpec|Fernet)\(\s{0,4}b?["'](?<secret>[^"'\s]{12,256})["']/y,
    isSecret: random,
  },
  {
    // `jwt.sign(claims, '…')`
    id: 'call-secret',
    anchors: ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode(', 'AES.encrypt(', 'AES.decrypt(', 'createHmac('],
    pattern:
      /(?:jwt\.\w{4,6}|AES\.\w{4}ypt|createHmac)\([^\n,()]{1,120},\s{0,4}b?["'`](?<secret>[^"'`\s]{8,256})["'`]/y,
    isSecret: (value) => random(value) || isNamedSecret(value, 'secret', 'literal'),
  },
  {
    id: 'call-secret',
    anchors: ['hmac.new('],
    pattern: /hmac\.new\(\s{0,4}b?["'](?<secret>[^"'\s]{12,256})["']/y,
    isSecret: random,
  },
  {
    id: 'vault-key',
    anchors: ['Unseal Key ', 'Recovery Key '],
    pattern: /(?:Unseal|Recovery) Key \d{1,2}(?: \([^)\n]{1,40}\))?: {1,4}(?<secret>[A-Za-z0-9+/]{40,70}={0,2})/y,
    isSecret: isRandom,
  },
  {
    // What a browser tool types into a field: `{"element": "Password field", "ref": "e12", "text": "…"}`
    id: 'form-password',
    anchors: ['"element"', '"name"', '"label"', '"field"', '"selector"', '"placeholder"', '"description"'],
    follows:
      '\\s?:\\s?"[^"\\n]{0,80}(?:[Pp]ass(?:word|code|phrase)|PASSWORD|[Pp]asswor[dt]|[Kk]ennwort|密码|パスワード)',
    pattern:
      /"(?:element|name|label|field|selector|placeholder|description)"\s?:\s?"(?<name>[^"\n]{1,120})",\s{0,40}(?:"\w{1,20}"\s?:\s?(?:"[^"\n]{0,80}"|\w{1,8}),\s{0,40}){0,4}"(?:text|value)"\s?:\s?"(?<secret>[^"\n]{4,256})"/y,
    isSecret: isTypedInto,
  },
  {
    // The same as snapshots of pages show it: `- textbox "Password" [ref=e12]: …`
    id: 'form-password',
    anchors: ['textbox "'],
    follows: '[^"\\n]{0,40}(?:[Pp]ass(?:word|code|phrase|wort)|[Kk]ennwort|密码|パスワード)',
    pattern: /textbox "(?<name>[^"\n]{1,80})"(?: \[[^\]\n]{1,40}\]){0,6}: ?["']?(?<secret>[^\s"']{6,256})/y,
    isSecret: isTypedInto,
  },
  {
    id: 'sql-password',
    anchors: ['PASSWORD FOR ', 'password for '],
    pattern: /(?:PASSWORD FOR|password for) [^\n=]{1,80}= ?(?:PASSWORD\()?'(?<secret>[^'\n]{4,256})'/y,
    isSecret: sure,
  },
  {
    // `{"username": "ada", "key": "…"}`: after a user, what is called a key logs in.
    id: 'named-secret',
    anchors: ['"username', '"user_name', '"userName', '"email', '"login', "'username"],
    pattern:
      /["'](?:user_?[nN]ame|email|login)\\?["']\s{0,4}:\s{0,4}\\?["'][^"'\n\\]{1,80}\\?["']\s{0,4},\s{0,40}\\?["'](?:key|pat|auth)\\?["']\s{0,4}:\s{0,4}\\?["'](?<secret>[\w+/=.-]{16,128})(?=\\?["'])/y,
    isSecret: (value) => /^[0-9a-f]{32,64}$/.test(value) || strong(value),
  },
  {
    id: 'named-secret',
    anchors: ['ParameterKey'],
    pattern:
      /ParameterKey["']?\s{0,2}[:=]\s{0,2}["']?(?<name>\w{1,64})["']?,\s{0,40}["']?ParameterValue["']?\s{0,2}[:=]\s{0,2}["']?(?<secret>[^\s"',]{6,256})/y,
    isSecret: isNamedSecret,
  },
  {
    // `["password"]=>` with `string(14) "…"` below
    id: 'named-secret',
    anchors: ['"]=>'],
    lines: true,
    pattern: /(?<=\["(?<name>[\w-]{1,64}))"\]=>\s{1,40}string\(\d{1,5}\) "(?<secret>[^"\n]{4,256})"/y,
    isSecret: isNamedSecret,
  },
  {
    id: 'named-secret',
    anchors: ['REG_SZ'],
    pattern: /(?<=(?<name>\w{1,64})[ \t]{1,12})REG_SZ[ \t]{1,12}(?<secret>\S{6,256})/y,
    isSecret: isNamedSecret,
  },
  {
    id: 'config-password',
    anchors: (
      'masterauth |bindpw |wpa-psk |rootpw |RootPW: |authtok = |remotepass = |ocommunity |server community |' +
      'AUTH default '
    ).split('|'),
    pattern:
      /(?:masterauth|bindpw|wpa-psk|rootpw|RootPW:|authtok =|remotepass =|ocommunity|server community|AUTH default) (?:--(?:plaintext|iscrypted) )?(?<secret>[^\s"']{6,128})/y,
    isSecret: plain,
  },
  {
    // Routers and switches, where a digit says what kind of key follows: `tacacs-server key 7 …`
    id: 'config-password',
    anchors: ['server key ', 'isakmp key ', 'pre-shared-key ', 'authentication-key ', 'digest-key ', 'key-string '],
    pattern:
      /(?:server key|isakmp key|pre-shared-key(?: (?:local|remote|address \S{1,60} key|ascii-text))?|authentication-key|digest-key \d{1,3} md5|key-string) (?:[0-9] )?"?(?<secret>[^\s"';]{6,128})(?=["';]{0,2}(?:\s|$))/y,
    isSecret: varied,
  },
  {
    // `access-tokens = github.com=…`, as in Nix
    id: 'config-password',
    anchors: ['access-tokens =', 'access-tokens='],
    pattern:
      /access-tokens ?= ?(?:[\w./-]{1,80}=\S{1,256} {1,4}){0,4}[\w./-]{3,80}=(?:PAT:|OAuth2:)?(?<secret>\S{16,512})/y,
    isSecret: plain,
    spans: true,
  },
  {
    // `setenv NAME …`, `Set-Item Env:NAME …`
    id: 'named-secret',
    anchors: ['setenv ', 'SetEnv ', 'Env:', 'env:'],
    follows: '\\\\?[A-Za-z_]\\w{2,80}["\']? ',
    pattern:
      /(?:setenv |SetEnv |[Ee]nv:\\?)(?<name>\w{3,80})["']?(?: {1,3}-Value)? {1,3}["']?(?<secret>[^\s"'`;|&]{6,512})/y,
    isSecret: isNamedSecret,
  },
  {
    // The key of OpenWeatherMap, and what logs in to other services without a header.
    id: 'named-secret',
    anchors: ['appid=', 'APPID=', 'appId=', '?auth=', '&auth='],
    pattern: /(?:(?<=[?&;])(?:appid|APPID|appId)|[?&]auth)=(?<secret>[0-9a-f]{32,64})(?![0-9a-zA-Z])/y,
    isSecret: random,
  },
  {
    // sbt: `Credentials("realm", "host", "ada", "…")`
    id: 'call-password',
    anchors: ['Credentials("', 'Credentials( "'],
    pattern: /Credentials\( ?(?:"[^"\n]{0,120}",\s{0,40}){3}"(?<secret>[^"\s]{6,256})"/y,
    isSecret: plain,
  },
  {
    // Postfix, for a relay: `[host]:port user:password`
    id: 'config-password',
    anchors: [']:587 ', ']:465 ', ']:25 ', ']:2525 '],
    pattern: /\]:\d{2,5} {1,8}[^\s:]{1,80}:(?<secret>\S{6,128})/y,
    isSecret: plain,
  },
  {
    id: 'config-password',
    anchors: ['BUNDLE_'],
    pattern: /BUNDLE_[A-Z0-9_]{2,60}__[A-Z]{2,8}["']?[:=] ?["']?(?<secret>[^\s"']{8,256})/y,
    isSecret: plain,
  },
  {
    id: 'config-password',
    anchors: ['<AutoLogon>', '<Password>', '<AdministratorPassword>'],
    follows: '\\s{0,40}<',
    pattern: /<\w{8,24}>(?:\s{0,40}<Password>)?\s{0,40}<Value>(?<secret>[^<\n]{4,256})<\/Value>/y,
    isSecret: sure,
  },
  {
    id: 'config-password',
    anchors: ['Secret ID', 'SecretID'],
    pattern: /Secret ?ID[ \t]{0,20}[:=][ \t]{1,20}(?<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/y,
    isSecret: sure,
  },
  {
    // How clients log in to Vault's AppRole.
    id: 'config-password',
    anchors: ['secret_id', 'secretId', 'SECRET_ID'],
    pattern:
      /(?:secret_id|secretId|SECRET_ID)["']?(?:[ \t]{2,40}|[ \t]{0,3}[:=][ \t]{0,3})["']?(?<secret>[\w-]{20,64})(?![\w-])/y,
    isSecret: (value) => isUuid(value) || strong(value),
  },
  {
    id: 'config-password',
    anchors: ['::add-mask::', 'github-oauth"', 'gitlab-oauth"', 'gitlab-token"', 'bearer"'],
    pattern:
      /(?:::add-mask::|(?:git(?:hub|lab)-(?:oauth|token)|bearer)"\s{0,2}:\s{0,2}\{\s{0,40}"[\w.-]{3,80}"\s{0,2}:\s{0,2}")(?<secret>[^\s"]{8,512})/y,
    isSecret: plain,
  },
  {
    // The session key of an unlocked vault of Bitwarden or 1Password.
    id: 'session-key',
    anchors: ['BW_SESSION=', 'OP_SESSION_'],
    pattern: /(?:BW_SESSION|OP_SESSION_\w{1,40})=["']?(?<secret>[\w+/=-]{20,256})/y,
    isSecret: random,
  },
  {
    id: 'url-credentials',
    anchors: ['trojan://', 'hysteria2://', 'hy2://', 'anytls://'],
    pattern: /(?:trojan|hysteria2|hy2|anytls):\/\/(?<secret>[^\s@"'`]{6,128})@/y,
    isSecret: (value) => sure(value) && !isWordy(value) && !/\(\?[:<=!]|\[\^/.test(value),
  },
  {
    id: 'url-signature',
    anchors: ['?code=', '&code='],
    pattern: /[?&]code=(?<secret>[\w%+/=.-]{40,1024})/y,
    isSecret: random,
  },
  {
    // What a script of `expect` types.
    id: 'piped-password',
    anchors: ['send "', 'send -- "'],
    pattern: /send (?:-- )?"(?<secret>[^"\s\\]{8,128})(?:\\[rn]|\r?\n)"/y,
    isSecret: varied,
  },
  {
    id: 'stream-key',
    anchors: ['/live2/', '/rtmp/', '/app/live_'],
    pattern: /(?<=rtmps?:\/\/[\w.:-]{3,80})\/(?:live2|rtmp|app)\/(?<secret>[\w-]{16,80})/y,
    isSecret: random,
  },
  {
    id: 'named-secret',
    anchors: ['password: 0x'],
    pattern: /password: 0x[0-9A-F]{8,512} {1,4}"(?<secret>[^"\n]{4,256})"/y,
    isSecret: sure,
  },
  {
    // `NetworkCredential("ada", "…")`
    id: 'call-password',
    anchors: ['NetworkCredential'],
    pattern: /NetworkCredential(?:\]::new)?\(\s{0,4}["'][^"'\n]{1,120}["'],\s{0,4}["'](?<secret>[^"'\s]{6,256})["']/y,
    isSecret: plain,
  },
  {
    // A row of `aws ssm … --output text`
    id: 'typed-secret',
    anchors: ['SecureString\t'],
    pattern: /SecureString\t(?<secret>[^\s\t]{6,512})(?=[\t\n]|$)/y,
    isSecret: sure,
  },
  {
    id: 'config-password',
    anchors: ['PVEAPIToken='],
    pattern: /PVEAPIToken=[^\s=]{3,80}=(?<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/y,
    isSecret: sure,
  },
  {
    // What Cisco routers obfuscate in a way that is publicly known.
    id: 'config-password',
    anchors: ['password 7 ', 'key 7 '],
    pattern: /(?:password|key) 7 (?<secret>[0-9A-F]{10,64})(?!\w)/y,
    isSecret: sure,
  },
  {
    // The key of a service that only its address identifies.
    id: 'url-token',
    anchors: ['?key=', '&key='],
    pattern:
      /(?<=:\/\/[^\s/"'`]{0,60}(?:api|mcp|map)[^\s"'`]{0,300})[?&]key=(?<secret>[0-9a-f]{32,40}|[\w-]{24,64})(?![\w-])/y,
    isSecret: random,
  },
  {
    // MCP servers whose address grants access: `https://…/‹secret›/mcp`, `…/sse`
    id: 'url-token',
    anchors: ['://'],
    follows: '[^\\s/"\'`]{3,80}/(?:[\\w.~@-]{1,24}/){0,6}[\\w+=-]{20,256}/(?:[\\w-]{1,24}/)?(?:mcp|sse)(?![\\w-])',
    pattern:
      /:\/\/[^\s/"'`]{3,80}\/(?:[\w.~@-]{1,24}\/){0,6}(?<secret>[\w+=-]{20,256})\/(?:[\w-]{1,24}\/)?(?:mcp|sse)(?![\w-])/y,
    isSecret: (value) => isUuid(value) || strong(value),
  },
]
