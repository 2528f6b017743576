/** Finds failures that an exit code of 0 hides, because the shell returned the code of another program. */

import { stripAnsi } from '../../util/printable.ts'
import { bareSteps, type CommandLine, maxScript } from './dialect.ts'
import { failureLine } from './exit-codes.ts'
import { mainRunOf } from './program.ts'
import { decidersOf, endSettingsOf, runsOf } from './steps.ts'

/**
 * How programs that fail end their output, without colours: sums of test runners and compilers, what ended a program, and
 * what programs that run others say about them.
 */
const lastWords = new RegExp(
  [
    // Counts that are not zero: `Tests 2 failed`, `1 test failed`, `2 errors`, ` 1 fail`, `Failed: 1`, `failures=1`
    String.raw`\b[1-9]\d* (?:tests? |suites? |problems? \()?(?:failed|failing|failures?|errors?)\b`,
    String.raw`^\s*(?:(?:#|\u2139) fail [1-9]|not ok \d|[1-9]\d* fail$)|\b(?:[Ff]ail(?:ed|ing|ures)|[Ee]rrors)(?:: {1,8}|=)[1-9]`,
    // What ended a program: `HingeError: no oil`, `Error: Cannot find module`, `panic: …`, `Exception in thread "main"`
    String.raw`^(?:[\u2502|] ?)?(?:(?:\w+\.)*\w*(?:Error|Exception)|ERROR|panic|fatal): |^Exception in thread |\(\w+Error\)$`,
    '^Error from server|: command not found$',
    // Programs that run others: `make: *** […] Error 1`, `npm error code …`, `exit status 2`, `Failed to compile.`
    String.raw`^g?make(?:\[\d+\])?: \*\*\*|^npm error |\b[Cc]ommand failed\b|\bexit(?:ed with)?(?: exit)? (?:code|status):? [1-9]`,
    String.raw`^ERROR in |^error during |\bFailed to compile\b|^Failed!|^\[(?:ERROR|error)\] |^# \S+\n(?:vet: )?\S+\.go:\d+:\d+: `,
    String.raw`\bCode style issues\b`,
  ].join('|'),
  'm',
)

/**
 * Whether a command ended with 0, but not by its own program (`npm test | tail`, `make || true`), and that program
 * printed that it failed.
 */
export function hidesFailure(command: CommandLine, output: string): boolean {
  if (command.script.length > maxScript) return false
  const shown = stripAnsi(output)
  if (!failureLine.test(shown) && !lastWords.test(shown)) return false
  const step = bareSteps(command)
  const main = mainRunOf(step)?.run
  return main !== undefined && !decidersOf(step, endSettingsOf([...runsOf(step)])).includes(main)
}
