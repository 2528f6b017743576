// Hands stars, tags and notes to the page that asked for them: the end of a script of its own.
import { wordsOf } from './curation-kept.js'
import { openPanel } from './curation-panel.js'
import { addChoice, showDecision, showInRows } from './curation-shown.js'

globalThis.codexCuration = { addChoice, openPanel, showDecision, showInRows, wordsOf }
