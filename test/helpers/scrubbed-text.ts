/**
 * Finds words of a scrubbed rollout that are neither filler nor part of the format. Shares only data with the
 * scrubber, no code.
 */
import { isFiller } from '../../src/features/scrub/filler.ts'
import {
  formatKeys,
  formatValues,
  keptSegments,
  keptTags,
  keptWords,
  scriptWords,
} from '../../src/features/scrub/vocabulary.ts'

/** Words of the phrases that Codex writes around outputs and messages. */
const phrases = `seconds second total output lines original token count process exited with code running session chunk
  wall time exit duration command script completed failed cell warning aborted user after error timed milliseconds exec
  patch rejected approval policy unless trusted reject sandbox execution write stdin blocked hook unable locate image
  unsupported call commit cherry revert create merge requests
   parse function arguments apply verification invalid collab spawn success updated following files plan
  task compact begin update delete move environment instructions agents requested maximum number unified processes your
  account flagged another language model started solve this problem context from setup mentioned review findings prior
  conversation codex guidelines referenced request active selection open tabs message type name sender payload tokens
  chars bytes truncated omitted tool instead rejected policy UnlessTrusted PreToolUse ChatGPT execdir fprint
  applypatch outcome allow rationale content childitem select string object process service location measure group where foreach
  NetTCPConnection ErrorAction SilentlyContinue Ignore Encoding TotalCount System Console OutputEncoding
  Floor Ceiling Round Write Output Split Resolve ConvertTo ConvertFrom Format Table elseif https MESSAGE FINAL ANSWER START END`

/** Keywords of the language of scripts. */
const scriptKeywords =
  'await async break catch class const continue default delete export extends false finally function import instanceof return static super switch throw typeof while yield'.split(
    ' ',
  )

/** Keys whose values are names that are kept: tools, models, versions, kinds. */
const named = new Set(
  `type role status phase record_type kind model model_provider model_provider_id effort reasoning_effort cli_version
  source thread_source history_mode mode mimeType subagent internal content_item_kinds codex_error_info originator
  multi_agent_version collaboration_mode_kind approval_policy sandbox_policy name tool namespace turn_trigger
  tool_name memory_mode`.split(/\s+/),
)

/** File extensions are kept: they say what a file is, not whose. */
const endings = /(?<=\w)\.(?:jsonl|ipynb|swift|scala|class|plist|proto|sqlite)(?![A-Za-z])/g

const letters = /[A-Za-z]{5,}/g
const allowedWords = new Set(
  [
    ...formatKeys,
    ...formatValues,
    ...keptSegments,
    ...keptTags,
    ...keptWords,
    ...scriptWords,
    ...scriptKeywords,
    ...phrases.split(/\s+/),
  ].flatMap((word) => (word.match(letters) ?? []).map((part) => part.toLowerCase())),
)

/** Words of five letters or more in a text, except codes that are not words. */
export function longWords(text: string): string[] {
  const prose = text
    .replace(endings, ' ')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, ' ')
    .replace(/[A-Za-z0-9+/]{60,}={0,2}/g, ' ')
    .replace(/x{5,}/g, ' ')
    // The letter that ends a terminal's colour code is not part of the next word.
    .replace(/(?:\u001b|\\u001b)\[[\d;?]*[A-Za-z]/g, ' ')
  return [...prose.matchAll(/(\\?)([A-Za-z]{5,})/g)].flatMap(([, mark = '', word = '']) => unescaped(mark, word))
}

/** The letter of a JSON escape within a text is not part of the word, unless both make a filler word. */
function unescaped(mark: string, word: string): string[] {
  const rest = word.slice(1)
  if (mark === '' || !/^[nrtbfu]/.test(word) || isFiller(word)) return [word]
  return rest.length < 5 ? [] : [rest]
}

/** The same for a line: one record, or what remains of it. */
export function strayWordsOfLine(line: string): string[] {
  try {
    return strayWords(JSON.parse(line))
  } catch {
    const pair = new RegExp(`"(?:${[...named].join('|')})":"[\\w.:/-]{1,64}"|"\\w+":`, 'g')
    return strayWords(line.replace(pair, ' '))
  }
}

/** Words in a text of a scrubbed record that should not be there. */
export function strayWords(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return named.has(key) && /^[\w.:/ -]{1,64}$/.test(value) ? [] : strange(value)
  if (Array.isArray(value)) return value.flatMap((item) => strayWords(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([inner, item]) => [
    ...(/^[A-Za-z_]\w{0,39}$/.test(inner) ? [] : strange(inner)),
    ...strayWords(item, inner),
  ])
}

function strange(text: string): string[] {
  return longWords(text).filter((word) => !allowedWords.has(word.toLowerCase()) && !isFiller(word))
}
