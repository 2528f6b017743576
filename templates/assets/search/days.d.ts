/** Types of `search/days.js`, for the program, which imports it too. */

export const ageDays: Readonly<Record<string, number>>
export function monthOf(number: number, later?: number): number
export function yearOf(number: number, later?: number): number
export function namedDays(words: string, today: number): readonly [first: number, next: number] | undefined
export function mayBeDays(text: string): boolean
