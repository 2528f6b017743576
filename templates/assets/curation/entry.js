// Hands stars, tags and notes to the page that asked for them: the end of a script of its own.

import { openPanel } from './panel.js'
import { addChoice, showDecision, showInRows } from './shown.js'
import { wordsOf } from './store.js'

globalThis.codexCuration = { addChoice, openPanel, showDecision, showInRows, wordsOf }
