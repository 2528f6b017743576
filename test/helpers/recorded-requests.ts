/** Requests that a genuine Codex sent to the model, recorded next to the rollouts that it wrote. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CorpusHome } from './corpus.ts'

/** Plain JSON of an item. */
export type WireItem = Record<string, unknown>

/** One request: what was sent, and what the model answered. */
export interface RecordedRequest {
  /** Scenario and number, for messages of tests. */
  name: string
  time: string
  thread: string
  input: WireItem[]
  /** Absent if the request failed. */
  output?: WireItem[]
}

/** The requests of a home, ordered by scenario and time. */
export function recordedRequests({ path }: CorpusHome): RecordedRequest[] {
  const folder = join(path, 'requests')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n')
      return lines.flatMap((line, index) =>
        line === '' ? [] : [{ ...JSON.parse(line), name: `${file.replace(/\.jsonl$/, '')} ${index + 1}` }],
      )
    })
}
