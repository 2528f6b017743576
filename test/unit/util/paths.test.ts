import { describe, expect, it } from 'vitest'
import { isSamePath, pathBelow, resolvePath } from '../../../src/util/paths.ts'

describe('a path below a folder', () => {
  it.each([
    ['C:\\work\\app\\src\\a.ts', 'C:\\work\\app', 'src\\a.ts'],
    ['c:\\work\\app\\src\\a.ts', 'C:\\work\\app\\', 'src\\a.ts'],
    ['C:/Work/App/src/a.ts', 'c:\\work\\app', 'src/a.ts'],
    ['\\\\?\\C:\\work\\app\\a.ts', 'c:/work/app', 'a.ts'],
    ['\\\\host\\Share\\app\\a.ts', '\\\\HOST\\share\\app', 'a.ts'],
    ['/work/app/a.ts', '/work/app/', 'a.ts'],
  ])('is relative to it: %s from %s', (path, folder, below) => {
    expect(pathBelow(path, folder)).toBe(below)
  })

  it.each([
    ['C:\\work\\application\\a.ts', 'C:\\work\\app'],
    ['D:\\work\\app\\a.ts', 'C:\\work\\app'],
    ['/work/App/a.ts', '/work/app'],
    ['C:\\work\\app', 'C:\\work\\app'],
    ['src/a.ts', '/work/app'],
  ])('is kept whole if it is not below it: %s from %s', (path, folder) => {
    expect(pathBelow(path, folder)).toBe(path)
  })
})

it('two spellings of a path on Windows are the same path', () => {
  expect(isSamePath('c:\\x\\y', 'C:/X/y/')).toBe(true)
  expect(isSamePath('/x', '/x/')).toBe(true)
  expect(isSamePath('/x', '/X')).toBe(false)
  expect(isSamePath('C:\\x', undefined)).toBe(false)
})

describe('a path that is a web address', () => {
  it('is kept whole, so that its password is recognised', () => {
    const path = 'https://ada:latch@host.test/gate.md'
    expect(resolvePath('/home/ada', path)).toBe(path)
    expect(resolvePath('/home/ada', 'gate.md')).toBe('/home/ada/gate.md')
  })
})
