/** `codex-export mcp`: the server, built on the official SDK. */

import process from 'node:process'
import { type CommandModule, exitCodes } from '../../cli/command.ts'
import { curationOf, personalOf, readSettings, sourcesOf } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import { generatorName } from '../../config/package-fs.ts'
import type { Diagnostic } from '../../diagnostics/codes.ts'
import { ConfigError, isExpected } from '../../diagnostics/errors.ts'
import { type Host, silent } from '../../site/types.ts'
import { printable, printableLines } from '../../util/printable.ts'
import { errorCode } from '../../util/reason.ts'
import { beginningOf } from '../../util/text.ts'
import type { ServedSources } from './read.ts'

/** Answers an agent's questions about past sessions until the agent disconnects. */
export const mcpCommand: CommandModule = {
  name: 'mcp',
  usage: 'mcp',
  describe: 'Let an agent search and read past sessions, as an MCP server on standard input and output',
  examples: [['mcp --project shop', 'answer from the sessions of one project only']],
  async run(invocation) {
    const call = await readSettings(invocation)
    const [sources, curation] = [sourcesOf(call), curationOf(call)]
    const hidden = Object.entries(curation).flatMap(([id, decision]) => (decision.hidden ? [id] : []))
    const options = {
      ...sources,
      exclude: [...sources.exclude, ...hidden],
      ...{ personal: personalOf(call), curation },
    }
    await supervise(invocation.world, (host) => serveMcp(options, host), { farewell: 'Stopped.' })
    return exitCodes.fine
  },
}

// The server: the official SDK over standard input and output, with one agent at the other end. It opens no port.

/** Serves until the agent closes its end or `host.signal` aborts. Throws a `ConfigError` if the SDK is not installed. */
async function serveMcp(sources: ServedSources, host: Host): Promise<void> {
  const sdk = await loadSdk()
  const [served, { findRoots }] = await Promise.all([
    import('./tools.ts'),
    import('../../rollout/discover/homes-fs.ts'),
  ])
  // Reports a missing home now, not at the first question.
  findRoots(sources.homes, host)
  const [name = '', version = ''] = generatorName().split(' ')
  const server = new sdk.Server({ name, version }, { capabilities: { tools: {} }, instructions: served.untrusted })
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
    tools: served.tools.map(({ name, title, description, inputSchema }) => ({
      ...{ name, title, description, inputSchema },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }))
  server.onerror = logUnread
  const context: CallContext = {
    ...{ served, sources },
    host: { ...host, progress: silent, report: reportOnce(host) },
    since: host.now() - 1000 * process.uptime() - leadMs,
  }
  const running = new Set<Promise<ToolResult>>()
  server.setRequestHandler(sdk.CallToolRequestSchema, (request, { signal }) => {
    const result = answer(request, signal, context)
    running.add(result)
    void result.finally(() => running.delete(result))
    return result
  })
  const transport = new sdk.StdioServerTransport()
  const end = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const close = (): void => void server.close()
  // A client that sends its questions from a file or a pipe closes its end early, but waits for the answers.
  process.stdin.once('end', async () => {
    for (await nextTurn(); running.size > 0; await nextTurn()) await Promise.allSettled(running)
    close()
  })
  host.signal.addEventListener('abort', close, { once: true })
  await server.connect(transport)
  await end
}

/** Logs why a message could not be read: the SDK drops such messages silently, and ends if one is too long. */
function logUnread({ message }: Error): void {
  // The reason may be a list of all forms that the message could have had.
  const reason = message.startsWith('[') ? 'it is not a JSON-RPC 2.0 message' : printable(message)
  process.stderr.write(`codex-export: A message could not be read: ${beginningOf(reason, 300)}.\n`)
}

/** What answering any question needs. */
interface CallContext {
  served: typeof import('./tools.ts')
  sources: ServedSources
  host: Host
  /** When the process started, less `leadMs`, in milliseconds since the epoch. */
  since: number
}

/** Answers one call of a tool. Never rejects. */
async function answer({ params }: CallToolRequest, signal: AbortSignal, context: CallContext): Promise<ToolResult> {
  const { served, sources, host, since } = context
  const tool = served.tools.find((one) => one.name === params.name)
  if (tool === undefined) return failure(`There is no tool \`${params.name}\`.`)
  const own = { ...host, signal: AbortSignal.any([signal, host.signal]) }
  try {
    const value = await tool.run(params.arguments ?? {}, sources, own, { thread: callerOf(params._meta), since })
    return {
      content: [
        { type: 'text', text: served.untrusted },
        { type: 'text', text: JSON.stringify(value) },
      ],
    }
  } catch (error) {
    if (isExpected(error)) return failure(error.message)
    // System errors name folders, so they go to the log of the agent's program and not to the model.
    if (!own.signal.aborted) process.stderr.write(`${printableLines(String((error as Error).stack))}\n`)
    return failure('The question could not be answered; the log of the server says why.')
  }
}

/**
 * Waits for the next turn of the event loop. By then, messages that the SDK has read are with their handlers, and answers
 * are on standard output.
 */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Codex may begin a turn this long before it starts the servers for it. */
const leadMs = 10_000

/** The thread that Codex names in the metadata of a call; older versions name none. */
function callerOf(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { thread_id: own } = (meta?.['x-codex-turn-metadata'] ?? {}) as { thread_id?: unknown }
  const id = meta?.['threadId'] ?? own
  return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}

interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[]
  isError?: true
}

function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** Reports each problem in the input only once, however often it is read. */
function reportOnce({ report }: Host): (item: Diagnostic) => void {
  const reported = new Set<string>()
  return (item) => {
    const key = JSON.stringify(item)
    if (!reported.has(key)) report(item)
    reported.add(key)
  }
}

type CallToolRequest = import('@modelcontextprotocol/sdk/types.js').CallToolRequest

type Sdk = Pick<typeof import('@modelcontextprotocol/sdk/server/index.js'), 'Server'> &
  Pick<typeof import('@modelcontextprotocol/sdk/server/stdio.js'), 'StdioServerTransport'> &
  Pick<typeof import('@modelcontextprotocol/sdk/types.js'), 'CallToolRequestSchema' | 'ListToolsRequestSchema'>

async function loadSdk(): Promise<Sdk> {
  try {
    const [server, stdio, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    return { ...server, ...stdio, ...types }
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ConfigError(
      '`mcp` needs the package `@modelcontextprotocol/sdk`, which is not installed: run `npm install @modelcontextprotocol/sdk`.',
      { cause },
    )
  }
}
