/** Evaluates calls: of tools, of functions of the script, of the runtime, and of what only a run would show. */

import { defined } from '../../util/own.ts'
import { makeUncertain } from './changes.ts'
import { callGlobal } from './globals.ts'
import { limits, type Machine, mayFail, recordCall, spend } from './machine.ts'
import { callMethod, callUnknown, changesSelf } from './methods.ts'
import { inDoubt } from './regions.ts'
import { either, isKind, unknown, type Value } from './value.ts'

/** The value of a call. Calls of tools are recorded. */
export function call(callee: Value, args: readonly Value[], code: string, machine: Machine): Value {
  if (isKind(callee, 'tool')) return recordCall(machine, callee.name, args, code)
  if (isKind(callee, 'function')) return machine.invoke(callee, args)
  if (isKind(callee, 'global')) return callGlobal(callee, args, machine, code)
  if (isKind(callee, 'method')) return callMethod({ ...callee, code }, args, machine)
  const owner = isKind(callee, 'unknown') ? callee.member : undefined
  // Functions of the runtime that are not known here may change what they are given.
  if (isKind(callee, 'unknown') && /^(?:Object|Reflect|Array)\b/.test(callee.code))
    makeUncertain(unknown(code, args), machine)
  if (owner === undefined) return callAny(callee, args, code, machine)
  return isKind(owner.of, 'global') ? callUnnamed(args, code, machine) : callOnUnknown(owner, args, code, machine)
}

/** Calls what only a run would show; it may be one of several functions of the script. */
function callAny(callee: Value, args: readonly Value[], code: string, machine: Machine): Value {
  const others = isKind(callee, 'unknown') ? (callee.or ?? []) : []
  const functions = others.filter((other) => isKind(other, 'function'))
  const made = functions.map((other) => inDoubt(machine, 'once', () => machine.invoke(other, args)))
  const value = callUnknown(callee, args, code, machine)
  return made.length === 0 ? value : made.reduce<Value>((known, other) => either(code, known, other), value)
}

/** Calls a tool whose name only a run would show. */
function callUnnamed(args: readonly Value[], code: string, machine: Machine): Value {
  spend(machine, 1)
  mayFail(machine)
  if (machine.unread.length < limits.calls) machine.unread.push({ reason: 'name', code })
  return unknown(code, args)
}

/** Methods that turn what a tool printed into itself or a piece of it. */
const pieces = new Set(
  'trim trimEnd trimStart slice substring substr toString replace replaceAll split join padEnd concat'.split(' '),
)

function callOnUnknown(
  { of: self, name }: { of: Value; name: string },
  args: readonly Value[],
  code: string,
  machine: Machine,
): Value {
  const [first] = args
  if (name === 'then' && isKind(first, 'function')) return machine.invoke(first, [self])
  if (name === 'catch' || name === 'finally') {
    if (!isKind(first, 'function')) return self
    const instead = inDoubt(machine, 'once', () => machine.invokeUnknown(first, []))
    return name === 'catch' ? either(code, self, instead) : self
  }
  if (changesSelf(name)) makeUncertain(self, machine)
  const value = callUnknown(self, args, code, machine)
  if (!isKind(self, 'unknown') || self.result === undefined || !pieces.has(name)) return value
  return { ...value, ...defined({ or: self.or }), result: { call: self.result.call, field: 'piece' } }
}
