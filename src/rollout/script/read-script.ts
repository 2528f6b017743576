/**
 * What a code-mode script calls and prints, read from its text. It is parsed and gone through value by value; nothing of
 * it is ever run, and however it is written, a reading ends after so many steps.
 */

import type { Program } from 'acorn'
import { type Emission, Ended, Exhausted, limits, type Machine, type ScriptCall, type UnreadReason } from './machine.ts'
import { invoke, invokeUnknown, runProgram } from './statement.ts'
import { parseScript } from './syntax-fs.ts'

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

/** Reads a script. Total: what is no JavaScript, or too much of it, gives what was read until then and the reason. */
export function readScript(code: string): Script {
  const machine = machineFor(code)
  const fail = (reason: UnreadReason): void => {
    machine.unread.push({ reason, code: code.slice(0, 200) })
  }
  if (code.length > limits.length) {
    fail('too-long')
    return machine
  }
  const parsed = parseScript(code)
  if (parsed === undefined) fail('too-deep')
  else {
    if (parsed.damaged) fail('syntax')
    const reason = runUntilEnd(parsed.program, machine)
    if (reason !== undefined) fail(reason)
  }
  return machine
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
    doubt: 0,
    repeats: 0,
    mayHaveEnded: false,
    touched: [],
    returns: [],
    invoke: (callee, args) => invoke(callee, args, machine),
    invokeUnknown: (callee, from) => invokeUnknown(callee, from, machine),
  }
  return machine
}
