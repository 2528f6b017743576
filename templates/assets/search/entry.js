// The end of a separate script: hands the controls and results of the search to the page that loaded it.

import { searchBox } from './box.js'
import { markWords } from './marks.js'

globalThis.codexSearchBox = { searchBox, markWords }
