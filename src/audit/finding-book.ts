/** Collects findings within bounds: a file that is full of them takes no more than one that has some. */
import type { Finding } from '../diagnostics/finding.ts'

/** Findings of one rule in one file that are told one by one; further ones are counted by the last. */
const perFile = 100

/** Takes findings, and gives those of all files in the order in which they came. */
export interface FindingBook {
  add(finding: Finding): void
  all(): Finding[]
}

/** An empty book. `personal` findings of a file are told as one with their number: they may be on each line. */
export function findingBook(): FindingBook {
  const findings: Finding[] = []
  /** Findings of the current file by rule. */
  let own = new Map<string, Finding[]>()
  let file: string | undefined
  return {
    add(finding) {
      if (finding.file !== file) own = new Map()
      file = finding.file
      const like = own.get(finding.ruleId) ?? []
      own.set(finding.ruleId, like)
      const last = like.at(-1)
      const most = finding.ruleId.startsWith('personal/') ? 1 : perFile
      if (last !== undefined && like.length >= most) last.count = (last.count ?? 1) + (finding.count ?? 1)
      else {
        like.push(finding)
        findings.push(finding)
      }
    },
    all: () => findings,
  }
}
