/**
 * What a code-mode script calls and prints, read from its text. It is parsed and gone through value by value; nothing of
 * it is ever run, and however it is written, a reading ends after so many steps.
 */

import { createRequire } from 'node:module'
import type { Options, Program } from 'acorn'
import { type Emission, Ended, Exhausted, limits, type Machine, type ScriptCall, type UnreadReason } from './machine.ts'
import { invoke, invokeUnknown, runProgram } from './statement.ts'

export type { Emission, ScriptCall, UnreadReason } from './machine.ts'

/** A script that was read. */
export interface Script {
  /** Calls of tools, in order. */
  calls: readonly ScriptCall[]
  /** What it prints, in order. */
  emissions: readonly Emission[]
  /** What could not be read, and why. */
  unread: readonly { reason: UnreadReason; code: string }[]
}

/** Scripts that were read last: the tree of a session and what its model remembers ask for each. */
const known = new Map<string, Script>()
const maxKnown = 500
/** UTF-16 units of a script that is remembered, and of the texts that reading it made. */
const maxKnownLength = 8000

/** Reads a script. Total: what is no JavaScript, or too much of it, gives what was read until then and the reason. */
export function readScript(code: string): Script {
  const before = known.get(code)
  if (before !== undefined) return before
  const machine = machineFor(code)
  read(code, machine)
  if (code.length + machine.characters <= maxKnownLength) {
    if (known.size >= maxKnown) known.clear()
    known.set(code, machine)
  }
  return machine
}

function read(code: string, machine: Machine): void {
  const fail = (reason: UnreadReason): void => {
    machine.unread.push({ reason, code: code.slice(0, 200) })
  }
  if (code.length > limits.length) {
    fail('too-long')
    return
  }
  const parsed = parseScript(code)
  if (typeof parsed === 'string') fail(parsed)
  else {
    if (parsed.damaged) fail('syntax')
    const reason = runUntilEnd(parsed.program, machine)
    if (reason !== undefined) fail(reason)
  }
}

/** Why a reading ended early. */
function runUntilEnd(program: Program, machine: Machine): UnreadReason | undefined {
  try {
    runProgram(program, machine)
  } catch (error) {
    if (error instanceof Ended) return undefined
    if (error instanceof Exhausted) return error.reason
    // The stack of this program ends before that of a script does.
    if (error instanceof RangeError) return 'too-deep'
    throw error
  }
  return undefined
}

function machineFor(source: string): Machine {
  const machine: Machine = {
    source,
    calls: [],
    emissions: [],
    unread: [],
    steps: 0,
    characters: 0,
    depth: 0,
    doubts: [],
    numbers: 0,
    repeats: 0,
    mayHaveEnded: false,
    mayHaveLeft: false,
    functions: 0,
    mayHaveReturned: undefined,
    tries: [],
    touched: [],
    returns: [],
    invoke: (callee, args) => invoke(callee, args, machine),
    invokeUnknown: (callee, from) => invokeUnknown(callee, from, machine),
  }
  return machine
}

// The syntax of a script: acorn, loaded when the first script is read. A build without code mode never loads it.

const load = createRequire(import.meta.url)

/** Codex runs scripts as the body of an async module: `await` and `return` stand at the top, and `import` may. */
const options: Options = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
}

/** A program, and whether parts of the script were skipped because they are no JavaScript. */
export interface Parsed {
  program: Program
  damaged: boolean
}

/** Parses a script; one that is no JavaScript as far as it goes. Gives the reason where it is too much for a parser. */
function parseScript(code: string): Parsed | UnreadReason {
  try {
    const { Parser }: typeof import('acorn') = load('acorn')
    return { program: Parser.parse(code, options), damaged: false }
  } catch (error) {
    return error instanceof SyntaxError ? parseLoosely(code) : 'too-deep'
  }
}

function parseLoosely(code: string): Parsed | UnreadReason {
  try {
    return { program: looseParser().parse(code, options), damaged: true }
  } catch (error) {
    return error instanceof Exhausted ? error.reason : 'too-deep'
  }
}

/** Characters that a loose parser may pass again for what is no JavaScript: about a second. */
const maxPassed = 64 * 1_048_576

/** What both parsers of acorn say of a place that is no JavaScript; its types do not tell. */
interface Tokenizer {
  input: string
  raise(this: Tokenizer, position: number, message: string): never
}

/** At each fault acorn passes the script, to count lines or to look for an end; the loose parser goes on behind it. */
function looseParser(): Pick<typeof import('acorn').Parser, 'parse'> {
  const { Parser }: typeof import('acorn') = load('acorn')
  const { LooseParser }: typeof import('acorn-loose') = load('acorn-loose')
  const { raise } = Parser.prototype as unknown as Tokenizer
  let passed = 0
  function raiseAndPay(this: Tokenizer, position: number, message: string): never {
    passed += this.input.length
    if (passed > maxPassed) throw new Exhausted('too-much')
    return raise.call(this, position, message)
  }
  const BaseParser = class extends Parser {}
  Object.assign(BaseParser.prototype, { raise: raiseAndPay, raiseRecoverable: raiseAndPay })
  return Object.assign(class extends LooseParser {}, { BaseParser })
}
