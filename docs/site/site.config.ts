import { defineConfig } from 'codex-export'
import { languages } from '../../examples/languages.ts'
import { documentation } from './documentation.ts'

/** The documentation site: the guide around the demo of the sample sessions. `npm run docs` builds it. */
export default defineConfig({
  title: 'codex-export',
  description: 'Turn the sessions that Codex leaves on disk into a static, searchable site.',
  homes: [{ path: '../../fixtures/home' }],
  out: '../../docs-site',
  templatesDir: 'theme',
  plugins: [documentation, languages],
})
