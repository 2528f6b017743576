// Hands controls and answers to the page that asked for them: the end of a script of its own.

import { searchBox } from './box.js'
import { markWords } from './marks.js'

globalThis.codexSearchBox = { searchBox, markWords }
