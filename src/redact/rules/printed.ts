/** Which commands print secrets, and which files contain nothing but one, by their words and names. */

import type { Binding } from '../values/named-value.ts'
import { kindOfMany, kindOfName } from '../values/names.ts'

/** Programs that print secrets which they store, or which they generate. */
const printing =
  /(?<![\w./-])(?:op (?:read|item get)|(?:go)?pass show|bw get|vault (?:kv get|read)|aws (?:secretsmanager get-secret-value|ssm get-parameters?|ecr get-login-password|codeartifact get-authorization-token|rds generate-db-auth-token)|gcloud (?:secrets versions access|auth (?:application-default )?print-\w{2,10}-token)|az (?:keyvault secret show|account get-access-token)|(?:kubectl|oc|k) [^\n|;]{0,80}(?:get secrets?|extract secret)|security find-(?:generic|internet)-password|secret-tool lookup|(?:gh|glab) auth token|keyring get|chamber read|doppler secrets get|infisical secrets get|sops (?:-d|--decrypt|decrypt)|ansible-vault (?:view|decrypt)|gpg2? [^\n|;]{0,80}(?:-d|--decrypt)|age (?:-d|--decrypt)|argocd admin initial-password|(?:kubectl|oc) create token|oc whoami -t|(?:fly|flyctl) (?:auth token|tokens create)|heroku (?:auth:token|authorizations:create)|cf oauth-token|databricks tokens create|npm token create|rclone reveal|(?:rbw get|lpass show|keepassxc-cli show|dotenvx get|rails secret|mix phx\.gen\.secret|php artisan key:generate)|wg (?:gen(?:key|psk)|show \S{1,20} (?:private|preshared)-keys)|doctl auth token|openssl rand|python3? -c ["'](?:import|from) secrets|pwgen|mkpasswd|apg|xkcdpass)(?![\w-])/
/** What reduces an object to its values, with or without their names. */
const unfolding = /template|jsonpath|custom-columns|base64 (?:-d|-D|--decode)|@base64d|\.(?:stringD|d)ata\b/
/** Words that are followed by what is printed: a variable, a setting, an output of a state. */
const named =
  /(?:(?<![\w./-])(?:printenv|config:get|output -raw|config(?:ure)? get|config --get)[ \t]{1,4}|(?<![\w./-])(?:echo|printf|Write-(?:Output|Host))[ \t][^\n;|&]{0,80}?\$\{?(?:env:)?|(?:^|[;\n])[ \t]{0,4}\$env:|-(?:p|e|pe|c|r)[ \t]{1,2}["']?(?:[^\n"']{0,60}print(?:ln)?\()?(?:process\.env\.|[^\n]{0,40}(?:environ|getenv|ENV)[.getv]{0,5}[[(]["']))["']?(?<name>[A-Za-z_/][\w./:-]{1,80})/g
/** Programs that print files. A single file with another extension than that of a text is source code or the like. */
const reading =
  /(?:(?<![\w./-])(?:cat|head|tail|less|more|bat|type|gc|Get-Content)(?: --?\w[\w-]{0,11}(?:[ =]\d{1,6})?)*[ \t]{1,4}|(?<=[ \t])<[ \t]?)["']?(?<file>[^\s"'<>|;&()]{2,200})(?!>)/g

/** How to judge the lines that a command prints. */
export interface Printed {
  name: string
  /** `loose` for what a program picks out of something else, because that may be anything: only what looks random counts. */
  binding: Binding
  /** The same for values after a key, if a program prints everything that it stores under a name. */
  pairs?: Binding
}

/** Programs that pick something out of files, answers and tables; their words name what they pick. */
const picking =
  /(?<![\w./-])(?:jq|yq|dasel|e?grep|rg|ag|g?awk|sed|cut|psql|mysql|sqlite3|node|deno|bun|python3?|ruby|php|perl|redis-cli|plutil|defaults|xmllint|crudini|\$env:\w{2,80}|Get-ChildItem|gci)(?![\w-])/
/** Programs that print what somebody copied or what an env file contains, whatever that is, and random bytes. */
const unnamed =
  /\.env[\w.]{0,20}["']? {0,3}\| {0,3}(?:cut|g?awk|sed) |(?<![\w./-])(?:cut|g?awk|sed) [^\n|]{1,80}\.env(?![\w/])|\/dev\/u?random[^\n]{0,80}\| {0,3}(?:base64|xxd|od|tr|hexdump|sha\d{1,3}sum|openssl)|(?<![\w./-])(?:pbpaste|xclip -o|xsel|wl-paste|Get-Clipboard)(?![\w-])/
/** How SSH names files of private keys; the public keys next to them end in `.pub`. */
const sshKey = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/
const pickedName = /[A-Za-z_][\w-]{2,60}(?!\.pub\b|[\w-])/g
const maxPicking = 2000

/** How to judge the lines that a command prints; `undefined` if its words suggest no secret. */
export function namesOfPrinted(script: string): Printed | undefined {
  const name = nameOfPrinted(script)
  if (name !== undefined && !printing.test(script)) return { name, binding: 'firm' }
  if (name !== undefined) return { name, binding: 'firm', pairs: unfolding.test(script) ? 'firm' : 'loose' }
  if (script.length > maxPicking) return undefined
  if (unnamed.test(script)) return { name: 'password', binding: 'loose' }
  if (!picking.test(script)) return undefined
  const picked = script.match(pickedName)?.find((word) => isSecretName(word) || sshKey.test(word))
  return picked === undefined ? undefined : { name: sshKey.test(picked) ? 'private_key' : picked, binding: 'loose' }
}

/** The name of a secret that is all that a command prints. */
export function nameOfPrinted(script: string): string | undefined {
  if (printing.test(script)) return 'password'
  for (const { groups } of script.matchAll(named)) {
    const name = groups?.['name'] ?? ''
    if (isSecretName(name)) return name
  }
  for (const { groups } of script.matchAll(reading)) {
    const name = nameOfFile(groups?.['file'] ?? '')
    if (name !== undefined) return name
  }
  return undefined
}

function isSecretName(name: string): boolean {
  const kind = kindOfName(name)
  return kind === 'password' || kind === 'secret'
}

const inSecrets = /(?:^|[\\/])\.?secrets?[\\/][\w-]{1,80}$/

/**
 * The name by which to judge the lines of a file that contains nothing but a secret: `.vault_pass`, `/run/secrets/db`,
 * `token.txt`.
 */
export function nameOfFile(path: string): string | undefined {
  if (/(?:^|[\\/])etc[\\/]passwd/.test(path)) return undefined
  const base = path
    .replace(/^.*[\\/]/, '')
    .replace(/\.key$/i, '_key')
    .replace(/\.(?:txt|pass|pw|secret|token)$/i, '')
  if (inSecrets.test(path)) return 'password'
  if (sshKey.test(base)) return 'private_key'
  if (!/^\.?[\w-]{2,80}$/.test(base)) return undefined
  if (isSecretName(base.replace(/^\./, ''))) return base
  const kind = kindOfMany(base)
  return kind === 'password' || kind === 'secret' ? base.slice(0, -1) : undefined
}
