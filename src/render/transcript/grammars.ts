/** The engine that colours code, and the grammars that we use; loading all of lowlight's would be a megabyte. */

import type { LanguageFn } from 'highlight.js'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import nix from 'highlight.js/lib/languages/nix'
import powershell from 'highlight.js/lib/languages/powershell'
import scala from 'highlight.js/lib/languages/scala'
import { common, createLowlight } from 'lowlight'

export { createLowlight }

/** Grammars by their names in highlight.js, including all of `languages`. */
export const grammars: Readonly<Record<string, LanguageFn>> = { ...common, dockerfile, nix, powershell, scala }
