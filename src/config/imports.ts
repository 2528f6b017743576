/** What a configuration file imports, as far as its text tells. */

const ownImport = /\bimport\s*\{\s*defineConfig\s*,?\s*\}\s*from\s*(['"])codex-export\1/

/**
 * Whether a configuration file surely imports nothing but `defineConfig` of this package. Goes by words alone, so a
 * file that only talks of imports counts as one that has them.
 */
export function isSelfContained(source: string): boolean {
  return !/\b(?:import|require|from)\b/.test(source.replace(ownImport, ''))
}
