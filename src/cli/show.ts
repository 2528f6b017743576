/** `codex-export show` */
import { resolve } from 'node:path'
import type { ShowOptions } from '../app/types.ts'
import { UsageError } from '../diagnostics/errors.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { writeTo } from './output-file.ts'
import { personalOf } from './personal.ts'
import { lookOf, publicationOf, readSettings, sourcesOf } from './settings.ts'
import { supervise } from './supervise.ts'

/** Prints one transcript. */
export const showCommand: CommandModule = {
  name: 'show',
  usage: 'show [target]',
  describe: 'Print one transcript',
  positionals: { target: 'The beginning of a thread id, or the path of a rollout' },
  examples: [
    ['show 0199a213', 'the thread whose id begins like this, as Markdown'],
    ['show --project shop', 'a session of a project, to be picked from a list'],
    ['show rollout.jsonl --format html --output page.html', 'a rollout as a page'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('show', invocation)
    const { format, output, redact, withAgents, maxInline, timeZone } = call.settings
    // Projects of a configuration say what a site holds; a thread that is named is wanted whatever they say.
    const projects = call.origins.projects === 'flags' ? call.settings.projects : []
    const target = flags['target'] === undefined ? undefined : String(flags['target'])
    if (target === '' || (target === undefined && projects.length === 0))
      throw new UsageError(
        '`show` needs the beginning of a thread id, the path of a rollout, or `--project NAME` to pick from.',
      )
    const publication = publicationOf(call)
    const [{ show }, { choose }] = await Promise.all([import('../app/show.ts'), import('./choose.ts')])
    let isWhole = true
    await writeTo(output, world.stdout, (write) =>
      supervise(world, async (host) => {
        const options: ShowOptions = {
          sources: sourcesOf(call),
          look: lookOf(call),
          personal: personalOf(call),
          publication,
          target,
          targetPath: target === undefined ? undefined : resolve(world.cwd, target),
          projects,
          format,
          redact,
          withAgents,
          maxInline,
          choose: world.stdin.isTerminal && world.stderr.isTerminal ? choose(world, host.signal, timeZone) : undefined,
          write,
        }
        isWhole = await show(options, host)
      }),
    )
    return isWhole ? exitCodes.fine : exitCodes.findings
  },
}
