/** The packed file, unpacked into an empty folder next to its dependencies, as a user gets it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild } from '../helpers/cli.ts'
import { useTempDir } from '../helpers/temp.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const home = join(root, 'fixtures/home')

/** Sizes of the packed file and of its content. */
const maxBytes = { packed: 1_750_000, unpacked: 6_200_000 }

beforeAll(requireBuild)

interface Tarball {
  filename: string
  size: number
  unpackedSize: number
}

/** Packs the project into a folder. */
function pack(folder: string): Tarball {
  const command = `npm pack --json --ignore-scripts --pack-destination "${folder}"`
  const run = spawnSync(command, { cwd: root, encoding: 'utf8', shell: true })
  const [tarball] = JSON.parse(run.stdout) as Tarball[]
  if (tarball === undefined) throw new Error(run.stderr)
  return tarball
}

/** An empty folder with the package and only its dependencies. */
function installed(): { cwd: string; tarball: Tarball; bin: string } {
  const cwd = useTempDir()
  const tarball = pack(cwd)
  const modules = join(cwd, 'node_modules')
  mkdirSync(modules)
  spawnSync('tar', ['-xzf', tarball.filename, '-C', modules], { cwd })
  spawnSync('mv', ['package', 'codex-export'], { cwd: modules })
  const own = join(modules, 'codex-export')
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { dependencies: object }
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  return { cwd, tarball, bin: join(own, 'dist/cli.js') }
}

test.skipIf(process.platform === 'win32')(
  'the packed file is small, and builds, searches, and has its types and schema in an empty folder',
  () => {
    const { cwd, tarball, bin } = installed()
    expect(tarball.size).toBeLessThan(maxBytes.packed)
    expect(tarball.unpackedSize).toBeLessThan(maxBytes.unpacked)
    const node = (...args: string[]) => {
      const run = spawnSync(process.execPath, args, {
        cwd,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: cwd },
      })
      expect(run.status, run.stderr).toBe(0)
      return run
    }
    writeFileSync(
      join(cwd, 'site.config.ts'),
      `import { defineConfig } from 'codex-export'\nexport default defineConfig({ title: 'Mine', homes: [{ path: ${JSON.stringify(home)} }], projects: ['shop'] })\n`,
    )
    const { stderr } = node(bin, 'build')
    expect(stderr).toContain('node node_modules/codex-export/dist/cli.js serve')
    expect(readFileSync(join(cwd, 'site/index.html'), 'utf8')).toContain('<title>Mine')
    expect(readdirSync(join(cwd, 'site/pagefind')).length).toBeGreaterThan(3)
    node(bin, 'check', 'site', '--no-config')
    // Results of other code with the same version are made again.
    const build = () => JSON.parse(node(bin, 'build', '--json').stdout)
    const { sessions, rendered } = build()
    writeFileSync(join(bin, '../chunks/other-00000000.js'), '')
    const counts = [rendered, build().rendered, build().rendered]
    expect({ sessions: sessions > 0, counts }).toEqual({ sessions: true, counts: [0, sessions, 0] })
    const program = `
      import { search, toMarkdown, transcribe } from 'codex-export'
      import schema from 'codex-export/transcript.schema.json' with { type: 'json' }
      for await (const { id } of search('rounding', { homes: [{ path: ${JSON.stringify(home)} }] })) console.log(id)
      console.log(schema.title)`
    expect(node('--input-type=module', '-e', program).stdout).toMatch(
      /^[\da-f-]{36}\n[\s\S]*Transcript of a Codex session\n$/,
    )
  },
)
