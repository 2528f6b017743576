import { expect, test } from 'vitest'
import { projectOf } from '../../../src/survey/project.ts'

test.each([
  ['https://example.com/acme/shop.git', '/home/sam/code/x', 'shop'],
  ['git@example.com:acme/shop.git', undefined, 'shop'],
  ['git@example.com:shop', undefined, 'shop'],
  [undefined, '/home/sam/code/shop/', 'shop'],
  [undefined, 'C:\\code\\shop', 'shop'],
  [undefined, '/', '/'],
  [' ', '', 'unknown'],
  [undefined, undefined, 'unknown'],
])('the project of remote %j and folder %j is %j', (remote, cwd, name) => {
  expect(projectOf(remote, cwd).name).toBe(name)
})

test('a project is told by its whole place, however that is written', () => {
  const { slug } = projectOf('https://example.com/acme/shop.git', undefined)
  expect(projectOf('https://example.com/acme/shop/', '/elsewhere').slug).toBe(slug)
  expect(projectOf('https://example.com/other/shop', undefined).slug).not.toBe(slug)
  expect(projectOf(undefined, '/home/sam/shop').slug).not.toBe(projectOf(undefined, '/srv/shop').slug)
  expect(projectOf(undefined, 'C:\\Code\\shop').slug).toBe(projectOf(undefined, 'c:/code/Shop/').slug)
  expect(projectOf(undefined, '/code/shop').slug).not.toBe(projectOf(undefined, '/code/Shop').slug)
})
