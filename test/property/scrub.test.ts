/** Whatever a rollout says, a fixture made from it says nothing of that, and is read in the same way. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFiller } from '../../src/features/scrub/filler.ts'
import { scrubber } from '../../src/features/scrub/scrub.ts'
import { readLines } from '../../src/rollout/read/lines.ts'
import { bufferSource } from '../../src/rollout/read/source.ts'
import { type LineValues, parseLine } from '../../src/rollout/read/value.ts'
import { transcribe } from '../../src/transcript.ts'
import { conversation, type Style, styles, torn, write } from '../helpers/conversation.ts'
import type { Json } from '../helpers/records.ts'
import * as records from '../helpers/records.ts'
import { scrubFile, scrubRecord, scrubTexts } from '../helpers/scrub.ts'
import { longWords, strayWords } from '../helpers/scrubbed-text.ts'
import { shapeOf } from '../helpers/shape.ts'
import { useTempDir } from '../helpers/temp.ts'

/** A word that is neither filler nor part of the format. */
const secret = fc
  .stringMatching(/^[a-z]{5,11}$/)
  .filter((word) => !isFiller(word) && strayWords(word).length > 0)
  .chain((word) => fc.constantFrom(word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)))

/** Texts in which people, programs and paths contain a word. */
const texts: readonly ((word: string) => string)[] = [
  (w) => `Please look at ${w}, then at the ${w}s.`,
  (w) => `- [x] **${w}**\n\n| a | ${w} |\n|---|---|\n| [${w}](https://${w}.com/${w}?${w}=${w}#${w}) | \`${w}\` |`,
  (w) => `\`\`\`${w}\nconst ${w} = get_${w}('${w}')\n\`\`\``,
  (w) => `cat ${w}.ts | grep -n '${w}' && rg --files ./${w}/${w} --${w}`,
  (w) => `/home/${w}/${w}.${w}/${w}.json C:\\Users\\${w}\\${w}.txt ~/${w} file:///Users/${w}/a%20${w}`,
  (w) => `${w}@${w}.example.com git@${w}.org:${w}/${w}.git https://${w}:${w}@${w}.io:8080/${w}`,
  (w) => `Exit code: 1\nWall time: 0.1 seconds\nOutput:\nerror: ${w}\n${w}: command not found`,
  (w) => `{"output":"${w} {\\"${w}\\": 1}","metadata":{"exit_code":0,"duration_seconds":0.1}}`,
  (w) => `{"${w}": ["${w}", {"${w}": "${w}"}]}`,
  (w) => `*** Begin Patch\n*** Update File: ${w}/a ${w}.ts\n@@ class ${w}\n-${w}\n+${w}2\n*** End Patch`,
  (w) => `<environment_context>\n  <cwd>/srv/${w}</cwd>\n  <${w}>${w}</${w}>\n</environment_context>`,
  (w) => `# Context from my IDE setup:\n## Active file: ${w}\n## My request for Codex:\n${w}`,
  (w) => `ünder${w} größe_${w}-${w} \u001b[1m${w}\u001b[0m “${w}” …12 tokens truncated…${w}`,
  (w) => `data:text/${w};base64,${Buffer.from(`${w} `.repeat(20)).toString('base64')}`,
  (w) => `sk-${w}1234567890abcdef ghp_${w}0123456789abcdef`,
  (w) => w,
]

/** Records of every kind with a text, and with a word as name, key and id. */
const shapes: readonly ((text: string, word: string) => Json)[] = [
  (t, w) =>
    records.meta({
      id: '0198c0de-0000-7000-8000-000000000001',
      cwd: `/home/${w}/${w}`,
      originator: w,
      instructions: t,
      git: { branch: `${w}/${w}`, repository_url: `git@${w}.com:${w}/${w}.git` },
      base_instructions: { text: t },
    }),
  (t) => records.userItem(t),
  (t, w) => records.userEvent(t, { images: [t], local_images: [`/tmp/${w}.png`], text_elements: [{ placeholder: t }] }),
  (t) => records.answerItem(t, { phase: 'final_answer' }),
  (t) => records.reasoningItem([t, t]),
  (t, w) => records.call(`call_${w}`, 'shell', { command: ['bash', '-lc', t], workdir: `/srv/${w}`, justification: t }),
  (t, w) => records.call('call_1', `mcp__${w}__find_${w}`, { [w]: t, [`${w} key`]: { [w]: [t] }, type: w, name: w }),
  (t, w) => records.call('call_1', `find_${w}s`, { q: t }, { namespace: `mcp__${w}` }),
  (t) => records.customCall('call_2', 'exec', t),
  (t) => records.output('call_1', t),
  (t) => records.output('call_1', [{ type: 'input_text', text: t }]),
  (t, w) =>
    records.event('mcp_tool_call_end', {
      invocation: { server: w, tool: w, arguments: { [w]: t } },
      result: { Ok: { content: [{ type: 'text', text: t }], structuredContent: { [w]: t, type: w } } },
    }),
  (t, w) =>
    records.completed('FileChange', { id: 'c', changes: { [`/srv/${w}/${w}.ts`]: { type: 'add', content: t } } }),
  (t, w) =>
    records.completed('CommandExecution', {
      id: w,
      command: ['bash', '-lc', t],
      cwd: `file:///srv/${w}`,
      aggregated_output: t,
      env: { [w]: t },
    }),
  (t, w) =>
    records.call('call_3', 'request_user_input', {
      questions: [{ id: w, header: t, question: t, options: [{ label: t, description: t }] }],
    }),
  (_, w) => records.output('call_3', JSON.stringify({ answers: { [w]: { answers: [w] } } })),
  (t, w) =>
    records.turnContext({
      cwd: `/srv/${w}`,
      model: 'gpt-5',
      user_instructions: t,
      summary: w,
      timezone: `Europe/${w}`,
    }),
  (t, w) => records.event('error', { message: t, reason: w, detail: w }),
  (t, w) => ({ type: 'world_state', payload: { full: true, state: { [w]: { [w]: t } } } }),
  (t, w) => ({ type: 'brand_new_line', payload: { type: 'brand_new_kind', new_field: t, list: [t, { text: w }] } }),
]

const planted = fc.record({
  word: secret,
  text: fc.constantFrom(...texts),
  shape: fc.constantFrom(...shapes),
})

const line = ({
  word,
  text,
  shape,
}: {
  word: string
  text: (word: string) => string
  shape: (text: string, word: string) => Json
}) => JSON.stringify({ timestamp: records.instant(1), ...shape(text(word), word) })

/** The words of a text in lower case. */
const wordsIn = (text: string): Set<string> => new Set(longWords(text).map((word) => word.toLowerCase()))

/** Words of many scripts, and what is between words in Markdown. */
const prose = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[a-z]{1,14}$/),
      fc.stringMatching(/^[A-Z][a-z]{0,8}$/),
      fc.stringMatching(/^[а-яА-Я]{1,8}$/),
      fc.stringMatching(/^[\u4e00-\u9fa5]{1,6}$/),
      fc.constantFrom(
        'Größe',
        'žluťoučký',
        'ΑΒγδ',
        'שלום',
        'ありがとう',
        'カタカナ',
        '한국어',
        'ไทย',
        'हिन्दी',
        'tiếng',
        '😀',
        '☂',
        ' 1234 ',
      ),
      fc.constantFrom(
        ' ',
        '\n',
        '\n\n',
        '# ',
        '- ',
        '\n1. ',
        '> ',
        '**',
        '_ ',
        ' `',
        '` ',
        '\n```\n',
        ' | ',
        '|---|',
        ' [',
        ']',
        '(',
        ')',
        ', ',
        '!',
        '\t',
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

test('a text keeps its length in characters and bytes, its scripts, its digits and its Markdown', () => {
  const kinds = (text: string): string =>
    text
      .replace(/\p{Lu}/gu, 'A')
      .replace(/[\p{Ll}\p{Lo}]/gu, 'a')
      .replace(/\p{Extended_Pictographic}/gu, '*')
  fc.assert(
    fc.property(prose, (text) => {
      const { payload } = scrubRecord(records.userEvent(text)) as { payload: { message: string } }
      expect(kinds(payload.message)).toBe(kinds(text))
      expect(payload.message).toHaveLength(text.length)
      expect(Buffer.byteLength(payload.message)).toBe(Buffer.byteLength(text))
      for (const script of ['Latin', 'Cyrillic', 'Han', 'Hangul', 'Hebrew', 'Thai', 'Hiragana', 'Devanagari']) {
        const letters = new RegExp(`\\p{Script=${script}}`, 'gu')
        expect(payload.message.match(letters)?.length).toBe(text.match(letters)?.length)
      }
    }),
    { numRuns: 1000, examples: [['aaaaaaaA'.repeat(8)]] },
  )
})

describe('a scrubbed line', () => {
  test('contains no word of five letters or more that somebody wrote, wherever it was', () => {
    fc.assert(
      fc.property(planted, (plant) => {
        const [scrubbed = ''] = scrubTexts([line(plant)])
        const wordsLeft = wordsIn(scrubbed)
        expect({ wordsLeft: wordsLeft.has(plant.word.toLowerCase()), scrubbed }).toEqual({ wordsLeft: false, scrubbed })
        expect(strayWords(JSON.parse(scrubbed))).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })

  test('contains no such word if it is cut off anywhere', () => {
    fc.assert(
      fc.property(planted, fc.double({ min: 0, max: 1, noNaN: true }), (plant, part) => {
        const whole = line(plant)
        const cut = whole.slice(0, Math.floor(whole.length * part))
        const [scrubbed = ''] = scrubTexts([cut])
        const wordsLeft = wordsIn(scrubbed)
        const beginnings = Array.from({ length: plant.word.length - 4 }, (_, at) =>
          plant.word.slice(0, 5 + at).toLowerCase(),
        )
        expect(beginnings.filter((word) => wordsLeft.has(word) && strayWords(word).length > 0)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test('is the same for the same file, and different for another file', () => {
    fc.assert(
      fc.property(planted, (plant) => {
        const lines = [line(plant), line(plant)]
        const [first, second] = scrubTexts(lines)
        expect(second).toBe(first)
        expect(scrubTexts(lines)).toEqual([first, second])
      }),
      { numRuns: 100 },
    )
    const secrets = ['one file', 'another file'].map(
      (key) => scrubTexts([JSON.stringify(records.userItem('A text of some words that differ'))], key)[0],
    )
    expect(secrets[0]).not.toBe(secrets[1])
  })

  test('contains no number of five digits or more from a text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 999_999_999 }), (number) => {
        const texts = [`Call ${number} or id=${number}.`, `{"account": ${number}}`, `x${number}y`]
        for (const scrubbed of scrubTexts(texts.map((text) => JSON.stringify(records.output('c', text)))))
          expect(scrubbed).not.toContain(String(number))
      }),
    )
  })
})

/** What the reader makes of some bytes: the shape of values, and faults. */
function reading(bytes: Uint8Array): { values: unknown[]; faults: LineValues['faults'] }[] {
  const found: { values: unknown[]; faults: LineValues['faults'] }[] = []
  readLines(bufferSource(bytes), (item) => {
    const { values, faults } = parseLine(item)
    found.push({ values: values.map(form), faults })
  })
  return found
}

function form(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(form)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.values(value).map(form)
}

/** Ways to damage a line. */
const damage: readonly ((text: string, at: number) => Uint8Array)[] = [
  (text) => Buffer.from(text),
  (text, at) => Buffer.from(text.slice(0, at)),
  (text) => Buffer.from(text + text),
  (text, at) => Buffer.from(text.slice(0, at) + text),
  (text, at) => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xc3]), Buffer.from(text.slice(at))]),
  (text, at) => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.alloc(7), Buffer.from(text.slice(at))]),
  (text) => Buffer.concat([Buffer.alloc(9), Buffer.from(text)]),
  (text, at) => Buffer.from(`${text.slice(0, at)}}{${text.slice(at)}`),
]

test('a damaged line is damaged in the same way after scrubbing', () => {
  const damagedLines = fc.record({
    plant: planted,
    how: fc.constantFrom(...damage),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(damagedLines, fc.boolean(), ({ plant, how, part }, terminated) => {
      const text = line(plant)
      const bytes = how(text, Math.floor(text.length * part))
      const scrubbed = scrubber('a secret')(bytes)
      const end = Buffer.from(terminated ? '\n' : '')
      expect(reading(Buffer.concat([scrubbed, end]))).toEqual(reading(Buffer.concat([bytes, end])))
    }),
    { numRuns: 1500 },
  )
})

test('any JSON keeps its shape', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const [scrubbed = ''] = scrubTexts([JSON.stringify(value)])
      const count = (item: unknown): unknown =>
        typeof item === 'object' && item !== null ? Object.values(item).map(count) : typeof item
      expect(count(JSON.parse(scrubbed))).toEqual(count(value))
    }),
    { numRuns: 1000 },
  )
})

test('any bytes are scrubbed without an error, and no line end is added', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const clean = bytes.map((byte) => (byte === 10 ? 32 : byte))
      expect(scrubber('a secret')(clean).includes(10)).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('a conversation, written by any build, keeps its shape', async () => {
  const folder = useTempDir()
  const before = join(folder, 'rollout-2026-03-14T09-00-00-0198c0de-0000-7000-8000-000000000001.jsonl')
  const after = join(folder, 'fixture.jsonl')
  await fc.assert(
    fc.asyncProperty(fc.oneof(conversation, torn), fc.constantFrom<Style>(...styles), async (turns, how) => {
      const { values } = write(turns, how)
      writeFileSync(before, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
      writeFileSync(after, (await scrubFile(before)).bytes)
      const [original, fixture] = [await transcribe(before), await transcribe(after)]
      expect(shapeOf(fixture.session)).toEqual(shapeOf(original.session))
    }),
    { numRuns: 60 },
  )
})
