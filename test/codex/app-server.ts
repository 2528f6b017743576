/** A Codex that stays open, as in an editor: it keeps the rollout of its thread open until it is closed. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The program with one thread. */
export interface OpenCodex {
  threadId: string
  /** Sends a prompt and waits for the end of the turn. */
  say(text: string): Promise<void>
  /**
   * Calls a method of its protocol with the thread's id among the parameters; returns the result or throws the error.
   */
  call(method: string, params?: object): Promise<unknown>
  /** Kills it, and resolves when it has ended. */
  close(): Promise<void>
}

interface Message {
  id?: number
  method?: string
  result?: { thread?: { id: string }; data?: unknown }
  error?: { message: string }
}

/** Starts `codex app-server` with a new or a resumed thread. */
export async function openCodex(
  bin: string,
  options: { cwd: string; env: NodeJS.ProcessEnv },
  threadId?: string,
): Promise<OpenCodex> {
  // A separate process group, because the program that npm installs starts the real one.
  const child = spawn(bin, ['app-server'], { ...options, stdio: ['pipe', 'pipe', 'ignore'], detached: true })
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const waiting = new Set<(message: Message) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: Message = JSON.parse(line)
    for (const take of [...waiting]) take(message)
  })
  const next = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve) => {
      const take = (message: Message): void => {
        if (!fits(message)) return
        waiting.delete(take)
        resolve(message)
      }
      waiting.add(take)
    })
  let calls = 0
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const call = async (method: string, params: object): Promise<Message> => {
    const id = ++calls
    const answer = next((message) => message.id === id && message.method === undefined)
    send({ id, method, params })
    const message = await answer
    if (message.error !== undefined) throw new Error(`${method}: ${message.error.message}`)
    return message
  }
  await call('initialize', {
    clientInfo: { name: 'test', title: 'test', version: '1.0.0' },
    capabilities: { experimentalApi: true },
  })
  send({ method: 'initialized' })
  const { result } = await (threadId === undefined
    ? call('thread/start', { cwd: options.cwd })
    : call('thread/resume', { threadId }))
  const id = result?.thread?.id ?? ''
  return {
    threadId: id,
    async say(text) {
      const end = next(({ method }) => method === 'turn/completed')
      await call('turn/start', { threadId: id, input: [{ type: 'text', text, text_elements: [] }] })
      await end
    },
    call: async (method, params = {}) => (await call(method, { threadId: id, ...params })).result,
    close() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
      return closed
    },
  }
}
