import { expect, test } from 'vitest'
import { isSelfContained } from '../../../src/config/import-graph-fs.ts'

test.each([
  "import { defineConfig } from 'codex-export'\nexport default defineConfig({ title: 'Ours' })",
  'import {defineConfig} from "codex-export";\nexport default defineConfig({})',
  "export default { title: 'Ours' }",
])('a file without other imports is told: %j', (source) => {
  expect(isSelfContained(source)).toBe(true)
})

test.each([
  "import { defineConfig, rolloutToMdast } from 'codex-export'",
  "import { defineConfig } from 'codex-export'\nimport { rolloutToMdast } from 'codex-export'",
  "import { defineConfig } from 'codex-export'\nimport plugin from './plugin.ts'",
  "import { defineConfig } from 'codex-export'\nimport 'side-effect'",
  "const { title } = await import('./title.ts')\nexport default { title }",
  "const { title } = require('./title.cjs')\nexport default { title }",
  "export { default } from './other.ts'",
])('any other import is seen: %j', (source) => {
  expect(isSelfContained(source)).toBe(false)
})
