/** Where secrets leave what becomes public: threads and facts before anything is made of them, messages before they are told. */
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts, ScannedThread } from '../model/summary.ts'
import { redactFacts, redactThread } from '../redact/facts.ts'
import { type Redactor, redactor } from '../redact/redactor.ts'
import { redactStrings } from '../redact/strings.ts'
import type { Scan } from './scan.ts'
import type { Host } from './types.ts'

/** A thread with its facts, both without secrets where `redactor` is set. */
export interface PrivateThread extends ScannedThread {
  /** Has numbered the secrets of the facts and goes on with those of the tree; absent where nothing is redacted. */
  redactor?: Redactor
}

/** A scanned thread as it may be published. Numbers count from the facts on, then in the order of the tree. */
export function privateThread(thread: Thread, facts: ScanFacts, redact: boolean): PrivateThread {
  if (!redact) return { thread, facts }
  const own = redactor()
  const shown = redactFacts(facts, own)
  return { thread: redactThread(thread, own), facts: shown, redactor: own }
}

/** A scan as it may be shown. */
export function privateScan(scan: Scan, redact: boolean): Scan {
  if (!redact) return scan
  const diagnostics = scan.diagnostics.map(privateDiagnostic)
  return scan.facts === undefined ? { diagnostics } : { facts: redactFacts(scan.facts, redactor()), diagnostics }
}

/** A diagnostic that quotes no secret. */
export function privateDiagnostic(item: Diagnostic): Diagnostic {
  const { text } = redactor()
  const file = item.file === undefined ? {} : { file: text(item.file) }
  return { ...item, ...file, message: text(item.message) }
}

/** A host that is told no secret. */
export function privateHost(host: Host): Host {
  return { ...host, report: (item) => host.report(privateDiagnostic(item)) }
}

/** Whether a value that is about to be kept on disk is free of secrets. */
export function isPublicValue(value: object): boolean {
  const own = redactor()
  redactStrings(structuredClone(value), own)
  return Object.keys(own.counts).length === 0
}
