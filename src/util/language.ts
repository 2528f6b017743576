/** The language of a text by its script, as far as fonts, quotes and voices need to know. */

/** A language whose letters are its own, as BCP 47 names it. */
export type ScriptLanguage = 'ja' | 'ko' | 'zh'

/** UTF-16 units that are counted: the beginning tells enough. */
const maxLength = 4000

/**
 * The language of a text that is mostly written in Chinese characters, kana or Hangul; `undefined` for any other. One of
 * their letters counts as two of an alphabet, because names, paths and code stand in all texts here. Kana make it
 * Japanese, also where they are few among the characters; a text of Chinese characters alone is Chinese.
 */
export function scriptLanguage(text: string): ScriptLanguage | undefined {
  if (!/[\u1100-\u11FF\u2E80-\uD7FF\uF900-\uFAFF\uFF66-\uFFDC\uD840-\uD88F]/.test(text)) return undefined
  const counted = text.slice(0, maxLength)
  const count = (letter: RegExp): number => counted.match(letter)?.length ?? 0
  const han = count(/\p{Script=Han}/gu)
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const hangul = count(/\p{Script=Hangul}/gu)
  const own = han + kana + hangul
  if (own * 2 < count(/\p{L}/gu) - own) return undefined
  if (hangul > han + kana) return 'ko'
  return kana * 10 >= han + kana ? 'ja' : 'zh'
}
