/**
 * Keys of wallets, tunnels, second factors and licences, which neither a name nor a form of their own distinguishes from other random
 * texts.
 */

import { createHash } from 'node:crypto'
import type { Rule, Secret } from '../rule.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom } from '../values/randomness.ts'
import { isEd25519Pair } from './forms.ts'
import { seedPhraseRule } from './seed-phrases.ts'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** What a compressed private key in the format of wallets begins with, on the main and on test networks. */
const walletHeads = 'Kw Kx Ky Kz L1 L2 L3 L4 L5 cM cN cP cQ cR cS cT cU cV'.split(' ')

/** Whether text in Base58 ends with the checksum of what precedes it, as keys and addresses of Bitcoin do. */
function hasChecksum(value: string): boolean {
  const number = [...value].reduce((sum, sign) => sum * 58n + BigInt(base58.indexOf(sign)), 0n)
  const digits = number.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  const hash = (data: Buffer): Buffer => createHash('sha256').update(data).digest()
  return hash(hash(bytes.subarray(0, -4)))
    .subarray(0, 4)
    .equals(bytes.subarray(-4))
}

const random = (value: string): boolean => isRandom(value) && !isPlaceholder(value)
const key = '[A-Za-z0-9+/]{43}='

/** What `wg show … dump` prints for an interface or a peer: of its two keys, the private one or the preshared one. */
function readDump(text: string, offset: number): readonly Secret[] {
  const own = text.slice(offset - 43, offset + 1)
  const next = text.slice(offset + 2, offset + 46)
  const before = text.slice(Math.max(0, offset - 45), Math.max(0, offset - 43))
  if (!/^[A-Za-z0-9+/]{43}=$/.test(own) || /[\w/=]$|[^\n]\+$/.test(before)) return []
  const isInterface = /^\t\d{1,5}\t(?:off|0x)/.test(text.slice(offset + 46, offset + 60))
  const [start, value] = isInterface ? [offset - 43, own] : [offset + 2, next]
  return random(value) ? [{ start, end: start + 44, value }] : []
}

/** Rules for such keys. */
export const walletRules: readonly Rule[] = [
  seedPhraseRule,
  {
    id: 'bitcoin-key',
    anchors: walletHeads.flatMap((head) => [...base58].map((sign) => head + sign)),
    follows: `[${base58}]{49}`,
    pattern: new RegExp(`(?<![A-Za-z0-9])[KLc][${base58}]{51}(?![A-Za-z0-9])`, 'y'),
    isSecret: hasChecksum,
  },
  {
    // The older form of a seed of the XRP Ledger, which only its name distinguishes from other texts.
    id: 'ripple-key',
    anchors: ['aster_seed', 'aster seed', 'asterSeed', 'amily_seed', 'amily seed', 'amilySeed', 'MASTER_SEED'],
    pattern: new RegExp(
      `(?:(?:aster|amily)(?:[_ ]s|S)eed|MASTER_SEED)\\\\{0,3}["']?\\s{0,3}[:=,]?\\s{0,3}\\\\{0,3}["']?(?<secret>s[${base58}]{25,30})(?![\\w])`,
      'y',
    ),
    isSecret: random,
  },
  {
    // The private numbers of a key, as `openssl … -text` prints them.
    id: 'private-key',
    anchors: ['priv:', 'privateExponent:', 'prime1:', 'prime2:', 'exponent1:', 'exponent2:', 'coefficient:'],
    follows: '[ \\t]*\\r?\\n',
    pattern:
      /(?:priv|privateExponent|prime[12]|exponent[12]|coefficient):[ \t]{0,8}\r?\n[ \t|>+-]{0,40}(?<secret>(?:[0-9a-f]{2}:(?:[ \t]{0,8}\r?\n[ \t|>+-]{0,40})?){12,2048}[0-9a-f]{2})(?![\w:])/y,
    isSecret: (value) => random(value.replaceAll(/[^0-9a-f]/g, '')),
    spans: true,
  },
  {
    // The same in XML
    id: 'private-key',
    anchors: ['<D>', '<P>', '<Q>', '<DP>', '<DQ>', '<InverseQ>'],
    pattern: /<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,40}(?<secret>[A-Za-z0-9+/]{40,2048}={0,2})\s{0,40}<\//y,
    isSecret: random,
  },
  {
    id: 'wireguard-key',
    anchors: Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (sign) => `=\t${sign}`),
    follows:
      '[A-Za-z0-9+/]{42}=\\t(?:\\d{1,5}\\t(?:off|0x)|(?:\\(none\\)|[\\d.:a-f[\\]]{3,60})\\t[^\\t\\n]{3,400}\\t\\d)',
    read: readDump,
  },
  {
    id: 'wireguard-key',
    anchors: ['private-key ', 'preshared-key '],
    pattern: new RegExp(
      `(?:private|preshared)-key <\\((?:echo|printf)(?: -\\w| ["']?%s["']?)? {1,2}["']?(?<secret>${key})`,
      'y',
    ),
    isSecret: random,
  },
  {
    // The signing key of a Nix store: `cache.internal-1:…`, a seed and its public key. Signatures have the same length.
    id: 'nix-key',
    anchors: [
      ...Array.from({ length: 10 }, (_, digit) => `-${digit}:`),
      ...['org:', 'com:', 'net:', 'dev:', '.io:', 'ache:', 'ocal:'],
    ],
    follows: '[A-Za-z0-9+/]{86}==',
    pattern: /[\w.-]{3,4}:(?<secret>[A-Za-z0-9+/]{86}==)(?![\w+/=])|-\d:(?<single>[A-Za-z0-9+/]{86}==)(?![\w+/=])/y,
    isSecret: (value) => isEd25519Pair([...Buffer.from(value, 'base64')]),
  },
  {
    // `new Wallet("0x…")`, `Keypair.fromSecretKey(bs58.decode("…"))`
    id: 'call-secret',
    anchors: ['Wallet(', 'from_key(', 'privateKeyToAccount(', 'privateKeyToAddress(', 'fromSecretKey(', 'SigningKey('],
    pattern:
      /(?:Wallet|from_key|privateKeyToA\w{6}|fromSecretKey|SigningKey)\(\s{0,4}(?:[\w.]{1,24}\()?["'`](?<secret>(?:0x)?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})["'`]/y,
    isSecret: random,
  },
  {
    // The keys that a test chain prints below its accounts, and those in its settings.
    id: 'private-key',
    anchors: [') 0x', 'accounts: [', 'accounts = [', 'PK=', 'ecret seed'],
    pattern:
      /(?:(?<=\(\d{1,3})\) |accounts(?::| =) \[\s{0,40}["']|(?<![A-Za-z])PK=["']?|ecret seed:?[ \t]{1,20})(?<secret>0x[0-9a-fA-F]{64})(?![0-9a-fA-F])/y,
    isSecret: random,
  },
  {
    // What activates Windows and other programs: five groups of five.
    id: 'licence-key',
    anchors: 'roduct key|roduct Key|roductKey|RODUCT KEY|RODUCT_KEY|roduct_key|erial number|erial Number'.split('|'),
    pattern:
      /(?:roduct[ _]?[kK]ey|RODUCT[ _]KEY|erial [nN]umber)["'`]?(?:[ \t]{0,24}(?:[:=>]|is|\/ipk)){0,2}[ \t]{0,3}["'`]?(?<secret>(?:[A-Z\d]{5}-){4}[A-Z\d]{5})(?![\w-])/y,
    isSecret: (value) => /[A-Z]\d|\d[A-Z]/.test(value) && new Set(value).size > 8,
  },
  {
    id: 'otp-secret',
    anchors: ['otpauth-migration://'],
    pattern: /otpauth-migration:\/\/\w{1,20}\?data=(?<secret>[\w%+/=-]{20,4096})/y,
    isSecret: random,
  },
  {
    // The key that generates the codes of a second factor: typed instead of scanned, or in a call.
    id: 'otp-secret',
    anchors: (
      'TOTP(|HOTP(|manually|etup key|etup code|ntry key|TOTP secret|TOTP key|2FA secret|2FA key|MFA secret|' +
      'nter this |nter the '
    ).split('|'),
    pattern:
      /(?:[TH]OTP\(\s{0,4}["']|(?:nter th(?:is|e) (?:following |secret |setup ){0,2}(?:key|code)[^\n:]{0,60}(?=:)|manually|etup (?:key|code)|ntry key|TOTP (?:secret|key)|[2M]FA (?:secret|key))(?: is)?[:=]?\s{1,8}["'`*]{0,2})(?<secret>[A-Z2-7]{16,64}|(?:[a-zA-Z2-7]{4}[ -]){3,15}[a-zA-Z2-7]{4})(?![\w-])/y,
    isSecret: (value) => /[2-7]/.test(value) && isRandom(value.replaceAll(/[ -]/g, '')),
  },
]
