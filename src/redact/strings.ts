/** Every string of a value, whatever its shape. */
import type { Redactor } from './redactor.ts'

/** Ids and kinds that links and readers depend on: nothing that people wrote. */
const structural = new Set(['type', 'id', 'threadId', 'asset', 'sources', 'position', 'lineage', 'redacted'])
const option = /^--?(?:[a-z0-9]+-)*(?:password|passwd|token|secret|api-?key|access-key|secret-key|passphrase)$/i

/**
 * Replaces the secrets in all strings of an object or list, in place and in order, keys of other objects than nodes
 * included. Fields that hold ids and kinds stay.
 */
export function redactStrings(value: object, redactor: Redactor): void {
  if (Array.isArray(value)) redactList(value, redactor)
  // Any object may be read by its own keys.
  else redactFields(value as Record<string, unknown>, redactor)
}

function redactList(list: unknown[], redactor: Redactor): void {
  for (const [index, item] of list.entries()) {
    if (typeof item === 'string') {
      const before = list[index - 1]
      const name = typeof before === 'string' && option.test(before) ? before.replace(/^--?/, '') : ''
      list[index] = name === '' ? redactor.text(item) : redactor.named(item, name)
    } else if (typeof item === 'object' && item !== null) redactStrings(item, redactor)
  }
}

function redactFields(fields: Record<string, unknown>, redactor: Redactor): void {
  for (const [key, item] of Object.entries(fields)) {
    if (structural.has(key)) continue
    if (typeof item === 'string') fields[key] = redactor.named(item, key)
    else if (typeof item === 'object' && item !== null) redactStrings(item, redactor)
    renameKey(fields, key, redactor)
  }
}

function renameKey(fields: Record<string, unknown>, key: string, redactor: Redactor): void {
  const shown = redactor.text(key)
  if (shown === key) return
  Object.defineProperty(fields, shown, { value: fields[key], configurable: true, enumerable: true, writable: true })
  delete fields[key]
}
