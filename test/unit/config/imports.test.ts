import { expect, test } from 'vitest'
import { isSelfContained } from '../../../src/config/import-graph-fs.ts'

test.each([
  "import { defineConfig } from 'codex-export'\nexport default defineConfig({ title: 'Ours' })",
  'import {defineConfig} from "codex-export";\nexport default defineConfig({})',
  "export default { title: 'Ours' }",
])('a configuration that imports only `defineConfig` is self-contained: %j', (source) => {
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
])('a configuration with any other import is not self-contained: %j', (source) => {
  expect(isSelfContained(source)).toBe(false)
})
