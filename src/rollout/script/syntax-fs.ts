/** The syntax of a script: acorn, loaded when the first script is read. A build without code mode never loads it. */

import { createRequire } from 'node:module'
import type { Options, Program } from 'acorn'

const load = createRequire(import.meta.url)

/** Codex runs scripts as the body of an async module: `await` and `return` stand at the top, and `import` may. */
const options: Options = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
}

/** A program, and whether parts of the script were skipped because they are no JavaScript. */
export interface Parsed {
  program: Program
  damaged: boolean
}

/** Parses a script; one that is no JavaScript as far as it goes. `undefined` where nesting is too deep for a parser. */
export function parseScript(code: string): Parsed | undefined {
  try {
    const acorn: typeof import('acorn') = load('acorn')
    return { program: acorn.parse(code, options), damaged: false }
  } catch (error) {
    return error instanceof SyntaxError ? parseLoosely(code) : undefined
  }
}

function parseLoosely(code: string): Parsed | undefined {
  try {
    const loose: typeof import('acorn-loose') = load('acorn-loose')
    return { program: loose.parse(code, options), damaged: true }
  } catch {
    return undefined
  }
}
