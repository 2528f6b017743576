/** Names of threads (rollout-format 1.5). */
import { asObject, asText } from '../parse/decode.ts'

/**
 * Reads the text of a `session_index.jsonl`: the last name of an id wins, blank names and lines that are no JSON
 * object are passed over.
 */
export function parseThreadNames(text: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const line of text.split('\n')) {
    const entry = parseEntry(line)
    if (entry !== undefined) names.set(entry.id, entry.name)
  }
  return names
}

function parseEntry(line: string): { id: string; name: string } | undefined {
  try {
    const entry = asObject(JSON.parse(line))
    const id = asText(entry?.['id'])
    const name = asText(entry?.['thread_name'])?.trim()
    return id === undefined || name === undefined ? undefined : { id: id.toLowerCase(), name }
  } catch {
    return undefined
  }
}
