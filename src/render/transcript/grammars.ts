/** The engine that colours code, and the grammars that we use: all that lowlight has are a megabyte to load. */

import type { LanguageFn } from 'highlight.js'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import nix from 'highlight.js/lib/languages/nix'
import powershell from 'highlight.js/lib/languages/powershell'
import scala from 'highlight.js/lib/languages/scala'
import { common, createLowlight } from 'lowlight'

export { createLowlight }

/** Grammars by the names of highlight.js, those of `languages` among them. */
export const grammars: Readonly<Record<string, LanguageFn>> = { ...common, dockerfile, nix, powershell, scala }
