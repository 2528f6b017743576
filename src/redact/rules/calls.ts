/** Calls that take a secret without naming it: a table of what is called, which argument it is, and what it is. */

import type { PatternRule } from '../rule.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { plain, said, strong } from './labels.ts'

/** Matches an argument that is not the secret. */
const other = `(?:[rbfu@]{0,2}["'\`][^"'\`\\n]{0,160}["'\`]|[\\w.$:>-]{1,60}(?:\\([^()\\n]{0,80}\\))?)\\s{0,4},\\s{0,40}`
const hex = /^[0-9a-f]{32,128}$/
const isKey = (value: string): boolean => strong(value) || (hex.test(value) && !isPlaceholder(value))

/** Callees by the position of the argument: passwords that are to be hashed; below, keys of clients and ciphers. */
const passwords: Readonly<Record<number, readonly string[]>> = {
  1: (
    'bcrypt Hash::make Hash::check password_hash password_verify generate_password_hash make_password crypt.crypt ' +
    'hashSync compareSync scryptSync pbkdf2Sync Rfc2898DeriveBytes PBKDF2 pwd_context.hash ' +
    'unsafePlainText unsafe_plain_text'
  ).split(' '),
  2: [
    'check_password_hash',
    'pbkdf2_hmac',
    'UsernamePasswordToken',
    'BasicAuthCredentials',
    'username_pw_set',
    'wlan.connect',
    'sta_if.connect',
  ],
  3: ['DirectoryEntry'],
  4: ['ONVIFCamera'],
  5: ['UsernamePasswordCredentialsImpl'],
}
const keys: Readonly<Record<number, readonly string[]>> = {
  1: (
    'SymmetricSecurityKey cookieParser AES.new ChaCha20Poly1305 AESGCM client.run bot.run client.login github.Github ' +
    'cohere.Client Telegraf ApplicationBuilder().token NewTokenSource StaticTokenSource'
  ).split(' '),
  2: ['boto3.Session', 'NewStaticCredentialsProvider', 'twilio.Client', 'Twilio'],
  3: ['Minio', 'ClientSecretCredential', 'NewClientSecretCredential'],
}

function ruleOf(
  id: string,
  position: number,
  callees: readonly string[],
  isSecret: (value: string) => boolean,
): PatternRule {
  const names = callees.map((name) => name.replaceAll(/[.()]/g, '\\$&')).join('|')
  return {
    id,
    anchors: callees.map((name) => `${name}(`),
    pattern: new RegExp(
      `(?<![A-Za-z0-9_])(?:${names})\\(\\s{0,40}(?:${other}){${position - 1}}(?:(?:[\\w.]{1,40}\\.(?:GetBytes|encode|from)|\\[\\]byte)\\()?[rbfu@]{0,2}["'\`](?<secret>[^"'\`\\s]{6,512})["'\`]`,
      'y',
    ),
    isSecret,
  }
}

/** Rules for such calls. */
export const callRules: readonly PatternRule[] = [
  {
    // `new PDO($dsn, 'app', '…')`
    id: 'call-password',
    anchors: 'PDO( PDO-> PDO:: mysqli( mysqli-> mysqli_connect( mysqli_real_connect( mysql_connect('.split(' '),
    pattern:
      /(?:(?:PDO|mysqli)(?:(?:->|::)(?:__construct|connect|real_connect))?|mysqli?_(?:real_)?connect)\((?:\$\w{1,40}, )?(?:\s{0,4}(?:["'][^"'\n]{1,160}["']|\$\w{1,40}),){2}\s{0,4}["'](?<secret>[^"'\s]{6,256})["']/y,
    isSecret: plain,
  },
  ...Object.entries(passwords).map(([position, names]) => ruleOf('call-password', Number(position), names, said)),
  ...Object.entries(keys).map(([position, names]) => ruleOf('call-secret', Number(position), names, isKey)),
]
