import { expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const { latestAnswers } = await import(`${templatesFolder}assets/search/latest.js`)

test('the latest answers are kept, and no more of them', async () => {
  const answers = latestAnswers(2)
  const made: string[] = []
  const ask = (key: string): Promise<string> =>
    answers.get(key, async () => {
      made.push(key)
      return key.toUpperCase()
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await ask(key)).toBe(key.toUpperCase())
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  answers.clear()
  await ask('b')
  expect(made).toHaveLength(5)
})

test('an answer that failed is asked for again', async () => {
  const answers = latestAnswers(2)
  await expect(answers.get('a', () => Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  expect(await answers.get('a', async () => 'A')).toBe('A')
})
