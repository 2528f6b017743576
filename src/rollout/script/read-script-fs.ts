/**
 * Reads from its text what a code-mode script calls and prints. The script is parsed and followed value by value; nothing
 * in it is ever run, and however it is written, the reading ends after a limited number of steps.
 */

import { createRequire } from 'node:module'
import type { Options, Program } from 'acorn'
import { invoke, invokeUnknown } from './functions.ts'
import { type Emission, Ended, Exhausted, limits, type Machine, type ScriptCall, type UnreadReason } from './machine.ts'
import { runProgram } from './statement.ts'

export type { Emission, ScriptCall } from './machine.ts'

/** What was read from a script. */
export interface Script {
  /** Calls of tools, in order. */
  calls: readonly ScriptCall[]
  /** What it prints, in order. */
  emissions: readonly Emission[]
  /** What could not be read, and why. */
  unread: readonly { reason: UnreadReason; code: string }[]
}

/** Scripts that were read recently: a session's tree and the record of what its model remembers both ask for them. */
const cache = new Map<string, Script>()
const maxCached = 500
/** Most UTF-16 units of a script that is kept, including the texts that reading it made. */
const maxCachedLength = 8000

/** Reads a script. Total: if it is not JavaScript, or exceeds a limit, gives what was read so far and the reason. */
export function readScript(code: string): Script {
  const before = cache.get(code)
  if (before !== undefined) return before
  const machine = machineFor(code)
  read(code, machine)
  if (code.length + machine.characters <= maxCachedLength) {
    if (cache.size >= maxCached) cache.clear()
    cache.set(code, machine)
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

/** Runs the reading; returns why it ended early, if it did. */
function runUntilEnd(program: Program, machine: Machine): UnreadReason | undefined {
  try {
    runProgram(program, machine)
  } catch (error) {
    if (error instanceof Ended) return undefined
    if (error instanceof Exhausted) return error.reason
    // Our own stack may overflow before the depth limit for scripts is reached.
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
    regions: [],
    numbers: 0,
    repeats: 0,
    mayHaveEnded: false,
    returns: [],
    invoke: (callee, args) => invoke(callee, args, machine),
    invokeUnknown: (callee, from) => invokeUnknown(callee, from, machine),
  }
  return machine
}

// The syntax of a script: acorn, loaded when the first script is read. A build without code mode never loads it.

const load = createRequire(import.meta.url)

/**
 * Codex runs scripts as the body of an async module: `await` and `return` are allowed at the top level, and so is
 * `import`.
 */
const options: Options = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
}

/** A program, and whether parts of the script were skipped because they are not JavaScript. */
interface Parsed {
  program: Program
  damaged: boolean
}

/**
 * Parses a script; if it is not valid JavaScript, as much of it as possible. Gives the reason if it is too much for a
 * parser.
 */
function parseScript(code: string): Parsed | UnreadReason {
  const { Parser }: typeof import('acorn') = load('acorn')
  try {
    return { program: Parser.parse(code, options), damaged: false }
  } catch (error) {
    return error instanceof SyntaxError ? parseLoosely(code) : 'too-deep'
  }
}

function parseLoosely(code: string): Parsed | UnreadReason {
  const parser = looseParser()
  try {
    return { program: parser.parse(code, options), damaged: true }
  } catch (error) {
    return error instanceof Exhausted ? error.reason : 'too-deep'
  }
}

/** How many characters a loose parser may scan again because of faults: about one second's worth. */
const maxPassed = 64 * 1_048_576

/** The part of acorn's parsers that reports a fault; their types omit it. */
interface Tokenizer {
  input: string
  raise(this: Tokenizer, position: number, message: string): never
}

/**
 * A loose parser with a budget. At each fault acorn scans the script, to count lines or to find an end, and the loose
 * parser then continues, so a script with many faults could take very long.
 */
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
