/** A home with a session for each given text, which is in every place that somebody else may have written. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as r from './records.ts'
import { threadNumber } from './summary.ts'

/** An SVG that runs a script, labelled as another format. */
const falsePicture = `data:image/png;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="canary(1)"/>').toString('base64')}`

/** The thread of the text at an index. */
export function threadOf(index: number): string {
  return threadNumber(index + 1)
}

/** The records of a session with each text in every place that can have a text; the first one is in its head too. */
export function sayEverywhere(texts: readonly string[], threadId: string): r.Json[] {
  const text = texts[0] ?? ''
  const git = { branch: text, commit_hash: text }
  const cwd = `/srv/${threadId.slice(-4)}/${text}`
  const head = r.meta({ id: threadId, timestamp: r.instant(0), cwd, originator: text, cli_version: text, git })
  return [head, ...texts.flatMap((each, index) => saying(each, (call) => `call-${index}-${call}`))]
}

/** One turn with a text in each place; `id` returns the ids of its calls. */
function saying(text: string, id: (call: number) => string): r.Json[] {
  return [
    r.turnContext({ cwd: `/srv/${text}`, model: text, effort: text, approval_policy: text }),
    r.developerItem(text),
    r.userItem(text),
    r.reasoningItem([text, `**${text}**`]),
    // An exit code that means an error for every program that the text names: with some programs 1 only means "no".
    ...r.command(id(1), text, 2, text),
    // A program of every system: `ls` has another name if the folder looks like one of Windows.
    r.call(id(2), 'shell_command', { command: 'make', workdir: text }),
    r.output(id(2), `Exit code: 0\nWall time: 1 seconds\nOutput:\n${text}`),
    r.customCall(id(3), 'apply_patch', `*** Begin Patch\n*** Add File: a.txt\n+${text}\n*** End Patch`),
    r.event('patch_apply_end', {
      call_id: id(3),
      success: true,
      stdout: text,
      stderr: '',
      changes: { [text]: { type: 'add', content: text }, 'a.txt': { type: 'add', content: `${text}\n` } },
    }),
    r.call(id(4), text, { query: text, [text]: [text] }, { namespace: `mcp__${text}` }),
    r.event('mcp_tool_call_end', {
      call_id: id(4),
      invocation: { server: text, tool: text, arguments: { query: text } },
      duration: { secs: 0, nanos: 1 },
      result: { Ok: { content: [{ type: 'text', text }] } },
    }),
    r.customCall(id(5), text, text),
    r.customOutput(id(5), text),
    r.call(id(6), 'spawn_agent', { message: text, agent_type: text }),
    r.event('collab_agent_spawn_end', {
      call_id: id(6),
      new_thread_id: text,
      new_agent_nickname: text,
      new_agent_role: text,
      prompt: text,
      status: 'completed',
    }),
    r.call(id(7), 'update_plan', { explanation: text, plan: [{ step: text, status: 'pending' }] }),
    r.output(id(7), 'Plan updated'),
    r.item({ type: 'web_search_call', status: 'completed', action: { type: 'search', queries: [text, text] } }),
    r.item({ type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: text } }),
    r.call(id(8), 'view_image', { path: text }),
    r.output(id(8), [{ type: 'input_image', image_url: falsePicture }]),
    r.item({ type: text, text }),
    r.event('error', { message: text, codex_error_info: text }),
    r.event('background_event', { message: text }),
    r.answerItem(text),
  ]
}

/** The thread that contains all texts. */
export const threadOfAll: string = threadNumber(9999)

/** Writes the home below a folder, with the texts as names of their threads too; returns its path. */
export function writeHostileHome(folder: string, texts: readonly string[]): string {
  const home = join(folder, 'home')
  const day = join(home, 'sessions', '2026', '03', '14')
  mkdirSync(day, { recursive: true })
  const names = texts.map((text, index) => ({ id: threadOf(index), thread_name: text, updated_at: r.instant(0) }))
  writeFileSync(join(home, 'session_index.jsonl'), linesOf(names))
  const write = (said: readonly string[], id: string): void => {
    const records = r.envelopes(sayEverywhere(said, id))
    writeFileSync(join(day, `rollout-2026-03-14T09-00-00-${id}.jsonl`), linesOf(records))
  }
  for (const [index, text] of texts.entries()) write([text], threadOf(index))
  write(texts, threadOfAll)
  return home
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
