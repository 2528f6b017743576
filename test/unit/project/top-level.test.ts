/** The top of the repository has what readers look for there, and no stray files. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const folders = ['.ci', '.github', 'docs', 'examples', 'fixtures', 'src', 'templates', 'test']
const texts = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md']
const settings = [
  ...['.containerignore', '.editorconfig', '.gitattributes', '.gitignore', '.npmrc', 'Containerfile', 'action.yml'],
  ...['biome.json', 'knip.json', 'package-lock.json', 'package.json', 'site.config.ts', 'vitest.config.ts'],
  ...['tsconfig.build.json', 'tsconfig.json'],
]

it('the top of the repository has exactly these folders and files', () => {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const top = new Set(paths.map((path) => path.split('/', 1)[0]))
  expect([...top].sort()).toEqual([...folders, ...texts, ...settings].sort())
})
