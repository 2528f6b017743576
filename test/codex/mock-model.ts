/** A model on 127.0.0.1 that sends prepared answers over Codex's wire protocol, and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A response item, as the model would send it. */
export type ModelItem = Record<string, unknown>

/** The model. */
export interface MockModel {
  /** Base URL for Codex's configuration. */
  url: string
  /** Sets the items with which the next requests are answered, one list per request. */
  say(...answers: ModelItem[][]): void
  /** Sets the tokens that the next requests report; the last number is for all that follow. Default: 1,240. */
  cost(...tokens: number[]): void
  /** `input` of every request since the last call. */
  heard(): ModelItem[][]
  /** Drops unused answers, recorded requests, and costs. */
  forget(): void
  close(): Promise<void>
}

let made = 0

/** Ids are unique, because Codex takes two items with the same id for the same item. */
function nextId(prefix: string): string {
  made++
  return `${prefix}_${String(made).padStart(8, '0')}`
}

/** A message of the model. */
export function message(text: string): ModelItem {
  return { type: 'message', role: 'assistant', id: nextId('msg'), content: [{ type: 'output_text', text }] }
}

/** A thought of the model, as sent by a model that hides its text. */
export function thought(summary: string, hidden: string): ModelItem {
  const encrypted = Buffer.from(hidden).toString('base64')
  return {
    type: 'reasoning',
    id: nextId('rs'),
    summary: [{ type: 'summary_text', text: summary }],
    encrypted_content: encrypted,
  }
}

/** A command that the model asks for. */
export function command(callId: string, script: string): ModelItem {
  return {
    type: 'function_call',
    id: `fc_${callId}`,
    call_id: callId,
    name: 'exec_command',
    arguments: JSON.stringify({ cmd: script }),
  }
}

/** Starts a model. Close it. */
export async function startModel(): Promise<MockModel> {
  const answers: ModelItem[][] = []
  const inputs: ModelItem[][] = []
  const costs: number[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
      response.writeHead(request.method === 'GET' ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [], models: [] }))
      return
    }
    inputs.push(inputOf(body))
    const tokens = (costs.length > 1 ? costs.shift() : costs[0]) ?? usualCost
    stream(response, answers.shift() ?? [message('Done.')], tokens)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/v1`,
    say: (...next) => answers.push(...next),
    cost: (...tokens) => costs.splice(0, costs.length, ...tokens),
    heard: () => inputs.splice(0),
    forget() {
      answers.length = 0
      costs.length = 0
      inputs.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function inputOf(body: unknown): ModelItem[] {
  return typeof body === 'object' && body !== null && 'input' in body && Array.isArray(body.input) ? body.input : []
}

const usualCost = 1240

function stream(response: ServerResponse, items: readonly ModelItem[], tokens: number): void {
  const send = (type: string, data: Record<string, unknown>): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  }
  const usage = {
    input_tokens: tokens - 40,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens,
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const head = { id: nextId('resp'), object: 'response' }
  send('response.created', { response: { ...head, status: 'in_progress', output: [] } })
  for (const [index, item] of items.entries()) {
    send('response.output_item.added', { output_index: index, item })
    send('response.output_item.done', { output_index: index, item })
  }
  send('response.completed', { response: { ...head, status: 'completed', output: items, usage } })
  response.end()
}
