// Hands controls and answers to the page that asked for them: the end of a script of its own.
import { markWords } from './marks.js'
import { searchBox } from './search-box.js'

globalThis.codexSearchBox = { searchBox, markWords }
