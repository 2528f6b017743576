// The end of a separate script: hands the find to the page that loaded it.
import { openFind } from './bar.js'

globalThis.codexFindBar = openFind
