/** Failures that an exit code of 0 hides: the shell gave the code of another program. */

import { bareSteps, type CommandLine, maxScript } from './dialect.ts'
import { failureLine } from './exit-codes.ts'
import { mainRunOf } from './program.ts'
import { decidersOf, endSettingsOf, runsOf } from './steps.ts'

/** Sums of test runners and compilers that are not zero, and the last words of a program that an exception ended. */
const lastWords =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^\s*(?:# fail [1-9]|not ok \d)|^(?:\w+\.)*\w+(?:Error|Exception): /m

/**
 * Whether a command that ended with 0 says nothing of its own program (`npm test | tail`, `make || true`), which printed that
 * it failed.
 */
export function hidesFailure(command: CommandLine, output: string): boolean {
  if (command.script.length > maxScript || !(failureLine.test(output) || lastWords.test(output))) return false
  const step = bareSteps(command)
  const main = mainRunOf(step)?.run
  return main !== undefined && !decidersOf(step, endSettingsOf([...runsOf(step)])).includes(main)
}
