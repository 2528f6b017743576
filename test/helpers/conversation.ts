/** Invented conversations, written as each generation of Codex would have written them (rollout-format, appendix A). */
import fc from 'fast-check'
import type { PageSizes } from '../../src/survey/page-cutter.ts'
import type { Json } from './records.ts'
import * as records from './records.ts'

/** Which of the two logs have a record of a message. */
type Sides = 'both' | 'swapped' | 'item' | 'event'

/** One thing that happens in a turn after the prompt. */
export type Step =
  | { type: 'answer'; text: string; sides: Sides }
  | { type: 'steer'; text: string; sides: Sides }
  | { type: 'think'; parts: string[] }
  | { type: 'command'; script: string; exitCode: number; output: string }
  | { type: 'patch'; path: string }
  | { type: 'look' }
  | { type: 'plan'; steps: string[] }
  | { type: 'tokens'; amount: number }

export interface TurnScript {
  prompt: string
  sides: Sides
  steps: Step[]
  end: 'complete' | 'aborted'
}

/** The way in which a build of Codex writes. */
export type Style = 'G1' | 'G2-batch' | 'G2-implicit' | 'G2-explicit' | 'G3'
export const styles: readonly Style[] = ['G1', 'G2-batch', 'G2-implicit', 'G2-explicit', 'G3']

const threadId = '0198c0de-0000-7000-8000-000000000001'

/** Counts calls and turns while a conversation is written. */
class Writer {
  readonly #style: Style
  readonly records: Json[] = []
  #calls = 0
  #turns = 0
  #total = 0
  /** Items that a batch build writes at the end of a request. */
  #batch: Json[] = []

  constructor(style: Style) {
    this.#style = style
    this.records.push(
      style === 'G1'
        ? { id: threadId, timestamp: records.instant(0), instructions: null }
        : records.meta({
            id: threadId,
            timestamp: records.instant(0),
            cwd: '/home/ada/engine',
            ...(style === 'G3' ? { history_mode: 'paginated' } : {}),
          }),
    )
  }

  #flush(): void {
    this.records.push(...this.#batch)
    this.#batch = []
  }

  #turnId(): string {
    return `0198c0df-0000-7000-8000-${String(this.#turns).padStart(12, '0')}`
  }

  #both(item: Json, event: Json, sides: Sides, first: 'item' | 'event'): void {
    if (this.#style === 'G1') {
      this.records.push(item)
      return
    }
    const itemFirst = (first === 'item') !== (sides === 'swapped')
    if (sides === 'item') this.records.push(item)
    else if (sides === 'event') this.records.push(event)
    else if (this.#style === 'G2-batch' && first === 'event') {
      this.records.push(event)
      this.#batch.push(item)
    } else this.records.push(...(itemFirst ? [item, event] : [event, item]))
  }

  user(text: string, sides: Sides): void {
    this.#flush()
    const event =
      this.#style === 'G3'
        ? records.completed(
            'UserMessage',
            { id: `u${this.records.length}`, content: [{ type: 'text', text }] },
            this.#turnId(),
          )
        : records.userEvent(text)
    this.#both(records.userItem(text), event, sides, 'item')
  }

  answer(text: string, sides: Sides): void {
    const id = `msg_${this.records.length}`
    const fields = this.#style === 'G3' ? { id } : {}
    const event =
      this.#style === 'G3'
        ? records.completed('AgentMessage', { id, content: [{ type: 'Text', text }] }, this.#turnId())
        : records.answerEvent(text)
    this.#both(records.answerItem(text, fields), event, sides, 'event')
  }

  think(parts: string[]): void {
    const id = `rs_${this.records.length}`
    if (this.#style === 'G1') this.records.push(records.reasoningItem(parts))
    else if (this.#style === 'G3') {
      this.records.push(
        records.completed('Reasoning', { id, summary_text: parts, raw_content: [] }, this.#turnId()),
        records.reasoningItem(parts, { id }),
      )
    } else {
      this.records.push(...parts.map(records.reasoningEvent))
      const item = records.reasoningItem(parts)
      if (this.#style === 'G2-batch') this.#batch.push(item)
      else this.records.push(item)
    }
  }

  call(name: string, args: unknown, outputText: unknown, ended?: (callId: string) => Json): void {
    this.#flush()
    const callId = `call_${this.#calls++}`
    this.records.push(records.call(callId, name, args))
    if (ended !== undefined && this.#style === 'G3') this.records.push(ended(callId))
    this.records.push(records.output(callId, outputText))
  }

  step(step: Step): void {
    if (step.type === 'answer') this.answer(step.text, step.sides)
    else if (step.type === 'steer') this.user(step.text, step.sides)
    else if (step.type === 'think') this.think(step.parts)
    else if (step.type === 'command') this.#command(step)
    else if (step.type === 'patch') this.#patch(step.path)
    else if (step.type === 'look') {
      this.call('view_image', { path: '/home/ada/a.png' }, [{ type: 'input_image', image_url: records.pixelUrl }])
    } else if (step.type === 'plan') {
      this.call('update_plan', { plan: step.steps.map((text) => ({ step: text, status: 'pending' })) }, 'Plan updated')
    } else if (this.#style !== 'G1') this.#tokens(step.amount)
  }

  #command({ script, exitCode, output }: Extract<Step, { type: 'command' }>): void {
    const text = `Exit code: ${exitCode}\nWall time: 0.1 seconds\nOutput:\n${output}`
    this.call('shell_command', { command: script, workdir: '/home/ada/engine' }, text, (callId) =>
      records.completed(
        'CommandExecution',
        {
          id: callId,
          command: ['bash', '-lc', script],
          cwd: 'file:///home/ada/engine',
          parsed_cmd: [{ type: 'unknown', cmd: script }],
          source: 'unified_exec_startup',
          status: exitCode === 0 ? 'completed' : 'failed',
          aggregated_output: output,
          exit_code: exitCode,
          duration: { secs: 0, nanos: 100_000_000 },
        },
        this.#turnId(),
      ),
    )
  }

  #patch(path: string): void {
    const text = `*** Begin Patch\n*** Add File: ${path}\n+one\n+two\n*** End Patch`
    this.call('apply_patch', { input: text }, `Success. Updated the following files:\nA ${path}\n`)
  }

  #tokens(amount: number): void {
    this.#total += amount
    const usage = (total: number): Json => ({ input_tokens: total - 1, output_tokens: 1, total_tokens: total })
    this.records.push(
      records.event('token_count', {
        info: { total_token_usage: usage(this.#total), last_token_usage: usage(amount), model_context_window: 1000 },
      }),
    )
  }

  turn(script: TurnScript): void {
    this.#turns++
    const explicit = this.#style === 'G2-explicit' || this.#style === 'G3'
    if (explicit) this.records.push(records.started(this.#turnId()))
    this.user(script.prompt, script.sides)
    if (this.#style !== 'G1') this.records.push(records.turnContext({ cwd: '/home/ada/engine', model: 'gpt-9' }))
    for (const step of script.steps) this.step(step)
    this.#flush()
    if (script.end === 'aborted' && this.#style !== 'G1') {
      this.records.push(records.aborted(explicit ? this.#turnId() : undefined))
    } else if (explicit) this.records.push(records.complete(this.#turnId()))
  }
}

/** The records of a conversation, and its dialogue as `dialogue` of the slice helper returns it. */
export function write(turns: readonly TurnScript[], style: Style): { values: Json[]; dialogue: string[] } {
  const writer = new Writer(style)
  for (const turn of turns) writer.turn(turn)
  const bare = style === 'G1'
  const values = bare
    ? writer.records.map((record) => (record['type'] === 'response_item' ? (record['payload'] as Json) : record))
    : records.envelopes(writer.records, style === 'G3')
  const dialogue = turns.flatMap(({ prompt, steps }) => [
    `U ${prompt}`,
    ...steps.flatMap((step) => {
      if (step.type === 'answer') return [`A ${step.text}`]
      return step.type === 'steer' ? [`U ${step.text}`] : []
    }),
  ])
  return { values, dialogue }
}

/** Words that people and models repeat, so that equal texts are common. */
const words = fc.constantFrom('go on', 'yes', 'Done.', 'Run the tests', 'try\nagain', 'Ünïcödé 🚀', '## A heading')

const scripts = fc.constantFrom(
  'ls src',
  'cat a.txt',
  'rg engine',
  'make all',
  'npm test && echo done',
  'sed -n 1,5p b',
)

const quietStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('think' as const), parts: fc.array(words, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    type: fc.constant('command' as const),
    script: scripts,
    exitCode: fc.constantFrom(0, 0, 1, 127),
    output: fc.constantFrom('', 'ok\n', 'a\nb\nc\n', '\u001B[31mred\u001B[0m\n'),
  }),
  fc.record({ type: fc.constant('patch' as const), path: fc.constantFrom('a.txt', 'src/b.ts') }),
  fc.constant<Step>({ type: 'look' }),
  fc.record({ type: fc.constant('plan' as const), steps: fc.array(words, { minLength: 1, maxLength: 2 }) }),
  fc.record({ type: fc.constant('tokens' as const), amount: fc.integer({ min: 1, max: 500 }) }),
)

const end = fc.constantFrom<TurnScript['end']>('complete', 'complete', 'complete', 'aborted')

/** Conversations whose messages are in both logs in their usual order; equal texts are common. */
export const conversation: fc.Arbitrary<TurnScript[]> = fc.array(
  fc.record({
    prompt: words,
    sides: fc.constant<Sides>('both'),
    steps: fc.array(
      fc.oneof(
        { weight: 2, arbitrary: quietStep },
        fc.record({ type: fc.constant('answer' as const), text: words, sides: fc.constant<Sides>('both') }),
      ),
      { maxLength: 8 },
    ),
    end,
  }),
  { minLength: 1, maxLength: 6 },
)

/** Conversations of different texts, with copies dropped and swapped between the logs at random. */
export const torn: fc.Arbitrary<TurnScript[]> = fc
  .array(
    fc.record({
      prompt: fc.constant(''),
      sides: fc.constantFrom<Sides>('both', 'swapped', 'item', 'event'),
      steps: fc.array(
        fc.oneof(
          quietStep,
          fc.record({
            type: fc.constant('answer' as const),
            text: fc.constant(''),
            sides: fc.constantFrom<Sides>('both', 'swapped', 'item', 'event'),
          }),
        ),
        { maxLength: 8 },
      ),
      end,
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((turns) => {
    let number = 0
    return turns.map((turn) => ({
      ...turn,
      prompt: `prompt ${number++}`,
      steps: turn.steps.map((step) => (step.type === 'answer' ? { ...step, text: `answer ${number++}` } : step)),
    }))
  })

/** Pages that contain little, so that short conversations have several. */
export const pageSizes: fc.Arbitrary<PageSizes> = fc.record({
  weight: fc.integer({ min: 200, max: 8000 }),
  items: fc.integer({ min: 1, max: 24 }),
  bytes: fc.integer({ min: 100, max: 18_000 }),
  lines: fc.integer({ min: 1, max: 60 }),
})
