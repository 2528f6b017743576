/** `codex-export mcp` */

import { type CommandModule, exitCodes } from '../../cli/command.ts'
import { curationOf, personalOf, readSettings, sourcesOf } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'

/** Answers an agent's questions about past sessions until it goes away. */
export const mcpCommand: CommandModule = {
  name: 'mcp',
  usage: 'mcp',
  describe: 'Let an agent search and read past sessions, as an MCP server on standard input and output',
  examples: [['mcp --project shop', 'answer from the sessions of one project only']],
  async run(invocation) {
    const call = await readSettings('mcp', invocation)
    const { serveMcp } = await import('./server-fs.ts')
    const options = { ...sourcesOf(call), personal: personalOf(call), curation: curationOf(call) }
    await supervise(invocation.world, (host) => serveMcp(options, host), { farewell: 'Stopped.' })
    return exitCodes.fine
  },
}
