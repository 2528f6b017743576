/** What a command goes on to print after its call was answered, because its process runs on (rollout-format 3.8). */

import { type ScanLine, traitsOf } from './scan-line.ts'

/** Calls that started processes, and the calls that go on with these. */
export interface RunningCalls {
  /**
   * The call to which a line belongs; all lines of a thread are given, in order. What goes on belongs to the call that started it,
   * until that is as much as a page should read for one command. From then on it belongs to the call that read it.
   */
  startOf: (line: ScanLine) => string | undefined
}

/** Bytes of later lines that belong to one call. */
const maxContinued = 1024 * 1024

export function runningCalls(): RunningCalls {
  /** The call that started a process, by the process. */
  const startedBy = new Map<string, string>()
  /** That call, by a call that goes on with it. */
  const starts = new Map<string, string>()
  /** Bytes of later lines, by the call that started their process. */
  const bytes = new Map<string, number>()
  /** The call with which a line goes on, unless that has enough. */
  const continued = ({ kind, process = '' }: ScanLine): string | undefined => {
    const start = traitsOf(kind).isOutput ? undefined : startedBy.get(process)
    return start !== undefined && (bytes.get(start) ?? 0) < maxContinued ? start : undefined
  }
  return {
    startOf(line) {
      const { callId, kind, process } = line
      if (callId === undefined) return undefined
      const start = starts.get(callId) ?? continued(line) ?? callId
      if (start !== callId) {
        starts.set(callId, start)
        bytes.set(start, (bytes.get(start) ?? 0) + line.bytes)
      }
      if (process !== undefined && traitsOf(kind).isOutput) startedBy.set(process, start)
      return start
    },
  }
}
