/** The borders between rooms (ARCHITECTURE.md) are lint rules; each is tried with an import that breaks it. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
const project = new URL('../../../', import.meta.url)

/** Title, path, source, the rule that must bite. */
const broken: [string, string, string, string][] = [
  [
    'a room imports another room',
    'src/render/x.ts',
    "import { readLines } from '../read/lines.ts'\nreadLines()\n",
    'noRestrictedImports',
  ],
  [
    'a nested room module imports another room',
    'src/render/to-hast/handle/x.ts',
    "import { a } from '../../../write/plan.ts'\na()\n",
    'noRestrictedImports',
  ],
  [
    'a room imports a use case',
    'src/normalize/x.ts',
    "import { build } from '../app/build.ts'\nbuild()\n",
    'noRestrictedImports',
  ],
  [
    'an -fs module imports another room',
    'src/write/x-fs.ts',
    "import { a } from '../read/lines.ts'\na()\n",
    'noRestrictedImports',
  ],
  [
    'a pure module imports node:fs',
    'src/parse/x.ts',
    "import { readFileSync } from 'node:fs'\nreadFileSync('a')\n",
    'noRestrictedImports',
  ],
  [
    'a pure module imports node:fs/promises',
    'src/app/x.ts',
    "import { readFile } from 'node:fs/promises'\nreadFile('a')\n",
    'noRestrictedImports',
  ],
  [
    'a pure module reads the environment',
    'src/model/x.ts',
    'export const a: unknown = process.env\n',
    'noProcessGlobal',
  ],
  [
    'a pure module opens the network',
    'src/search/x.ts',
    "export const a: unknown = fetch('/')\n",
    'noRestrictedGlobals',
  ],
  [
    'a use case imports the command line',
    'src/app/x.ts',
    "import { run } from '../cli/run.ts'\nrun()\n",
    'noRestrictedImports',
  ],
  [
    'the command line imports a room',
    'src/cli/x.ts',
    "import { a } from '../read/lines.ts'\na()\n",
    'noRestrictedImports',
  ],
  [
    'the model imports diagnostics',
    'src/model/x.ts',
    "import { a } from '../diagnostics/codes.ts'\na()\n",
    'noRestrictedImports',
  ],
]

/** Title, path, source. */
const allowed: [string, string, string][] = [
  ['a room imports the model', 'src/render/x.ts', "import { slugify } from '../model/urls.ts'\nslugify('a')\n"],
  ['a room imports itself', 'src/render/to-hast/x.ts', "import { a } from '../prose/parse.ts'\na()\n"],
  ['discover uses the decoders', 'src/discover/x.ts', "import { asText } from '../parse/decode.ts'\nasText('a')\n"],
  [
    'an -fs module imports node:fs',
    'src/discover/x-fs.ts',
    "import { statSync } from 'node:fs'\nstatSync(process.env['A'] ?? '')\n",
  ],
  ['a use case combines rooms', 'src/app/x.ts', "import { a } from '../read/lines.ts'\na()\n"],
  ['util hashes', 'src/util/x.ts', "import { createHash } from 'node:crypto'\ncreateHash('sha256')\n"],
]

/** Rules that a snippet breaks, by its title. */
const findings = new Map<string, string>()
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codex-export-rooms-'))
  for (const [index, [title, path, source]] of [...broken, ...allowed].entries()) {
    // One folder a snippet: several stand for the same path of the project.
    const root = join(folder, String(index))
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    copyFileSync(new URL('biome.json', project), join(root, 'biome.json'))
    writeFileSync(file, source)
    const options = ['lint', '--vcs-enabled=false', '--colors=off', 'src']
    const run = spawnSync(process.execPath, [biome, ...options], { cwd: root, encoding: 'utf8' })
    findings.set(title, run.status === 0 ? '' : run.stdout + run.stderr)
  }
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the lint rules of the rooms', () => {
  it.each(broken)('refuse that %s', (title, _path, _source, rule) => {
    expect(findings.get(title)).toContain(rule)
  })

  it.each(allowed)('allow that %s', (title) => {
    expect(findings.get(title)).toBe('')
  })
})
