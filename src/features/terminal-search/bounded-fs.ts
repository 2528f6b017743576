/** Ends what an expression of the user would hold up for hours: no signal, such as Ctrl-C, is heard meanwhile. */

import { type Context, createContext, Script } from 'node:vm'
import { isObject } from '../../util/json.ts'

const script = new Script('run()')
let context: Context | undefined

/** Runs something of which every part may be given up; `false` where that took longer than some milliseconds. */
export function runWithin(milliseconds: number, run: () => void): boolean {
  context ??= createContext({})
  context['run'] = run
  try {
    script.runInContext(context, { timeout: milliseconds })
    return true
  } catch (error) {
    // An `Error` of that context, which is none of ours.
    if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    context['run'] = undefined
  }
}
