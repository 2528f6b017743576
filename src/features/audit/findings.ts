/** Collects findings within bounds: a file that is full of them takes no more than one that has some. */

import { type Finding, finding } from '../../diagnostics/finding.ts'
import { slowHash } from '../../util/hash.ts'
import { ownValue } from '../../util/own.ts'

/** Findings of one rule in one file that are told one by one; further ones are counted by the last. */
const perFile = 100

/** Takes findings, and gives those of all files in the order in which they came. */
export interface FindingCollector {
  add(finding: Finding): void
  all(): Finding[]
}

/** An empty collector. `personal` findings of a file are told as one with their number: they may be on each line. */
export function findingCollector(): FindingCollector {
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
      const max = finding.ruleId.startsWith('personal/') ? 1 : perFile
      if (last !== undefined && like.length >= max) last.count = (last.count ?? 1) + (finding.count ?? 1)
      else {
        like.push(finding)
        findings.push(finding)
      }
    },
    all: () => findings,
  }
}

// Fingerprints of what was found, and findings that somebody looked at and let pass.

/** Findings that are let pass: the reason, by fingerprint. */
export type Waivers = Readonly<Record<string, string>>

/** A waiver that let findings pass. */
export interface Waived {
  fingerprint: string
  reason: string
  ruleId: Finding['ruleId']
  /** Number of findings. */
  count: number
}

/** Values of a site that get a fingerprint: a site with more is not waved through value by value. */
const maxValues = 300

/** Gives fingerprints: the same for the same value, in whatever case, whoever found it and wherever. */
export function fingerprinter(): (value: string) => string | undefined {
  const known = new Map<string, string>()
  return (value) => {
    // Words of a search index have lost their case.
    const text = value.trim().toLowerCase()
    const own = known.get(text)
    if (own !== undefined || known.size >= maxValues) return own
    const fingerprint = slowHash(text)
    known.set(text, fingerprint)
    return fingerprint
  }
}

/** Counts what waivers let pass. */
export interface WaiverIndex {
  /** Whether a finding is let pass. */
  pass(item: Finding): boolean
  used(): Waived[]
  /** A finding for each waiver that let nothing pass. */
  unused(): Finding[]
}

/** The findings that waivers let pass. */
export function waiverIndex(waivers: Waivers): WaiverIndex {
  const used = new Map<string, Waived>()
  return {
    pass({ ruleId, fingerprint = '', count = 1 }) {
      const reason = ownValue(waivers, fingerprint)
      if (reason === undefined) return false
      const known = used.get(fingerprint)
      if (known === undefined) used.set(fingerprint, { fingerprint, reason, ruleId, count })
      else known.count += count
      return true
    },
    used: () => [...used.values()],
    unused: () =>
      Object.entries(waivers)
        .filter(([fingerprint]) => !used.has(fingerprint))
        .map(([fingerprint, reason]) => finding('unused-waiver', { file: '' }, `\`${fingerprint}\`: ${reason}`)),
  }
}
