/** The chapters of a session near a page: its prompts, each with its outcome. */

import type { TurnOverview } from '../../../transcript/overview.ts'
import type { OutlineEntry } from '../../../transcript/summary.ts'
import type { PageAnchor } from '../../../transcript/urls.ts'
import { append, groupBy } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { formatAmount, formatCount, formatDuration } from '../../../util/time.ts'
import { turnKinds } from '../../labels.ts'
import { failuresLeft, signedLines, statusWord } from '../../phrases.ts'
import type { OutlineView, SessionView } from '../../views.ts'
import { scriptLanguage } from '../../visible-text.ts'
import { partOf, type SessionPage, storyHrefs } from './session-page.ts'

/** Chapters of other pages that a work page lists on either side of its own; listing all would be too much in a huge session. */
const outlineReach = 100
/** Fewer chapters need no outline. */
const minOutline = 3
/** Chapters that the story lists. */
const maxOutline = 500

/** A prompt, or a turn without one; the last prompt of a turn has `turn`, if its outcome is known. */
interface Chapter extends PageAnchor {
  text: string
  number: number
  hasPrompt: boolean
  turn?: TurnOverview
}

/** Chapters of a page and of the pages around it, and how many come before and after those. */
export function outlineView(
  input: SessionPage,
): Pick<
  SessionView,
  'outline' | 'hasOutline' | 'outlineWord' | 'outlineName' | 'outlineStart' | 'earlierPrompts' | 'laterPrompts'
> {
  const { facts, page, story } = input
  const isFirst = story === undefined ? facts.pages.length < 2 : story.part === 1
  const chapters = withTurns(facts.outline, input.overview.turns)
  const { start, end } = rangeOf(chapters, input)
  const href = storyHrefs(input)
  const rolledBack = new Set(facts.rolledBack)
  const word = facts.requests === undefined ? 'prompt' : 'request'
  const outlineWord = word === 'prompt' ? 'Prompts' : 'Requests'
  const shown = chapters.slice(start, end)
  return {
    outline: shown.map(({ turn, text, number, ...target }): OutlineView => {
      const here = story === undefined ? target.page === page : partOf(story, target.page) === story.part
      return {
        text,
        href: href(target),
        here,
        ...(here || story !== undefined ? {} : { page: target.page }),
        ...(rolledBack.has(number) ? { rolledBack: true } : {}),
        ...defined({ language: scriptLanguage(text) }),
        ...(turn === undefined || !isFirst ? {} : outcomeOf(turn, rolledBack.has(number))),
      }
    }),
    hasOutline: shown.length >= minOutline,
    outlineWord,
    outlineName: isFirst ? outlineName(chapters, { word, rolledBack }) : outlineWord,
    outlineStart: start + 1,
    earlierPrompts: amounts(chapters.slice(0, start), word, 'earlier').join(', '),
    // A finished part of a story must stay unchanged when the session grows.
    laterPrompts: story !== undefined && !isFirst ? '' : amounts(chapters.slice(end), word, 'later').join(', '),
  }
}

/**
 * `13 prompts, 1 other turn, 2 rolled back`: the numbers add up to what is listed and show how many turns count. If no prompt
 * is shown, `14 turns, 2 rolled back`.
 */
function outlineName(
  chapters: readonly Chapter[],
  { word, rolledBack }: { word: string; rolledBack: ReadonlySet<number> },
): string {
  const undone = chapters.filter(({ number }) => rolledBack.has(number)).length
  return [...amounts(chapters, word), ...(undone === 0 ? [] : [`${formatCount(undone)} rolled back`])].join(', ')
}

/** `13 earlier prompts` and `1 other turn`; without prompts, `14 earlier turns`. */
function amounts(chapters: readonly Chapter[], word: string, where = ''): string[] {
  const prompts = chapters.filter(({ hasPrompt }) => hasPrompt).length
  const others = chapters.length - prompts
  const first = (count: number, noun: string): string => formatAmount(count, where === '' ? noun : `${where} ${noun}`)
  if (prompts === 0) return others === 0 ? [] : [first(others, 'turn')]
  return [first(prompts, word), ...(others === 0 ? [] : [formatAmount(others, 'other turn')])]
}

/** The name of a chapter: its prompt, else the number of its turn. */
export function chapterText({ text, turn }: Pick<OutlineEntry, 'text' | 'turn'>): string {
  return text === '' ? `Turn ${turn}` : text
}

function plain({ page, anchor, text, turn }: OutlineEntry): Chapter {
  return { page, anchor, number: turn, hasPrompt: true, text: chapterText({ text, turn }) }
}

/** The name of a turn without a prompt. */
function nameOf({ kind, number, review }: TurnOverview): string {
  if (review !== undefined) return review
  const text = turnKinds[kind]
  return text === '' ? `Turn ${number}` : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The prompts in the order of turns, together with the turns that have none. */
function withTurns(outline: readonly OutlineEntry[], turns: readonly TurnOverview[]): Chapter[] {
  const prompts = groupBy(outline, ({ turn }) => turn)
  const chapters: Chapter[] = []
  for (const turn of turns) {
    const { page, anchor, number } = turn
    // Turns that have a prompt may be left out.
    for (const [earlier, entries] of prompts) {
      if (earlier >= number) break
      append(chapters, entries.map(plain))
      prompts.delete(earlier)
    }
    const own = (prompts.get(number) ?? []).map(plain)
    prompts.delete(number)
    const last = own.pop() ?? { page, anchor, number, hasPrompt: false, text: nameOf(turn) }
    append(chapters, own)
    chapters.push({ ...last, turn })
  }
  return [...chapters, ...[...prompts.values()].flat().map(plain)]
}

function rangeOf(chapters: readonly Chapter[], { page, story }: SessionPage): { start: number; end: number } {
  if (story === undefined)
    return {
      start: Math.max(0, firstOfPage(chapters, page) - outlineReach),
      end: firstOfPage(chapters, page + 1) + outlineReach,
    }
  const { part, starts } = story
  if (part === 1) return { start: 0, end: maxOutline }
  const next = starts[part]
  return {
    start: firstOfPage(chapters, starts[part - 1] ?? 1),
    end: next === undefined ? chapters.length : firstOfPage(chapters, next),
  }
}

/** Index of the first chapter on a page or after it, by binary search: chapters are in the order of pages. */
export function firstOfPage(chapters: readonly Pick<PageAnchor, 'page'>[], page: number): number {
  let low = 0
  let high = chapters.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chapters[middle]?.page ?? page) < page) low = middle + 1
    else high = middle
  }
  return low
}

/** The outcome of a turn; only what is worth showing. */
function outcomeOf(
  { status, durationMs = 0, added, removed, left, result, unanswered }: TurnOverview,
  isRolledBack: boolean,
): Pick<OutlineView, 'result' | 'duration' | 'added' | 'removed' | 'left' | 'state'> {
  const word = unanswered ? 'no answer' : statusWord(status)
  const state = isRolledBack ? '' : word
  return defined({
    result: result === undefined ? undefined : { text: result, ...defined({ language: scriptLanguage(result) }) },
    duration: durationMs === 0 ? undefined : formatDuration(durationMs),
    ...signedLines({ added, removed }),
    left: left === 0 ? undefined : failuresLeft(left),
    state: state === '' ? undefined : state,
  })
}
