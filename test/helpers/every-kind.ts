/** An invented session that contains every kind of content, each with a word that occurs nowhere else. */
import { join } from 'node:path'
import type { ContentKind } from '../../src/config/publication.ts'
import { writeFolder } from './folder.ts'
import * as r from './records.ts'
import { threadId } from './rollout.ts'

/** The thread that `writeEveryKind` writes. */
export const everyKindId: string = threadId(71)

const long = 'and on and on '.repeat(10)

/** The words of each kind; some kinds are in several places. */
export const kindWords: Readonly<Record<ContentKind, readonly string[]>> = {
  prompts: ['quokkaprompt', 'quokkasteer'],
  answers: ['wombatanswer', 'wombatcommentary'],
  reasoning: ['numbatthought'],
  injected: ['bilbydeveloper', 'bilbyinstructions', 'bilbysummary'],
  commands: ['dingoscript'],
  tools: ['echidnatool', 'echidnashort'],
  toolOutput: ['possumprinted', 'possumreply', 'possumlong', 'possumtyped'],
  edits: ['koalafile'],
  images: ['potoroopath'],
  toolArguments: ['galahargument'],
  diffs: ['brolgaline'],
  searches: ['currawongquery'],
  plans: ['kowariplan'],
  agents: ['taipantask'],
  approvals: ['boobookquestion', 'boobookreply'],
  notices: ['cassowaryreason'],
  errors: ['bandicooterror'],
  unknown: ['thylacinewords'],
  stats: ['7654321', '7.65'],
  internals: ['platypusclient'],
}

const prompt = (text: string) => [r.userItem(text), r.userEvent(text)]
const diff = '*** Begin Patch\n*** Update File: src/koalafile.ts\n@@\n-old\n+brolgaline\n*** End Patch'
const tokens = {
  input_tokens: 7654000,
  cached_input_tokens: 0,
  output_tokens: 321,
  reasoning_output_tokens: 0,
  total_tokens: 7654321,
}

/** Records of the session. */
export const everyKind: readonly r.Json[] = r.envelopes([
  r.meta({
    id: everyKindId,
    timestamp: r.instant(0),
    cwd: '/home/ada/engine',
    originator: 'platypusclient',
    cli_version: '0.99.0',
  }),
  r.started('0198c0df-0000-7000-8000-000000000001'),
  r.developerItem('bilbydeveloper'),
  r.userItem('<user_instructions>\nbilbyinstructions\n</user_instructions>'),
  r.item({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Mend the quokkaprompt' },
      { type: 'input_image', image_url: r.pixelUrl },
    ],
  }),
  r.userEvent('Mend the quokkaprompt', { images: [r.pixelUrl] }),
  r.reasoningEvent('numbatthought'),
  r.reasoningItem(['numbatthought']),
  ...r.command('c1', 'make dingoscript', 2, 'possumprinted\n'),
  ...r.command('c2', 'cat long', 0, `${'possumlong line\n'.repeat(3000)}`),
  r.call('c3', 'exec_command', { cmd: 'sh' }),
  r.output('c3', 'Process running with session ID 7\nOutput:\n'),
  r.call('c4', 'write_stdin', { session_id: 7, chars: 'possumtyped\n' }),
  r.output('c4', 'Process running with session ID 7\nOutput:\n'),
  r.call('t1', 'mcp__stock__echidnatool', { name: 'echidnashort', text: `galahargument ${long}` }),
  r.output('t1', 'possumreply'),
  r.customCall('p1', 'apply_patch', diff),
  r.customOutput('p1', 'Success. Updated the following files:\nM src/koalafile.ts\n'),
  r.call('v1', 'view_image', { path: '/home/ada/potoroopath.png' }),
  r.output('v1', [{ type: 'input_image', image_url: r.pixelUrl }]),
  r.item({
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: 'currawongquery' },
  }),
  r.call('u1', 'update_plan', { plan: [{ step: 'kowariplan', status: 'pending' }] }),
  r.output('u1', 'Plan updated'),
  r.call('a1', 'spawn_agent', { message: 'taipantask', agent_type: 'explorer' }),
  r.output('a1', JSON.stringify({ agent_id: threadId(72) })),
  r.call('q1', 'request_user_input', { questions: [{ id: 'q', question: 'boobookquestion?' }] }),
  r.output('q1', JSON.stringify({ answers: { q: { answers: ['boobookreply'] } } })),
  ...prompt('And the quokkasteer'),
  r.answerItem('wombatcommentary', { phase: 'commentary' }),
  r.event('error', { message: 'bandicooterror' }),
  { type: 'thylacinerecord', payload: { words: 'thylacinewords' } },
  r.event('token_count', { info: { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 1000 } }),
  r.answerItem('wombatanswer'),
  r.complete('0198c0df-0000-7000-8000-000000000001'),
  r.started('0198c0df-0000-7000-8000-000000000002'),
  { type: 'compacted', payload: { message: 'bilbysummary' } },
  r.complete('0198c0df-0000-7000-8000-000000000002'),
  r.started('0198c0df-0000-7000-8000-000000000003'),
  r.event('turn_aborted', { reason: 'cassowaryreason', turn_id: '0198c0df-0000-7000-8000-000000000003' }),
])

/** Writes the session below `folder` as a Codex home and returns the home's path. */
export function writeEveryKind(folder: string): string {
  const home = join(folder, 'home')
  const text = everyKind.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFolder(home, { [`sessions/2026/03/14/rollout-2026-03-14T09-00-00-${everyKindId}.jsonl`]: text })
  return home
}
