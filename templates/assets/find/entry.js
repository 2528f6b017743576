// Hands the find to the page that asked for it: the end of a script of its own.
import { openFind } from './bar.js'

globalThis.codexFindBar = openFind
