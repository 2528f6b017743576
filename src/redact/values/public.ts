/** What is public or the name of something, by its form: digests, public keys, encrypted data, addresses, paths, keys to press. */

import { isColour, isIdentifier, spokenLetters } from './code-shapes.ts'
import { kindsIn } from './letters.ts'
import { isWordy, isWordyPart } from './randomness.ts'

const digest = /^(?:[\w.-]{1,128}@)?(?:sha(?:1|224|256|384|512)|md5|blake[23]\w?)[-:=]/i
/**
 * What only a key stored elsewhere opens, by its form: sops and eyaml, jasypt, ansible-vault, Vault's transit engine, Spring's
 * `{cipher}`, blobs of AWS KMS, sealed secrets, age and OpenPGP messages, dotenvx. It is meant to be kept in public.
 */
const ciphertext =
  /^(?:ENC\[[A-Z0-9_]{3,16},|ENC\([\w+/=-]{12,}\)?$|\$ANSIBLE_VAULT;\d|vault:v\d{1,4}:[\w+/=]{16}|\{cipher\}[\w+/=]{16}|AQICAH[\w+/]{40}|Ag[A-D][\w+/]{200}|-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)|(?:wc[BF]MA|hQ[EI]MA|hF4D|wV4D)[\w+/]{60}|YWdlLWVuY3J5cHRpb24|age-encryption\.org|encrypted:B[\w+/=]{60})/
/**
 * What is public by its form: the heads of public keys in DER and of OpenSSH, also after a host as in `known_hosts`, recipients of
 * age and minisign, elliptic-curve signatures in DER.
 */
const publicKey =
  /^(?:(?:[^\s"'`]{1,200} )?(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA|MFkwEwYHKoZIzj0C|MHYwEAYHKoZIzj0C|MIGbMBAGByqGSM49|MIGfMA0GCSqGSIb3DQEBAQUAA4G|MII[BC]IjANBgkqhkiG9w0BAQEFAAOC|MCowBQYDK2V[uw]|AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|G3NrLX|InNrLW)|age1[02-9ac-hj-np-z]{58}$|RW[QRST][\w+/]{53}$|ME[QUY]CI[A-D,Q][\w+/]{60,140}={0,2}$)/
const instant = /^\d{8,14}Z$|^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
/** Versions of programs and packages: `v2.1.0-rc.3+g1a2b3c4`, `3.3.3-1~bpo12+1`, `7.25.3(@babel/core@7.25.2)`. */
const version =
  /^v?\d{1,4}(?:\.\d{1,4}){1,3}(?:(?:[-+~.](?:[a-z]{1,8}\d{0,4}|\d{1,4}|g?[0-9a-f]{7,12})){1,6}|(?:\(@?[\w./-]{1,80}@[^()\s]{1,80}(?:\([^()\s]{1,160}\))*\)){1,9})$/
/** The cost parameters of a hash, without the hash: `$argon2id$v=19$m=65536`. */
const hashCost = /^\$(?:argon2(?:id?|d)|scrypt|pbkdf2-\w{1,8})\$(?:v=\d{1,3}\$?)?(?:[a-z]{1,2}=\d{1,8}[,$]?){0,4}$/
/** A scheme is a word in lowercase, or in capitals; a host or a path follows it. */
const address =
  /^(?:(?:[a-z][a-z+.-]{0,20}\d?[a-z+.-]{0,12}|[A-Z][A-Z+.-]{1,20}\d?):\/\/(?:[\w[{$<%/.~*@:-]|$)|data:[a-z]+\/[a-z0-9.+-]+[;,])/
/** An address on a blockchain; keys have 64 digits. */
const account = /^0x[0-9a-fA-F]{40}$/
const path = /^(?:~|\.{0,2})\/|^[A-Za-z]:\\/

/** Whether the form of a value shows that it is encrypted. */
export function isCiphertext(value: string): boolean {
  return ciphertext.test(value)
}

/** Whether a value is known to be public: a digest, a public key, encrypted data, a path or an address, a number. */
export function isPublic(value: string): boolean {
  return (
    ciphertext.test(value) ||
    publicKey.test(value) ||
    instant.test(value) ||
    isTokenHead(value) ||
    digest.test(value) ||
    address.test(value) ||
    account.test(value) ||
    version.test(value) ||
    hashCost.test(value) ||
    isPath(value) ||
    isColour(value) ||
    /^[\d.,:+/-]+%?$|^(?:ORA|TNS|PLS|SP2|AADSTS)-?\d{4,7}$/.test(value)
  )
}

const tokenHead = /^eyJ([\w-]*)(?:\.{3}|…)?$/
const headFields = /^\{"(?:alg|typ|kid|enc|cty|zip|jku|x5[tcu]|crit|b64)"/

/** Whether a value is the head of a signed token without the rest, which reveals only the algorithm. */
export function isTokenHead(value: string): boolean {
  const body = tokenHead.exec(value)?.[1]
  return body !== undefined && headFields.test(Buffer.from(`eyJ${body}`, 'base64url').toString('latin1'))
}

/** Whether a value is a path. A path consists of names of folders; a password may begin with a slash. */
function isPath(value: string): boolean {
  if (!path.test(value)) return false
  const [first = '', ...rest] = value.replace(path, '').split(/[\\/]/)
  const isFolder = isWordy(first) && (kindsIn(first) < 2 || spokenLetters(first) * 2 >= first.length)
  return isFolder && (rest.length > 0 || first.length > 2)
}

/**
 * Qualified names in code: `app.models.Argon2Hasher`, `std::fs::read2`. Two parts are too few, because a password may be made of
 * them.
 */
const qualified = /^[A-Za-z_]\w*(?:(?:\.|::|->|\\{1,2})[A-Za-z_]\w*){2,}$/
const identifiers = /[A-Za-z_]\w*/g

/** Whether a value is the name of something in a module, a class or a namespace. */
export function isQualifiedName(value: string): boolean {
  return (
    qualified.test(value) && (value.match(identifiers) ?? []).every((name) => isIdentifier(name) || isWordyPart(name))
  )
}

const digests = /(?<=[-_:./])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})(?=[-_:./]|$)/g

/** Whether a value is words with digests among them, beginning with a word, as in cache keys: `modules-linux-x64-9f86d0…`. */
export function isNamedDigest(value: string): boolean {
  const words = value.replaceAll(digests, '')
  return words.length < value.length && isWordy(words)
}

const chord =
  /^(?:(?:ctrl|control|cmd|command|alt|option|opt|shift|meta|super|win|mod|hyper|fn|[cmsa])[+-])+(?:\w{1,12}|\S)$/i

/** Whether a value is a key combination: `Ctrl+Shift+F12`. */
export function isChord(value: string): boolean {
  return chord.test(value)
}

const filePath = /^[\w@%+-][\w.@%+-]*(?:\/[\w.@%+-]+)+\.[a-z][a-z\d]{1,4}$/

/** Whether a value is a file in folders, as keys of object stores are: `avatars/9fKq.png`. */
export function isFileInFolder(value: string): boolean {
  return filePath.test(value) && isWordy(value.slice(0, value.indexOf('/')))
}
