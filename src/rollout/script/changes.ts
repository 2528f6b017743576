/**
 * Changes lists and objects of a script. If it is not certain that a change happens, the value is uncertain from then on; but
 * what was created in the same uncertain region changes as certainly as it exists.
 */

import { append } from '../../util/groups.ts'
import { type Change, type Machine, type Region, spend } from './machine.ts'
import {
  either,
  type Fields,
  hasOthers,
  isAny,
  isKind,
  isKnown,
  type List,
  sureItems,
  unknown,
  type Value,
} from './value.ts'

/** Whether a change of a list or an object at this point is certain for all who see it. */
export function isSure(object: List | Fields, machine: Machine): boolean {
  return doubtsAbout(object, machine).length === 0
}

function doubtsAbout({ created = -1 }: List | Fields, { regions }: Machine): Region[] {
  return regions.filter(({ latest }) => latest !== undefined && latest > created)
}

/** Which items may be missing if others are added with these doubts. */
function missingBy(doubts: readonly Region[], { missing }: List): NonNullable<List['missing']> {
  const [doubt, ...others] = doubts
  // What follows where a loop or a function may have been left is missing together.
  const isRest = others.length === 0 && (doubt?.kind === 'loop' || doubt?.kind === 'function')
  if (!isRest || doubt.number === undefined) return {}
  return missing === undefined || missing.past === doubt.number ? { past: doubt.number } : {}
}

/** Adds items at the end of a list. */
export function addItems(list: List, items: readonly Value[], machine: Machine): void {
  noteChange(list, machine)
  const doubts = doubtsAbout(list, machine)
  const isMany = isAny(items.at(-1))
  const isUnsure = list.open || isMany || doubts.length > 0
  const missing = isMany || hasOthers(list) ? undefined : missingBy(doubts, list)
  if (isUnsure) loosen(list, list.items.length)
  if (isUnsure && missing !== undefined) list.missing = missing
  append(list.items, items)
}

/** Notes a change in bodies that may run any number of times; call it before each change. */
export function noteChange(object: List | Fields, machine: Machine): void {
  for (const { changed, latest = 0 } of machine.regions) {
    if (changed === undefined || changed.has(object) || latest < (object.created ?? -1)) continue
    changed.set(object, { before: copyOf(object, machine), forgotten: new Set() })
  }
}

function copyOf(object: List | Fields, machine: Machine): List | Fields {
  spend(machine, 1 + (object.kind === 'list' ? object.items.length : object.entries.size))
  return object.kind === 'list'
    ? { ...object, items: [...object.items] }
    : { ...object, entries: new Map(object.entries) }
}

const everything = '*'
const further = '+'

/** Adds what a round of a body changed to what is not known when a round begins; says whether there is something new. */
export function changesIn({ changed }: Region): boolean {
  let isNew = false
  for (const [object, { before, forgotten }] of changed ?? [])
    for (const what of changesOf(before, object)) {
      if (!forgotten.has(what)) isNew = true
      forgotten.add(what)
    }
  return isNew
}

function changesOf(before: List | Fields, after: List | Fields): string[] {
  if (before.kind === 'list' && after.kind === 'list') {
    const isGrown = before.items.every((item, index) => item === after.items[index])
    return isGrown && sureItems(after) >= sureItems(before) ? [further] : [everything]
  }
  if (before.kind !== 'fields' || after.kind !== 'fields') return []
  const keys = new Set([...before.entries.keys(), ...after.entries.keys()])
  return [
    further,
    ...[...keys].filter((key) => before.entries.get(key) !== after.entries.get(key)).map((key) => `.${key}`),
  ]
}

/** Makes a list or an object as it is when any round of a body begins. */
export function forgetChange(object: List | Fields, { before, forgotten }: Change, machine: Machine): void {
  spend(machine, 1 + forgotten.size)
  if (object.kind === 'list' && before.kind === 'list') {
    const sure = sureItems(before)
    object.items = [...before.items]
    object.open = true
    object.sure = sure
    delete object.missing
    if (forgotten.has(everything)) forgetPositions(object, machine)
  } else if (object.kind === 'fields' && before.kind === 'fields') {
    object.entries = new Map(before.entries)
    object.open = true
    for (const what of forgotten) {
      const key = what.slice(1)
      if (what !== further && object.entries.has(key)) object.entries.set(key, unknown(key, [object.entries.get(key)]))
    }
  }
}

/** Forgets the positions of a list's items. */
export function forgetPositions(list: List, machine: Machine): void {
  noteChange(list, machine)
  spend(machine, 1 + list.items.length)
  list.items = [unknown('…', list.items)]
  list.open = true
  list.sure = 0
  delete list.missing
}

/** Keeps only the first items of a list certain. */
export function loosen(list: List, sure: number): void {
  list.sure = Math.min(sure, sureItems(list))
  list.open = true
  delete list.missing
}

/** Sets a member of a list or an object. What only a run would show may be one of several, and they may all change. */
export function setMemberOf(object: Value, name: Value, value: Value, code: string, machine: Machine): void {
  if (isKind(object, 'unknown')) makeUncertain(object, machine)
  else if (isKind(object, 'fields')) setField(object, name, value, code, machine)
  else if (isKind(object, 'list')) setItem(object, name, value, code, machine)
}

/** Sets a field of an object. */
export function setField(object: Fields, name: Value, value: Value, code: string, machine: Machine): void {
  noteChange(object, machine)
  if (!isKnown(name)) setAny(object, value, code, machine)
  // It sets where the object inherits its fields from.
  else if (String(name) === '__proto__') object.open = true
  else setKey(object, String(name), value, code, machine)
}

function setKey(object: Fields, key: string, value: Value, code: string, machine: Machine): void {
  if (isSure(object, machine)) {
    object.entries.set(key, value)
    return
  }
  const before = object.entries.has(key) || !object.open ? object.entries.get(key) : unknown(code, [object])
  if (!object.entries.has(key)) object.open = true
  object.entries.set(key, either(code, before, value))
}

/** Any field of an object may be set to a value. */
export function setAny(object: Fields, value: Value, code: string, machine: Machine): void {
  noteChange(object, machine)
  spend(machine, object.entries.size)
  for (const [key, item] of object.entries) object.entries.set(key, either(code, item, value))
  object.open = true
}

function setItem(list: List, name: Value, value: Value, code: string, machine: Machine): void {
  noteChange(list, machine)
  if (name === 'length') {
    setLength(list, value, machine)
    return
  }
  const index = isKnown(name) ? indexOf(name) : undefined
  if (index === undefined) list.named = true
  if (index !== undefined && index < sureItems(list))
    list.items[index] = isSure(list, machine) ? value : either(code, list.items[index], value)
  else if (index === list.items.length && !list.open) addItems(list, [value], machine)
  else if (isKnown(name) && index === undefined) loosen(list, sureItems(list))
  else {
    // A hole, or an item that may not be there; a name that only a run would show is any of them.
    const sure = isKnown(name) ? sureItems(list) : 0
    loosen(list, sure)
    spend(machine, list.items.length)
    list.items = list.items.map((item, at) => (at < sure ? item : either(code, item, value)))
  }
}

/** The index that a name denotes. */
function indexOf(name: Value): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(String(name)) ? Number(name) : undefined
}

function setLength(list: List, value: Value, machine: Machine): void {
  const sure = sureItems(list)
  const length = typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
  if (length === undefined) loosen(list, 0)
  else if (length > sure) loosen(list, sure)
  else if (isSure(list, machine) && !list.named) {
    list.items.length = length
    list.open = false
    delete list.sure
    delete list.missing
  } else loosen(list, length)
}

/** Deletes a member of a list or an object. */
export function deleteMember(object: Value, name: Value, code: string, machine: Machine): void {
  if (isKind(object, 'unknown')) makeUncertain(object, machine)
  else if (isKind(object, 'list')) {
    noteChange(object, machine)
    const index = isKnown(name) ? indexOf(name) : 0
    if (index === undefined || index >= object.items.length) return
    // It leaves a hole.
    loosen(object, index)
    object.items = object.items.map((item, at) => (at < index ? item : either(code, item, undefined)))
  } else if (isKind(object, 'fields')) deleteField(object, name, code, machine)
}

function deleteField(object: Fields, name: Value, code: string, machine: Machine): void {
  noteChange(object, machine)
  if (!isKnown(name)) setAny(object, undefined, code, machine)
  else if (isSure(object, machine)) object.entries.delete(String(name))
  else if (object.entries.has(String(name))) {
    object.entries.set(String(name), either(code, object.entries.get(String(name)), undefined))
    object.open = true
  }
}

/** Makes every list and object uncertain that a value may be, or may be in. */
export function makeUncertain(value: Value, machine: Machine): void {
  const seen = new Set<Value>([value])
  for (const item of seen) {
    spend(machine, 1)
    for (const part of partsOf(item)) seen.add(part)
    if (isKind(item, 'list')) forgetPositions(item, machine)
    else if (isKind(item, 'fields')) {
      noteChange(item, machine)
      item.open = true
      for (const [key, field] of item.entries) item.entries.set(key, unknown(key, [field]))
    }
  }
}

function partsOf(value: Value): readonly Value[] {
  if (isKind(value, 'list')) return value.items
  if (isKind(value, 'fields')) return [...value.entries.values()]
  return isKind(value, 'unknown') ? [...(value.aliases ?? []), ...(value.or ?? [])] : []
}
