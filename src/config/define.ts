/** Typing of configuration files. */
import type { SiteConfig } from './settings.ts'

/** Gives back a configuration as it is; an editor then knows its keys. Use as `export default defineConfig({…})`. */
export function defineConfig(config: SiteConfig): SiteConfig {
  return config
}
