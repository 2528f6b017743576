import { expect, test } from 'vitest'
import { scriptLanguage } from '../../../src/render/visible-text.ts'

test.each([
  ['修复登录页面的错误', 'zh'],
  ['修復登入頁面的 `login.ts`', 'zh'],
  ['ログイン画面のエラーを直して', 'ja'],
  ['検索を追加', 'ja'],
  ['README.md 파일을 고쳐 주세요', 'ko'],
  ['漢字를 섞어 쓴 한국어 문장', 'ko'],
  ['ﾊﾝｶｸのみ', 'ja'],
  ['[원본 문서](https://docs.example.org/guides/configuration/reference) 참고', 'ko'],
  ['https://example.org/の設定', 'ja'],
  ['Mend the gate', undefined],
  ['Translate “错误” into English please', undefined],
  ['لماذا يفشل الملف src/cart.js عند الحساب؟', 'ar'],
  ['چرا آزمون شکست می‌خورد؟', 'fa'],
  ['یہ ٹیسٹ کیوں ناکام ہے؟', 'ur'],
  ['תקן את הקובץ basket.js בבקשה', 'he'],
  ['Translate “مرحبا” into English please', undefined],
  ['Größe, café, Привет, שלום', undefined],
  ['', undefined],
  ['「123」、。', undefined],
  ['【2026】 · 45 %', undefined],
  ['（２０２６）！', undefined],
  ['123 🙂', undefined],
])('the script of %j suggests the language %s', (text, language) => {
  expect(scriptLanguage(text)).toBe(language)
})
