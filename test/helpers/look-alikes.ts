/** Invented texts that look like secrets but are none. */
import { noise } from './planted.ts'

const hex = '0123456789abcdef'

function uuid(seed: number): string {
  return [8, 4, 4, 4, 12].map((length, index) => noise(seed + index, length, hex)).join('-')
}

/** Values that are public wherever they occur. */
function values(seed: number): Record<string, string> {
  const digest = Buffer.from(noise(seed, 64)).toString('base64')
  return {
    commit: noise(seed, 40, hex),
    'short commit': noise(seed, 7, hex),
    uuid: uuid(seed),
    sha256: noise(seed, 64, hex),
    integrity: `sha512-${digest.slice(0, 86)}==`,
    image: `registry.internal/app@sha256:${noise(seed, 64, hex)}`,
    version: `1.${seed % 90}.3-beta.2+build.5`,
    path: `/home/ada/shop/src/lib/user-token-store-v2.ts`,
    address: `https://docs.internal/api/keys/rotate?page=${seed}`,
    instant: '2026-03-14T09:26:53.589Z',
  }
}

/** The text around them. */
const frames: readonly ((name: string, value: string) => string)[] = [
  (_, value) => value,
  (name, value) => `${name}: ${value}`,
  (name, value) => `The ${name} is \`${value}\`, as of today.`,
  (name, value) => JSON.stringify({ [name.replace(' ', '_')]: value }),
  (_, value) => `thread_id=${value}`,
  (_, value) => `"integrity": "${value}"`,
  (_, value) => `git show ${value}`,
  (_, value) => `cache-key: ${value}`,
  (_, value) => `ETag: "${value}"`,
  (_, value) => `hooks:\n${value}\nmore text`,
  (_, value) => `codex resume ${value} --last`,
  (_, value) => `key_id = "${value}"`,
  (_, value) => `- ${value}\u001B[0m\n`,
  (_, value) => `token_sha256=${value}`,
  (_, value) => `secret_name: ${value}`,
]

const names = ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'clientSecret']
const placeholders = [
  '$TOKEN',
  `\${TOKEN}`,
  `\${{ secrets.DEPLOY_TOKEN }}`,
  'process.env.API_KEY',
  'os.environ["API_KEY"]',
  '<token>',
  '<your-api-key>',
  'xxxxxxxxxxxxxxxxxxxxxxxx',
  '****************',
  'your-api-key-here',
  'changeme',
  's' + 'k-...',
  's' + 'k-xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'g' + 'hp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'getToken()',
  'config.auth.token',
  'undefined',
  'null',
  'string',
  '',
]

const sentences = [
  'max_tokens: 4096, total_tokens=128000, cached_tokens: 12000',
  'const tokens = tokenizer.tokenize(source)',
  'for (const key of Object.keys(options)) keys.push(key)',
  'monkey = "banana-split-with-cream-2"',
  'primary_key=customer_order_line_id_2',
  'The password is asked for at the prompt.',
  'password: z.string().min(12)',
  'passwordHash = await hash(password, 12)',
  'Set GITHUB_TOKEN and OPENAI_API_KEY before you run it.',
  'Authorization: Bearer <token>',
  '{"file//etc/x9Passwd": ["file//etc/x9Passwd"]}',
  String.raw`04:01:14 shop auth \u001b[33mWARN\u001b[0m request 1074 took 235 ms\n04:01:15 shop auth info request 1075 took 35 ms`,
  'Authorization: Bearer $TOKEN',
  `curl -H "Authorization: Bearer \${API_TOKEN}" https://api.internal`,
  'Cookie: theme=dark; lang=en',
  'Set-Cookie: consent=true; Path=/',
  'https://user:password@host.example/path',
  'postgres://$USER:$PASSWORD@localhost/db',
  'git@github.com:acme/shop.git',
  'docker run -u 1000:1000 image',
  'chown -R www-data:www-data .',
  '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----',
  'grep -rn "BEGIN RSA PRIVATE KEY" .',
  'task-runner-with-many-words-in-its-name',
  'disk-usage-of-the-build-folder-2026-03-14',
  '.sk-cube-grid-with-a-long-animation-name {}',
  'npm_config_registry=https://packages.example.org/',
  'npm_package_dependencies_left_pad_version_1',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
  'import { apiKey } from "./settings/api-key-of-tests"',
  'keyframes: fade-in-and-out-slowly',
  'sort_key=created_at_desc_then_id_asc',
  'The secret: read the error message twice.',
  'secret-santa: draw-names-from-a-hat',
  'x = y ? token : other',
  'if (token === expectedToken) return',
  'export type Token = KeywordToken | PunctuationToken',
  'tokenType: PunctuationMarkTokenKind',
  'DOCKER_AUTH_CONFIG is not set',
  'auth: required-for-all-routes-but-login',
  'signature: (input: string) => Promise<string>',
]

/** Every look-alike once. */
export function lookAlikes(): string[] {
  const framed = Object.entries(values(3)).flatMap(([name, value]) => frames.map((frame) => frame(name, value)))
  const held = names.flatMap((name) => placeholders.flatMap((value) => [`${name}=${value}`, `"${name}": "${value}"`]))
  return [...new Set([...framed, ...held, ...sentences])]
}
