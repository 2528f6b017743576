/** The borders between folders (ARCHITECTURE.md): each is tested with an import or a call that breaks it. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useTempDir } from '../../helpers/temp.ts'

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
const project = fileURLToPath(new URL('../../../', import.meta.url))
const script = join(project, '.ci/floors.mjs')

/** Messages about imports from a higher floor in a source folder. */
function violationsIn(src: string): string[] {
  const { stderr } = spawnSync(process.execPath, [script, src], { encoding: 'utf8' })
  return stderr.split('\n').filter((line) => line !== '')
}

function sourceWith(path: string, text: string): string {
  const folder = useTempDir()
  const file = join(folder, 'src', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return folder
}

describe('floors', () => {
  it('are kept by every module', () => {
    expect(violationsIn(join(project, 'src'))).toEqual([])
  })

  it.each([
    ['render/x.ts', "import { build } from '../site/build.ts'\n"],
    ['render/pages/x.ts', "export { a } from '../../search/page.ts'\n"],
    ['rollout/parse/x.ts', "import type { Turn } from '../../transcript/trast.ts'\n"],
    ['site/x.ts', "const lock = await import('../features/lock/build-lock.ts')\n"],
    ['features/audit/x.ts', "import { publish } from '../publish/publish.ts'\n"],
    ['cli/x.ts', "import { checkCommand } from '../features/audit/command.ts'\n"],
    ['util/x.ts', "import { program } from '../program.ts'\n"],
  ])('report %s with %j', (path, text) => {
    const [line = '', ...others] = violationsIn(join(sourceWith(path, text), 'src'))
    expect(others).toEqual([])
    expect(line).toMatch(new RegExp(`^floors: ${path} imports .*, which is above it$`))
  })

  it.each([
    ['site/x.ts', "import { a } from '../render/pages/x.ts'\nimport { b } from './build.ts'\n"],
    ['features/publish/x.ts', "import { a } from '../audit/site-fs.ts'\n"],
    ['program.ts', "import { a } from './features/audit/command.ts'\n"],
  ])('let %s import from lower floors', (path, text) => {
    expect(violationsIn(join(sourceWith(path, text), 'src'))).toEqual([])
  })

  it('refuse an unknown folder', () => {
    expect(violationsIn(join(sourceWith('rooms/x.ts', ''), 'src'))).toEqual(['floors: rooms/x.ts is on no floor'])
  })
})

describe('lint of modules without side effects', () => {
  const lint = (path: string, text: string): string => {
    const folder = sourceWith(path, text)
    copyFileSync(join(project, 'biome.json'), join(folder, 'biome.json'))
    const options = ['lint', '--vcs-enabled=false', '--colors=off', 'src']
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...options], {
      cwd: folder,
      encoding: 'utf8',
    })
    return status === 0 ? '' : stdout + stderr
  }

  it.each([
    ['rollout/parse/x.ts', "import { readFileSync } from 'node:fs'\nreadFileSync('a')\n", 'noRestrictedImports'],
    ['site/x.ts', "import { readFile } from 'node:fs/promises'\nreadFile('a')\n", 'noRestrictedImports'],
    ['transcript/x.ts', 'export const a: unknown = process.env\n', 'noProcessGlobal'],
    ['features/publish/x.ts', "export const a: unknown = fetch('/')\n", 'noRestrictedGlobals'],
  ])('refuses %s with %j', (path, text, rule) => {
    expect(lint(path, text)).toContain(rule)
  })

  it.each([
    ['rollout/read/x-fs.ts', "import { statSync } from 'node:fs'\nstatSync(process.env['A'] ?? '')\n"],
    ['util/x.ts', "import { createHash } from 'node:crypto'\ncreateHash('sha256')\n"],
  ])('allows %s', (path, text) => {
    expect(lint(path, text)).toBe('')
  })
})
