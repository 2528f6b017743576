// The end of a separate script: hands stars, tags and notes to the page that loaded it.

import { openPanel } from './panel.js'
import { addChoice, showDecision, showInRows } from './shown.js'
import { readAgain, wordsOf } from './store.js'

globalThis.codexCuration = { addChoice, openPanel, readAgain, showDecision, showInRows, wordsOf }
