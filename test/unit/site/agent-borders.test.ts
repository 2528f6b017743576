/**
 * What a session says about its sub-agents is complete and is said once, also if a border between two pages cuts it.
 */
import { expect, it } from 'vitest'
import * as r from '../../helpers/records.ts'
import { buildSite, publicationWith, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const parent = '019cebe6-48a0-7000-8000-00000000c0de'
const [one, two, three] = ['a1', 'a2', 'a3'].map((end) => `019cebe6-6fb0-7000-8000-0000000000${end}`) as [
  string,
  string,
  string,
]
const ciphertext = `gAAAA${'x'.repeat(60)}`

/** Commands with outputs of 9 kB: 45 of them fill a page even if a call is open. */
const work = (name: string, count: number): r.Json[] =>
  Array.from({ length: count }, (_, index) =>
    r.command(`${name}${index}`, `make ${name}${index}`, 0, 'word '.repeat(1900)),
  ).flat()

const said = (author: string, recipient: string, text: string): r.Json =>
  r.item({ type: 'agent_message', author, recipient, content: [{ type: 'input_text', text }] })

interface Mentions {
  pages: number
  /** How often the words occur in the story, on all work pages together, and in Markdown. */
  story: number[]
  works: number[]
  markdown: number[]
}

/** Builds the sessions of a folder and counts words in one of them. */
async function mentionsIn(
  folder: string,
  id: string,
  words: readonly string[],
  options: Parameters<typeof buildSite>[1] = {},
): Promise<Mentions> {
  const { texts } = await buildSite(folder, { formats: ['html', 'md'], ...options })
  const pages = [...texts].flatMap(([path, text]) => (path.startsWith(`sessions/${id}/`) ? [{ path, text }] : []))
  const count = (name: RegExp, start: string): number[] => {
    const bodies = pages.flatMap(({ path, text }) => (name.test(path) ? [text.slice(text.indexOf(start))] : []))
    return words.map((word) => bodies.join('').split(word).length - 1)
  }
  return {
    pages: pages.filter(({ path }) => workPage.test(path)).length,
    story: count(/\/(?:index|story-\d+)\.html$/, '<div class="flow">'),
    works: count(workPage, '<div class="flow">'),
    markdown: count(/\.md$/, '\n## '),
  }
}

const workPage = /\/\d+\.html$/

it('shows tasks and answers once, if calls and their ends are on different pages', async () => {
  const words = [
    'Count the files',
    'Read the second',
    'Write the third',
    'There are four',
    'All is read',
    'Ada-of-the-files',
  ]
  const session = (count: number): r.Json[] => [
    r.started('019cebe6-4c88-7000-8000-000000000001'),
    r.userItem('Ask helpers'),
    r.call('s1', 'spawn_agent', { message: 'Count the files' }),
    r.call('s2', 'spawn_agent', { task_name: 'read_two', message: 'Read the second' }, { namespace: 'collaboration' }),
    r.event('sub_agent_activity', {
      event_id: 's2',
      agent_thread_id: two,
      agent_path: '/root/read_two',
      kind: 'started',
    }),
    r.completed('CollabAgentToolCall', {
      id: 's3',
      tool: 'spawn_agent',
      receiver_thread_ids: [three],
      prompt: 'Write the third',
    }),
    ...work('a', count),
    r.event('collab_agent_spawn_end', { call_id: 's1', new_thread_id: one, prompt: 'Count the files' }),
    r.output('s1', `{"agent_id":"${one}","nickname":"Ada-of-the-files"}`),
    r.output('s2', '{"task_name":"/root/read_two"}'),
    r.event('sub_agent_activity', {
      event_id: 's2',
      agent_thread_id: two,
      agent_path: '/root/read_two',
      kind: 'completed',
    }),
    r.completed('CollabAgentToolCall', {
      id: 's3',
      tool: 'spawn_agent',
      receiver_thread_ids: [three],
      prompt: 'Write the third',
    }),
    r.call('w1', 'wait_agent', { ids: [one] }),
    ...work('b', count),
    r.output('w1', `{"status":{"${one}":{"completed":"There are four"}}}`),
    said('/root/read_two', '/root', 'Message Type: FINAL_ANSWER\nSender: /root/read_two\nPayload:\nAll is read'),
    r.answerItem('They have answered'),
  ]
  const [folder, short] = [useTempDir(), useTempDir()]
  writeSession(folder, parent, session(45))
  writeSession(short, parent, session(1))
  const [cut, whole] = [await mentionsIn(folder, parent, words), await mentionsIn(short, parent, words)]
  expect(cut.pages).toBeGreaterThan(2)
  expect(whole.markdown).toEqual([1, 1, 1, 1, 1, 1])
  expect(cut.markdown).toEqual(whole.markdown)
  // A card shows the task once, if its line contains all of it.
  expect(whole.story).toEqual([1, 1, 1, 1, 1, 1])
  expect(cut.works).toEqual(whole.story)
  // What agents answered is work, which a story of several pages links to.
  expect(cut.story).toEqual([1, 1, 1, 0, 0, 1])
})

it('shows the prompt of a review once', async () => {
  const folder = useTempDir()
  const prompt = r.userEvent('Review what changed')
  writeSession(folder, parent, [
    r.event('entered_review_mode', { target: { type: 'uncommittedChanges' }, user_facing_hint: 'current changes' }),
    prompt,
    ...work('a', 45),
    prompt,
    r.event('exited_review_mode', { review_output: { findings: [], overall_explanation: 'All is well' } }),
  ])
  const { pages, ...texts } = await mentionsIn(folder, parent, ['Review what changed', 'All is well'])
  expect(pages).toBeGreaterThan(1)
  expect(texts).toEqual({ story: [1, 1], works: [1, 1], markdown: [1, 1] })
})

it("finds the text of an encrypted task in the agent's history, some pages earlier", async () => {
  const folder = useTempDir()
  const agent = { parent_thread_id: parent, depth: 1, agent_path: '/root/read_one' }
  const history = [
    r.started('019cebe6-4c88-7000-8000-000000000001'),
    r.userItem('Ask a helper'),
    r.call('s1', 'spawn_agent', { task_name: 'read_one', message: 'Read the first' }, { namespace: 'collaboration' }),
    r.output('s1', '{"task_name":"/root/read_one"}'),
    ...work('a', 45),
    r.aborted('019cebe6-4c88-7000-8000-000000000001'),
  ]
  writeSession(
    folder,
    one,
    [
      r.meta({ id: parent, timestamp: r.instant(0), cwd: '/home/ada/engine' }),
      ...history,
      r.started('019cebe6-6fb1-7000-8000-000000000001'),
      said('/root', '/root/read_one', ciphertext),
      ...r.command('c1', 'cat one', 0, 'found\n'),
      r.answerItem('It is read'),
    ],
    {
      forked_from_id: parent,
      parent_thread_id: parent,
      source: { subagent: { thread_spawn: agent } },
      thread_source: 'subagent',
    },
  )
  const { pages, ...texts } = await mentionsIn(folder, one, ['Read the first', 'Encrypted message'])
  expect(pages).toBeGreaterThan(1)
  // The history is one line of the story; on its work page, the card shows the task once, and the thread itself
  // again.
  expect(texts).toEqual({ story: [1, 0], works: [2, 0], markdown: [2, 0] })
  const publication = publicationWith({ [one]: { exclude: ['l5'] } })
  const withoutCall = await mentionsIn(folder, one, ['Read the first', 'Encrypted message'], { publication })
  expect(withoutCall).toEqual({ pages, story: [0, 1], works: [0, 1], markdown: [0, 1] })
})
