/** Stops a user's expression that would block the process for hours, during which no signal such as Ctrl-C is handled. */

import { type Context, createContext, Script } from 'node:vm'
import { isObject } from '../../util/json.ts'

const script = new Script('run()')
let context: Context | undefined

/** Runs something that may be stopped at any point; returns `false` if it took longer than `milliseconds`. */
export function runWithin(milliseconds: number, run: () => void): boolean {
  context ??= createContext({})
  context['run'] = run
  try {
    script.runInContext(context, { timeout: milliseconds })
    return true
  } catch (error) {
    // An `Error` of that context, so it is no instance of our `Error`.
    if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    context['run'] = undefined
  }
}
