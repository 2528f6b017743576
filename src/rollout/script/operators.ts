/** Evaluates operators on known values; for others the value is the expression. */

import type { BinaryOperator, UnaryOperator } from 'acorn'
import { ownValue } from '../../util/own.ts'
import { type Machine, payText, spend } from './machine.ts'
import { isKind, isKnown, joinPieces, type Known, piecesOf, unknown, type Value } from './value.ts'

/** The value of `left operator right`. */
export function binary(
  operator: BinaryOperator,
  left: Value,
  right: Value,
  code: { whole: string; left: string; right: string },
  machine: Machine,
): Value {
  if (operator === '+') return added(left, right, code, machine)
  if (isKnown(left) && isKnown(right)) {
    const compute = ownValue(knownOperators, operator)
    if (compute !== undefined) return compute(left, right)
  }
  const isDefined = definedness(operator, left, right)
  return isDefined === undefined ? unknown(code.whole, [left, right]) : isDefined
}

function added(
  left: Value,
  right: Value,
  code: { left: string; right: string; whole: string },
  machine: Machine,
): Value {
  if (isKnown(left) && isKnown(right) && typeof left !== 'string' && typeof right !== 'string')
    return Number(left) + Number(right)
  const isText = [left, right].some((value) => typeof value === 'string' || isKind(value, 'mixed'))
  if (!isText && [left, right].every((value) => isKnown(value) || isKind(value, 'unknown')))
    return unknown(code.whole, [left, right])
  const pieces = [...piecesOf(left, code.left), ...piecesOf(right, code.right)]
  for (const piece of pieces) payText(machine, typeof piece === 'string' ? piece.length : 1)
  spend(machine, pieces.length)
  return joinPieces(pieces)
}

/** Compares a value with `null` or `undefined`: lists, objects and functions of the script are neither. */
function definedness(operator: BinaryOperator, left: Value, right: Value): boolean | undefined {
  const other = isKnown(left) ? right : left
  const known = isKnown(left) ? left : right
  if ((known !== null && known !== undefined) || isKnown(other) || isKind(other, 'unknown')) return undefined
  if (operator === '===' || operator === '==') return false
  return operator === '!==' || operator === '!=' ? true : undefined
}

// JavaScript's own rules for primitive values.
const knownOperators: Readonly<Partial<Record<BinaryOperator, (left: Known, right: Known) => Value>>> = {
  '-': (left, right) => Number(left) - Number(right),
  '*': (left, right) => Number(left) * Number(right),
  '/': (left, right) => Number(left) / Number(right),
  '%': (left, right) => Number(left) % Number(right),
  '**': (left, right) => Number(left) ** Number(right),
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '==': (left, right) => isLooselyEqual(left, right),
  '!=': (left, right) => !isLooselyEqual(left, right),
  '<': (left, right) => isLess(left, right),
  '>': (left, right) => isLess(right, left),
  '<=': (left, right) => isLess(left, right) || isSame(left, right),
  '>=': (left, right) => isLess(right, left) || isSame(left, right),
}

function isLooselyEqual(left: Known, right: Known): boolean {
  const [noLeft, noRight] = [left === null || left === undefined, right === null || right === undefined]
  if (noLeft || noRight) return noLeft && noRight
  return typeof left === typeof right ? left === right : Number(left) === Number(right)
}

function isLess(left: Known, right: Known): boolean {
  return typeof left === 'string' && typeof right === 'string' ? left < right : Number(left) < Number(right)
}

function isSame(left: Known, right: Known): boolean {
  return typeof left === 'string' && typeof right === 'string' ? left === right : Number(left) === Number(right)
}

/** The value of `operator value`. */
export function unary(operator: UnaryOperator, value: Value, code: string): Value {
  if (operator === 'void') return undefined
  if (operator === 'typeof') return typeName(value) ?? unknown(code, [value])
  const truth = truthOf(value)
  if (operator === '!') return truth === undefined ? unknown(code, [value]) : !truth
  if (!isKnown(value)) return unknown(code, [value])
  if (operator === '-') return -Number(value)
  return operator === '+' ? Number(value) : unknown(code, [value])
}

function typeName(value: Value): string | undefined {
  if (isKnown(value)) return value === null ? 'object' : typeof value
  if (isKind(value, 'mixed')) return 'string'
  if (isKind(value, 'unknown')) return undefined
  return isKind(value, 'list') || isKind(value, 'fields') ? 'object' : 'function'
}

/** Whether a value is truthy; `undefined` if only a run would show it. */
export function truthOf(value: Value): boolean | undefined {
  if (isKnown(value)) return Boolean(value)
  if (isKind(value, 'unknown')) return undefined
  if (isKind(value, 'mixed')) return value.pieces.some((piece) => typeof piece === 'string') ? true : undefined
  return true
}
