// The end of a separate script: hands the filters to the start page.
import { startFilters } from './filters.js'

globalThis.codexFilters = startFilters
