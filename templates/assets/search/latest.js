// Keeps the latest answers, so that memory does not grow with each word that is typed.

/**
 * A memory of the `max` answers that were used last: `get` returns the answer for a key, which `make` makes if it is not there.
 * An answer that fails is requested again.
 */
export function latestAnswers(max) {
  const answers = new Map()
  return {
    clear: () => answers.clear(),
    get(key, make) {
      const answer = answers.get(key) ?? make()
      answers.delete(key)
      answers.set(key, answer)
      if (answers.size > max) answers.delete(answers.keys().next().value)
      answer.catch(() => {
        if (answers.get(key) === answer) answers.delete(key)
      })
      return answer
    },
  }
}
