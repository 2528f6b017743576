/** Invented secrets of many kinds, assembled when a test runs, so that no file of the project contains one. */

import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'

/** A secret as it occurs in sessions: what must not survive, and a line that contains it. */
export interface Planted {
  kind: string
  /** The rule that finds it. */
  rule: string
  /** The part that must be in no output. */
  secret: string
  /** The secret with the text around it. */
  text: string
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const digits = '23456789'
const alnum = letters + digits
const hex = '0123456789abcdef'
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Characters that look random but are the same in each run. */
export function noise(seed: number, length: number, from: string = alnum): string {
  let state = seed * 2_654_435_761 + 12_345
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += from[(state >>> 12) % from.length]
  }
  return text
}

type Maker = (seed: number) => { secret: string; text?: string }

/** A token with a distinctive prefix. */
const token =
  (prefix: readonly string[], length: number, from?: string): Maker =>
  (seed) => ({ secret: `${prefix.join('')}${noise(seed, length, from)}` })

/** A value that only the text around it marks as a secret. */
const around =
  (before: string, length: number, after = '', from?: string): Maker =>
  (seed) => {
    const secret = noise(seed, length, from)
    return { secret, text: `${before}${secret}${after}` }
  }

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const base64Url = (text: string): string => Buffer.from(text).toString('base64url')

function keyBlock(seed: number, kind: string): string {
  const lines = [0, 1, 2, 3].map((line) => noise(seed + line, 64))
  return [`-----${'BEGIN'} ${kind}-----`, ...lines, `-----${'END'} ${kind}-----`].join('\n')
}

const block =
  (kind: string): Maker =>
  (seed) => ({ secret: noise(seed + 1, 64), text: keyBlock(seed, kind) })

const jwt: Maker = (seed) => {
  const secret = noise(seed, 43)
  const parts = [base64Url('{"alg":"HS256","typ":"JWT"}'), base64Url(`{"sub":"${noise(seed, 12)}"}`)]
  return { secret, text: [...parts, secret].join('.') }
}

const encodedBlock: Maker = (seed) => {
  const text = base64(keyBlock(seed, 'OPENSSH PRIVATE KEY'))
  return { secret: text.slice(100, 160), text }
}

const discord: Maker = (seed) => {
  const secret = noise(seed + 1, 38)
  return { secret, text: [base64Url('112233445566778899'), noise(seed, 6), secret].join('.') }
}

const uuid: Maker = (seed) => {
  const part = (at: number, length: number): string => noise(seed + at, length, hex)
  const secret = [part(0, 8), part(1, 4), part(2, 4), part(3, 4), part(4, 12)].join('-')
  return { secret, text: `"account_id": "${secret}"` }
}

const makers: readonly (readonly [kind: string, rule: string, make: Maker])[] = [
  ['OpenAI', 'openai-key', token(['s', 'k-'], 48)],
  ['OpenAI project', 'openai-key', token(['s', 'k-proj-'], 120)],
  ['OpenAI service account', 'openai-key', token(['s', 'k-svcacct-'], 80)],
  ['Anthropic', 'anthropic-key', token(['s', 'k-ant-api03-'], 93)],
  ['OpenRouter', 'openrouter-key', token(['s', 'k-or-v1-'], 64, hex)],
  ['Hugging Face', 'huggingface-token', token(['h', 'f_'], 34)],
  ['xAI', 'xai-key', token(['xa', 'i-'], 80)],
  ['Groq', 'groq-key', token(['gs', 'k_'], 52)],
  ['Perplexity', 'perplexity-key', token(['ppl', 'x-'], 48)],
  ['Replicate', 'replicate-token', token(['r', '8_'], 37)],
  ['NVIDIA', 'nvidia-key', token(['nva', 'pi-'], 64)],
  ['LangSmith', 'langsmith-key', token(['lsv2', '_pt_'], 43)],
  ['Google', 'google-key', token(['AI', 'za'], 35)],
  ['Google client', 'google-oauth', token(['GOC', 'SPX-'], 28)],
  ['Google access', 'google-oauth', token(['ya', '29.'], 80)],
  ['GitHub personal', 'github-token', token(['gh', 'p_'], 36)],
  ['GitHub OAuth', 'github-token', token(['gh', 'o_'], 36)],
  ['GitHub app', 'github-token', token(['gh', 's_'], 36)],
  ['GitHub user', 'github-token', token(['gh', 'u_'], 36)],
  ['GitHub fine-grained', 'github-token', token(['github', '_pat_'], 82)],
  ['GitLab', 'gitlab-token', token(['gl', 'pat-'], 20)],
  ['GitLab runner', 'gitlab-token', token(['gl', 'rt-'], 20)],
  ['Bitbucket', 'bitbucket-token', token(['AT', 'BB'], 32)],
  ['Atlassian', 'atlassian-token', token(['ATA', 'TT3'], 120)],
  ['npm', 'npm-token', token(['np', 'm_'], 36)],
  ['PyPI', 'pypi-token', token(['py', 'pi-AgEIcHlwaS5vcmc'], 90)],
  ['RubyGems', 'rubygems-token', token(['ruby', 'gems_'], 48, hex)],
  ['Cargo', 'cargo-token', token(['c', 'io'], 32)],
  ['Docker', 'docker-token', token(['dckr', '_pat_'], 27)],
  ['NuGet', 'nuget-key', token(['oy', '2'], 43, 'abcdefghijklmnop234567')],
  ['Artifactory', 'artifactory-token', token(['AK', 'Cp'], 69)],
  ['DigitalOcean', 'digitalocean-token', token(['dop', '_v1_'], 64, hex)],
  ['Netlify', 'netlify-token', token(['nf', 'p_'], 36)],
  ['Supabase', 'supabase-token', token(['sb', 'p_'], 40, hex)],
  ['PlanetScale', 'planetscale-token', token(['pscale', '_tkn_'], 43)],
  ['Databricks', 'databricks-token', token(['da', 'pi'], 32, hex)],
  ['Vault', 'vault-token', token(['hv', 's.'], 90)],
  ['Pulumi', 'pulumi-token', token(['pu', 'l-'], 40, hex)],
  ['Doppler', 'doppler-token', token(['dp', '.st.'], 44)],
  ['age', 'age-key', token(['AGE-SECRET', '-KEY-1'], 58, upper)],
  ['Slack bot', 'slack-token', token(['xo', 'xb-'], 50)],
  ['Slack app', 'slack-token', token(['xa', 'pp-'], 60)],
  ['Stripe', 'stripe-key', token(['sk', '_live_'], 24)],
  ['Stripe restricted', 'stripe-key', token(['rk', '_live_'], 24)],
  ['Stripe webhook', 'stripe-key', token(['wh', 'sec_'], 32)],
  ['Shopify', 'shopify-token', token(['shp', 'at_'], 32, hex)],
  ['Grafana', 'grafana-token', token(['gl', 'sa_'], 41)],
  ['Postman', 'postman-key', token(['PM', 'AK-'], 59, hex)],
  ['Linear', 'linear-key', token(['lin', '_api_'], 40)],
  ['Notion', 'notion-token', token(['nt', 'n_'], 46)],
  ['Figma', 'figma-token', token(['fig', 'd_'], 40)],
  ['Twilio', 'twilio-key', token(['S', 'K'], 32, hex)],
  ['Mailgun', 'mailgun-key', token(['ke', 'y-'], 32, hex)],
  ['AWS key id', 'aws-key-id', token(['AK', 'IA'], 16, upper)],
  ['AWS session key id', 'aws-key-id', token(['AS', 'IA'], 16, upper)],
  ['SendGrid', 'sendgrid-key', (seed) => ({ secret: ['S', 'G.', noise(seed, 22), '.', noise(seed + 1, 43)].join('') })],
  ['Telegram', 'telegram-token', (seed) => ({ secret: `${noise(seed, 9, digits)}:${'AA'}${noise(seed + 1, 33)}` })],
  ['Discord', 'discord-token', discord],
  ['JWT', 'jwt', jwt],
  ['AWS secret', 'named-secret', around('AWS_SECRET_ACCESS_KEY=', 40)],
  ['Azure account key', 'azure-key', around('AccountName=app;AccountKey=', 86, '==;EndpointSuffix=x')],
  ['Slack webhook', 'slack-webhook', around('https://hooks.slack.com/services/', 44)],
  ['Discord webhook', 'discord-webhook', around('https://discord.com/api/webhooks/123456789012/', 68)],
  ['private key', 'private-key', block('PRIVATE KEY')],
  ['RSA key', 'private-key', block('RSA PRIVATE KEY')],
  ['OpenSSH key', 'private-key', block('OPENSSH PRIVATE KEY')],
  ['PGP key', 'private-key', block('PGP PRIVATE KEY BLOCK')],
  ['key block in base64', 'private-key', encodedBlock],
  ['database address', 'url-credentials', around('postgres://app:', 18, '@db.internal:5432/shop')],
  ['token in an address', 'url-credentials', around('https://', 40, '@git.internal/shop.git')],
  ['bearer header', 'authorization', around('Authorization: Bearer ', 40)],
  ['basic header', 'authorization', around('Authorization: Basic ', 32)],
  ['cookie', 'cookie', around('Cookie: theme=dark; session=', 40)],
  ['set cookie', 'cookie', around('Set-Cookie: sid=', 36, '; HttpOnly')],
  ['password in an env dump', 'named-secret', around('DB_PASSWORD=', 14)],
  ['secret in an env dump', 'named-secret', around('export SESSION_SECRET=', 32, '', hex)],
  ['token in JSON', 'named-secret', around('"access_token": "', 40, '"')],
  ['key in YAML', 'named-secret', around('apiKey: ', 32)],
  ['ADO password', 'named-secret', around('Server=db;User Id=app;Password=', 16, ';Encrypt=true')],
  ['netrc', 'netrc', around('machine git.internal login ada password ', 20)],
  ['option', 'option-secret', around('deploy --token ', 32)],
  ['curl user', 'command-secret', around('curl -u ada:', 18, ' https://x.internal/')],
  ['signed address', 'url-signature', around('https://b.internal/x?X-Amz-Signature=', 64, '&y=1', hex)],
  ['Codex account', 'openai-account', uuid],
]

/** One secret of each kind, different for each `variant`. */
export function planted(variant = 0): Planted[] {
  return makers.map(([kind, rule, make], index) => {
    const { secret, text = secret } = make(1000 * (variant + 1) + 7 * index)
    return { kind, rule, secret, text }
  })
}

/** A key pair of Ed25519 as 64 numbers: a made-up seed, then its public key. */
export function keyPairOf(variant: number): number[] {
  const seed = Array.from({ length: 32 }, (_, at) => (at * 37 + variant * 11 + 5) % 256)
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({ key: Buffer.from([...head, ...seed]), format: 'der', type: 'pkcs8' })
  return [...seed, ...createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)]
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A made-up private key of Bitcoin in the format that wallets import. */
export function walletKeyOf(variant: number): string {
  const seed = Array.from({ length: 32 }, (_, at) => (at * 53 + variant * 29 + 7) % 256)
  const hash = (data: Buffer): Buffer => createHash('sha256').update(data).digest()
  const body = Buffer.from([0x80, ...seed, 1])
  const whole = Buffer.concat([body, hash(hash(body)).subarray(0, 4)])
  let text = ''
  for (let rest = BigInt(`0x${whole.toString('hex')}`); rest > 0n; rest /= 58n)
    text = (base58[Number(rest % 58n)] ?? '') + text
  return text
}
