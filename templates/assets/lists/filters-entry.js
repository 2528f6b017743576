// Hands the filters to the start page: the end of a script of its own.
import { startFilters } from './filters.js'

globalThis.codexFilters = startFilters
