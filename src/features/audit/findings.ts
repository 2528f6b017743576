/** Collects findings within bounds, so that a file full of them takes no more memory than one with some. */

import { type Finding, finding } from '../../diagnostics/finding.ts'
import { slowHash } from '../../util/hash.ts'
import { ownValue } from '../../util/own.ts'

/** The most findings of one rule in one file that are listed; the last one counts the rest. */
const perFile = 100

/** Receives findings, and returns those of all files in the order in which they came. */
export interface FindingCollector {
  add(finding: Finding): void
  all(): Finding[]
}

/** An empty collector. `personal` findings of a rule in a file become one with a count, because they may be on every line. */
export function findingCollector(): FindingCollector {
  const findings: Finding[] = []
  /** Findings of the current file by rule. */
  let ofFile = new Map<string, Finding[]>()
  let file: string | undefined
  return {
    add(finding) {
      if (finding.file !== file) ofFile = new Map()
      file = finding.file
      const sameRule = ofFile.get(finding.ruleId) ?? []
      ofFile.set(finding.ruleId, sameRule)
      const last = sameRule.at(-1)
      const max = finding.ruleId.startsWith('personal/') ? 1 : perFile
      if (last !== undefined && sameRule.length >= max) last.count = (last.count ?? 1) + (finding.count ?? 1)
      else {
        sameRule.push(finding)
        findings.push(finding)
      }
    },
    all: () => findings,
  }
}

// Fingerprints of what was found, and findings that somebody reviewed and accepted.

/** The reasons for accepted findings, by fingerprint. */
export type Waivers = Readonly<Record<string, string>>

/** A waiver that accepted findings. */
export interface Waived {
  fingerprint: string
  reason: string
  ruleId: Finding['ruleId']
  /** Number of findings. */
  count: number
}

/** The most values of a site that get a fingerprint. Nobody should accept more than that value by value. */
const maxValues = 300

/** Returns fingerprints: the same for the same value, whatever its case, whoever found it and wherever. */
export function fingerprinter(): (value: string) => string | undefined {
  const fingerprints = new Map<string, string>()
  return (value) => {
    // Words of a search index have lost their case.
    const text = value.trim().toLowerCase()
    const existing = fingerprints.get(text)
    if (existing !== undefined || fingerprints.size >= maxValues) return existing
    const fingerprint = slowHash(text)
    fingerprints.set(text, fingerprint)
    return fingerprint
  }
}

/** Counts what waivers accept. */
interface WaiverIndex {
  /** Whether a waiver accepts a finding. */
  pass(item: Finding): boolean
  used(): Waived[]
  /** A finding for each waiver that accepted nothing. */
  unused(): Finding[]
}

/** Creates the index of some waivers. */
export function waiverIndex(waivers: Waivers): WaiverIndex {
  const used = new Map<string, Waived>()
  return {
    pass({ ruleId, fingerprint = '', count = 1 }) {
      const reason = ownValue(waivers, fingerprint)
      if (reason === undefined) return false
      const waived = used.get(fingerprint)
      if (waived === undefined) used.set(fingerprint, { fingerprint, reason, ruleId, count })
      else waived.count += count
      return true
    },
    used: () => [...used.values()],
    unused: () =>
      Object.entries(waivers)
        .filter(([fingerprint]) => !used.has(fingerprint))
        .map(([fingerprint, reason]) => finding('unused-waiver', { file: '' }, `\`${fingerprint}\`: ${reason}`)),
  }
}
