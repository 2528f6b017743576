import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCode, isSystemError, reasonOf } from '../../../src/util/reason.ts'
import { useTempDir } from '../../helpers/temp.ts'

function failure(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing failed')
}

test('system errors are described in words and without their path', () => {
  const folder = useTempDir()
  const missing = failure(() => readFileSync(join(folder, 'gone')))
  expect([errorCode(missing), reasonOf(missing)]).toEqual(['ENOENT', 'it does not exist'])
  expect(reasonOf(failure(() => readFileSync(folder)))).toBe('it is a folder')
  expect(reasonOf(Object.assign(new Error('ENOTTY: rename /a /b'), { code: 'ENOTTY' }))).toBe('ENOTTY')
})

test('only what the system refused is an error of the system', () => {
  expect(isSystemError(failure(() => readFileSync(useTempDir())))).toBe(true)
  expect(isSystemError(failure(() => readFileSync(-1)))).toBe(false)
  expect(isSystemError(new TypeError('x'))).toBe(false)
})

test('other errors are described by their own message', () => {
  expect(reasonOf(new Error('it ended early'))).toBe('it ended early')
  expect(reasonOf('text')).toBe('text')
  expect(errorCode(new Error('x'))).toBeUndefined()
  expect(errorCode({ code: 'ENOENT' })).toBeUndefined()
})
