/**
 * Commands of a rollout, counted from its raw lines. It shares no code with `src`: it is a second, simpler reading to
 * compare ours with, and only suited to complete files of genuine builds (rollout-format 3.7, 3.8).
 */
import { readFileSync } from 'node:fs'
import { ZSTDDecoder } from 'zstddec'

type Json = Record<string, unknown>

/** A command as the raw lines describe it. */
export interface RawCommand {
  exitCode: number | undefined
}

interface Found extends RawCommand {
  /** Not a command after all, because the call was a patch. */
  patch: boolean
  user: boolean
  script: string
  /** The exit code in the output: without one, the code -1 of an end record is not an exit code. */
  saidCode?: number
}

const shellNames = new Set(['shell', 'container.exec', 'local_shell', 'shell_command', 'exec_command'])

/** Text of a file, decompressed if necessary by the library, without our reader. */
async function read(path: string): Promise<string> {
  const bytes = readFileSync(path)
  if (!path.endsWith('.zst')) return bytes.toString('utf8')
  const decoder = new ZSTDDecoder()
  await decoder.init()
  // Frames of a stream do not contain their size: none in the corpus is larger than this.
  return Buffer.from(decoder.decode(bytes, 64 << 20)).toString('utf8')
}

/** JSON values of a file's lines; two records on one line (0.8) are split where a state record begins. */
async function valuesOf(path: string): Promise<Json[]> {
  const text = await read(path)
  if (path.endsWith('.json')) return (JSON.parse(text) as { items: Json[] }).items
  return text
    .split('\n')
    .flatMap((line) => line.split(/(?<=\})(?=\{"record_type":)/))
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Json]
      } catch {
        return []
      }
    })
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map((part: Json) => String(part['text'] ?? '')).join('\n')
  return JSON.stringify(output ?? '')
}

function exitCodeOf(text: string): number | undefined {
  if (text.startsWith('{')) {
    const code = (JSON.parse(text) as { metadata?: { exit_code?: number } }).metadata?.exit_code
    if (code !== undefined) return code
  }
  const head = text.split('\nOutput:')[0] ?? ''
  const exit = /^Exit code: (-?\d+)$/m.exec(head) ?? /^Process exited with code (-?\d+)$/m.exec(head)
  if (exit !== null) return Number(exit[1])
  return /^command timed out after \d+ milliseconds/.test(text) ? 124 : undefined
}

/** The words that a shell gets, or the complete patch if a call passes it as one argument or more. */
function scriptOf(args: Json): string {
  const command = args['command'] ?? args['cmd']
  if (!Array.isArray(command)) return String(command)
  const patch = command.findIndex((word) => String(word).startsWith('*** Begin Patch'))
  return patch < 0 ? String(command.at(-1)) : command.slice(patch).join('\n')
}

class Counter {
  readonly #commands = new Map<string, Found>()
  readonly #userCommands: Found[] = []
  /** Command by the session number of its process. */
  readonly #processes = new Map<string, Found>()
  /** Process by the id of a `write_stdin` call. */
  readonly #polls = new Map<string, string>()

  add(payload: Json): void {
    const type = payload['type']
    if (type === 'function_call') this.#call(payload)
    else if (type === 'local_shell_call') {
      const action = payload['action'] as Json
      this.#open(String(payload['call_id'] ?? payload['id']), scriptOf(action))
    } else if (type === 'function_call_output') this.#output(payload)
    else if (type === 'exec_command_end') this.#end(String(payload['call_id']), payload)
    else if (type === 'patch_apply_end') this.#patch(String(payload['call_id']))
    else if (type === 'item_completed') this.#item(payload['item'] as Json)
    else if (type === 'message' && payload['role'] === 'user') this.#message(payload)
  }

  #call(payload: Json): void {
    const name = String(payload['name'])
    const id = String(payload['call_id'])
    const args = JSON.parse(String(payload['arguments'])) as Json
    if (shellNames.has(name)) this.#open(id, scriptOf(args))
    if (name === 'write_stdin') this.#polls.set(id, String(args['session_id']))
  }

  #open(id: string, script: string): void {
    const patch = /apply_?patch/.test(script) && script.includes('*** Begin Patch')
    this.#commands.set(id, {
      exitCode: undefined,
      patch: patch || script.startsWith('*** Begin Patch'),
      user: false,
      script,
    })
  }

  #output(payload: Json): void {
    const id = String(payload['call_id'])
    const text = textOf(payload['output'])
    const poll = this.#polls.get(id)
    const command = this.#commands.get(id) ?? (poll === undefined ? undefined : this.#processes.get(poll))
    if (command === undefined) return
    const code = exitCodeOf(text)
    if (code !== undefined) command.saidCode = code
    command.exitCode ??= code
    const running = /^Process running with session ID (\d+)$/m.exec(text)?.[1]
    if (running !== undefined) this.#processes.set(running, command)
  }

  #item(item: Json): void {
    if (item['type'] === 'CommandExecution') this.#end(String(item['id']), item)
    if (item['type'] === 'FileChange') this.#patch(String(item['id']))
  }

  #end(id: string, record: Json): void {
    const code = record['exit_code']
    const existing = this.#commands.get(id)
    const command: Found = existing ?? {
      exitCode: undefined,
      patch: false,
      user: record['source'] === 'user_shell',
      script: String((record['command'] as unknown[]).at(-1)),
    }
    if (typeof code === 'number') command.exitCode = code
    this.#commands.set(id, command)
  }

  #patch(id: string): void {
    const existing = this.#commands.get(id)
    if (existing !== undefined) existing.patch = true
  }

  /** The user's own commands, as they are reported to the model. */
  #message(payload: Json): void {
    const text = textOf(payload['content']).trim()
    const match = /^<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\s*Exit code: (-?\d+)/.exec(
      text,
    )
    if (match !== null)
      this.#userCommands.push({ exitCode: Number(match[2]), patch: false, user: true, script: match[1] ?? '' })
  }

  result(): RawCommand[] {
    const found = [...this.#commands.values()].filter(({ patch }) => !patch)
    const own = found.filter(({ user }) => user).map(({ script }) => script.trim())
    const rest = this.#userCommands.filter(({ script }) => {
      const index = own.indexOf(script.trim())
      if (index >= 0) own.splice(index, 1)
      return index < 0
    })
    return [...found, ...rest].map(({ exitCode, saidCode }) => ({
      exitCode: exitCode === -1 && saidCode !== -1 ? undefined : exitCode,
    }))
  }
}

/** The commands of an uncompressed rollout, including copied history. */
export async function rawCommands(path: string): Promise<RawCommand[]> {
  const counter = new Counter()
  for (const value of await valuesOf(path)) counter.add((value['payload'] as Json | undefined) ?? value)
  return counter.result()
}
