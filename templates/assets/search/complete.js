// Helps with operators: completions while one is typed, and chips that remove them again.
import { make } from '../page/make.js'
import { excludes, kinds, names, operatorIn, states, tokensOf } from './grammar.js'

/** The maximum number of values that are offered at once. */
const maxShown = 8

/** Ages that `after:` and `before:` are completed with; they also accept calendar days. */
const ages = [
  ['1d', 'yesterday'],
  ['7d', 'a week ago'],
  ['1m', '30 days ago'],
  ['1y', 'a year ago'],
]

/** The values of an operator, each with its number of sessions from the `counts` or its meaning; kinds have neither. */
function valuesOf(name, counts) {
  const counted = (counts = {}) => Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const sum = (list) => list.reduce((all, state) => all + (counts.state?.[state] ?? 0), 0)
  if (name === 'kind') return kinds.map((kind) => [kind])
  if (name === 'after' || name === 'before') return ages
  if (name === 'is')
    return Object.keys(states).map((state) => [
      state,
      state === 'failed' ? (counts.errors?.yes ?? 0) : sum(states[state]),
    ])
  return counted(counts[name === 'person' ? 'label' : name])
}

/**
 * The operator at the caret: it begins `at` an offset and ends before `end`; `head` is the part that stays, then `name`, and
 * `value` up to the caret, without quotes. Without a `name`, `value` is the beginning of one. `undefined` elsewhere.
 */
function typedAt({ value: text, selectionStart: caret }) {
  const token = tokensOf(text).find(({ source, at }) => at <= caret && caret <= at + source.length)
  if (token === undefined) return undefined
  const { source, at } = token
  const [, head, name, value] = /^([-+]?(\w+):)"?([^"]*)$/.exec(text.slice(at, caret)) ?? []
  if (name !== undefined) return { at, end: at + source.length, head, name, value }
  const [, minus, start] = /^(-?)([a-z]{2,})$/.exec(source) ?? []
  return start === undefined || caret < at + source.length ? undefined : { at, end: caret, head: minus, value: start }
}

/** The choices: names of operators that begin with what was typed, or values that contain it. */
async function choicesFor({ name, value }, countsFor) {
  if (name === undefined) return names.filter((one) => one.startsWith(value)).map((one) => [`${one}:`])
  const wanted = value.toLowerCase()
  const values = valuesOf(name, await countsFor(name)).filter(([one]) => one.toLowerCase().includes(wanted))
  // A value that is typed completely needs no list.
  const matching = values.filter(([one]) => one.toLowerCase().startsWith(wanted))
  return matching.length === 1 && matching[0][0].toLowerCase() === wanted ? [] : values.slice(0, maxShown)
}

/**
 * Lets the reader choose names and values of operators in the `input`, a combobox, by arrow keys, Enter or a click; after the
 * last choice, the down arrow moves to what is below. `countsFor` resolves with the counts for an operator. Returns the list
 * element, which belongs below the input.
 */
export function completion(input, countsFor) {
  const list = make('ul', {
    class: 'values',
    id: 'values',
    role: 'listbox',
    'aria-label': 'Operators and values',
    hidden: true,
  })
  let typed
  let chosen = -1
  input.setAttribute('aria-controls', list.id)
  const close = () => {
    typed = undefined
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (at) => {
    chosen = at
    for (const [index, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(index === at))
    const option = list.children[at]
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }
  const insert = ({ dataset: { value } }) => {
    const { at, end, head, name } = typed
    const whole = `${head}${/\s/.test(value) ? `"${value}"` : value}${name === undefined ? '' : ' '}`
    input.setRangeText(whole, at, name !== undefined && input.value[end] === ' ' ? end + 1 : end, 'end')
    close()
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const offer = async () => {
    const now = typedAt(input)
    if (now === undefined) return close()
    typed = now
    const values = await choicesFor(now, countsFor)
    if (typed !== now) return
    if (values.length === 0) return close()
    list.replaceChildren(...values.map(option))
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    choose(-1)
  }
  input.addEventListener('input', () => offer().catch(close))
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing) return
    if (event.key === 'ArrowDown' && chosen === list.children.length - 1) return close()
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) choose(Math.max(-1, Math.min(chosen + by, list.children.length - 1)))
    else if (event.key === 'Enter' && chosen >= 0) insert(list.children[chosen])
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  // The input keeps the focus, because the list closes when it loses it.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[role="option"]')
    if (option) insert(option)
  })
  return list
}

function option([value, count], index) {
  const badge = count === undefined ? [] : [' ', make('span', { class: 'count' }, `${count}`)]
  return make(
    'li',
    { role: 'option', id: `value-${index}`, 'data-value': value, 'aria-selected': 'false' },
    value,
    ...badge,
  )
}

/** The tokens that are more than a word: operators, phrases, excluded words, words with `+`, and `OR`. */
function operatorsIn(tokens) {
  const isLeftOut = ({ source }) => excludes(source)
  // If all words have `-`, they are looked for and not excluded.
  const isSelf = tokens.every(isLeftOut)
  return tokens.filter((token, at) => {
    const { source } = token
    if (source === 'OR') return at > 0 && at < tokens.length - 1
    return operatorIn(source) !== undefined || /^\+?"|^\+\S/.test(source) || (isLeftOut(token) && !isSelf)
  })
}

/** A chip for each operator in the `input`, which removes it when clicked; `update` shows those that are there now. */
export function operatorChips(input) {
  const element = make('div', { class: 'operators', role: 'group', 'aria-label': 'Operators', hidden: true })
  const remove = ({ source, at }) => {
    input.setRangeText('', at, at + source.length + (input.value[at + source.length] === ' ' ? 1 : 0), 'end')
    input.focus()
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const update = () => {
    const found = operatorsIn(tokensOf(input.value))
    element.hidden = found.length === 0
    element.replaceChildren(
      ...found.map((token) => {
        const cross = make('span', { 'aria-hidden': 'true' }, ' ×')
        const chip = make('button', { type: 'button', class: 'chip', 'aria-label': `Remove ${token.source}` })
        chip.append(token.source, cross)
        chip.addEventListener('click', () => remove(token))
        return chip
      }),
    )
  }
  return { element, update }
}
