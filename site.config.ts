import { defineConfig } from 'codex-export'

/** The demo site: the sample sessions of this repository. `--codex-home ~/.codex` shows your own instead. */
export default defineConfig({
  title: 'Sample sessions',
  homes: [{ path: 'fixtures/home' }],
})
