/** `codex-export search` */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CommandModule, exitCodes } from '../../cli/command.ts'
import { personalOf, readSettings, sourcesOf } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import { hasColour, note, type World } from '../../cli/world.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { anchorLink, sessionPage } from '../../transcript/urls.ts'
import { formatAmount } from '../../util/time.ts'
import type { FoundSession, SearchSum } from './search.ts'

/** Searches the sessions and prints turns with hits. */
export const searchCommand: CommandModule = {
  name: 'search',
  usage: 'search <query..>',
  describe: 'Search the sessions themselves, outputs and diffs included; needs no site',
  positionals: {
    query:
      'Words that one turn holds; `"a phrase"`, `-word`, `A OR B`, `kind:output`, `file:PATH`, `is:failed` and others',
  },
  examples: [
    ['search timeout kind:output', 'find turns in whose outputs the word stands'],
    [`search 'ECONNREFUSED -redis' --since 30d`, 'leave out turns that also hold another word'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('search', invocation)
    const { settings } = call
    const { json, count, open, around = 0, regex, timeZone, out } = settings
    if (json && count) throw new UsageError('`--json` and `--count` cannot be given together.')
    const [{ parseQuery }, { search }] = await Promise.all([import('./query.ts'), import('./search.ts')])
    const query = parseQuery([flags['query']].flat().map(String), { regex })
    const link = linker(out)
    const style = {
      timeZone,
      colour: hasColour(world.stdout, world.env),
      width: world.stdout.isTerminal ? world.stdout.columns || 80 : undefined,
      link,
    }
    let first: string | undefined
    const take = async (found: FoundSession): Promise<void> => {
      first ??= link(found, 0)
      if (json) return world.stdout.write(`${JSON.stringify(withLinks(found, link))}\n`)
      const { countLine, sessionLines } = await import('./results.ts')
      await world.stdout.write(count ? countLine(found, style) : sessionLines(found, style))
    }
    const options = { ...sourcesOf(call), query, redact: settings.redact, personal: personalOf(call), around, take }
    const sum = await supervise(world, (host) => search(options, host))
    await tell(sum, world)
    if (open && sum.turns > 0) await openFirst(first, world)
    return sum.turns > 0 && sum.failed === 0 ? exitCodes.fine : exitCodes.findings
  },
}

async function tell({ sessions, turns, failed, places }: SearchSum, world: World): Promise<void> {
  const unread = failed === 0 ? '' : `; ${formatAmount(failed, 'session')} could not be read`
  if (turns > 0) return note(world, `${formatAmount(turns, 'turn')} in ${formatAmount(sessions, 'session')}${unread}\n`)
  await note(
    world,
    `Nothing was found${unread}. Searched everything that is kept of the sessions in ${places.join(', ')}.\n`,
  )
}

/** The address of a place in the site, where one is built and has the session. */
type Link = (found: FoundSession, turn: number) => string | undefined

function linker(out: string): Link {
  return ({ id, pages, turns }, turn) => {
    const [first] = turns[turn]?.texts ?? []
    if (first === undefined || !existsSync(join(out, sessionPage(id)))) return undefined
    const [path = '', anchor = ''] = anchorLink(id, { page: first.page, anchor: first.id, pages }).split('#')
    return `${pathToFileURL(join(out, path)).href}#${anchor}`
  }
}

function withLinks(found: FoundSession, link: Link): object {
  const turns = found.turns.map((turn, index) => ({ ...turn, link: link(found, index) }))
  return { ...found, turns }
}

async function openFirst(address: string | undefined, { stderr }: World): Promise<void> {
  if (address === undefined)
    throw new UsageError('`--open` needs a built site with that session: run `codex-export build`.')
  const { openInBrowser } = await import('../../cli/serve/server-fs.ts')
  if (!(await openInBrowser(address))) await stderr.write(`No browser could be started. Open ${address}\n`)
}
