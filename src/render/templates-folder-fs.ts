/** Where the package keeps its templates. */
import { fileURLToPath } from 'node:url'

/** The package's own templates; `src` and `dist` lie equally deep. */
export const templatesFolder: string = fileURLToPath(new URL('../../templates/', import.meta.url))
