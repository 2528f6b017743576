/** Words that represent the key of a wallet, as programs and people write them, and texts that only look like it. */
import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'

/** Twelve words that no wallet has. */
const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ')
const phrase = words.join(' ')
const numbered = words.map((word, index) => `${index + 1}. ${word}`)
const languages: Record<string, string> = {
  Spanish: 'ábaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar',
  French: 'éléphant abandon abdiquer abeille élever aborder aboutir aboyer abrasif abreuver abriter abroger',
  Czech: 'abdikace abeceda adresa agrese akce aktovka alej alkohol amputace ananas andulka anekdota',
  Japanese: 'あいこくしん あいさつ あいだ あおぞら あかちゃん あきる あけがた あける あこがれる あさい あさひ あしあと',
  Chinese: '的 一 是 在 不 了 有 和 人 这 中 大',
  Korean: '가격 가끔 가난 가능 가득 가르침 가뭄 가방 가상 가슴 가운데 가을',
}

const rows: readonly string[] = [
  ...[`Secret Recovery Phrase: ${phrase}`, `Backup phrase: ${phrase}`, `Your 12 words: ${phrase}`],
  ...[`Frase semilla: ${phrase}`, `Phrase de récupération : ${phrase}`, `Wiederherstellungsphrase: ${phrase}`],
  ...[`助记词：${phrase}`, `ニーモニック: ${phrase}`, `니모닉: ${phrase}`, `Сид-фраза: ${phrase}`],
  ...[`Mnemonic.fromPhrase('${phrase}')`, `bip39.mnemonicToSeedSync("${phrase}")`],
  `Seed phrase\n╭────╮\n│ ${phrase} │\n╰────╯`,
  `Seed phrase:\n│ ${words.slice(0, 6).join(' ')} │\n│ ${words.slice(6).join(' ')} │`,
  ...[
    `Seed phrase:\n${phrase}\nsaved into file`,
    `Mnemonic:\n${phrase}\n\nbase path`,
    `{"mnemonic": "${phrase}", "path": ""}`,
  ],
  `mnemonic: ${words.slice(0, 7).join(' ')}\n${words.slice(7).join(' ')}\n`,
  ...[`Seed phrase:\n${words.join('\n')}`, `Your seed phrase:\n${words.map((word) => `- ${word}`).join('\n')}`],
  `Your seed phrase:\n│ ${numbered.slice(0, 6).join(' │ ')} │\n│ ${numbered.slice(6).join(' │ ')} │`,
  `SEED_WORDS = (\n  ${words.map((word) => `'${word}'`).join(', ')},\n)`,
  ...[JSON.stringify({ mnemonic: words }, null, 2), `mnemonic: ${words.join('-')}`],
  `+Seed phrase:\n${words.map((word) => `+${word}`).join('\n')}`,
]

test.each(rows)('a phrase is redacted in %j', (text) => {
  expect(findSecrets(text)).toMatchObject([
    { rule: 'seed-phrase', value: expect.stringMatching(/^legal[\s\S]*yellow$/) },
  ])
})

test.each(Object.entries(languages))('a phrase in %s is redacted', (_language, given) => {
  for (const text of [`mnemonic: ${given}`, `Seed phrase:\n${given}\n`, `{"mnemonic": "${given}"}`])
    expect(findSecrets(text)).toMatchObject([{ rule: 'seed-phrase', value: given }])
  expect(findSecrets(`mnemonic: ${given.replaceAll(' ', '\u3000')}`)).toHaveLength(1)
})

test.each([
  'mnemonic:\n  type: string\n  description: words',
  'Seed data:\n- users\n- orders\n- items\n- carts\n- roles\n- teams\n- plans\n- logs\n- files\n- tags\n- notes\n- links\n',
  'Seed phrase: keep it offline and never share it with anyone at all, whatever they say',
  'Recovery phrase\n===============\nUsers write twelve words on paper. They store them in some place.',
  '12 words about testing: write small tests, name them well, run them often',
  'x86 mnemonics: mov, add, sub, push, pop, call, ret, jmp, cmp, test, lea, nop, int',
  'db:seed loads users orders items carts roles teams plans logs files tags notes',
  'Die Wiederherstellungsphrase: zwölf Wörter, die nur du kennst und nie verrätst, auch nicht hier',
  ...[
    '助记词：请妥善保管',
    '니모닉: 이 문구를 안전한 곳에 적어 두고 다른 사람에게 절대 보여 주지 마세요.',
    'Сид-фраза состоит из двенадцати слов',
  ],
  ...['const mnemonic = generateMnemonic(wordlist)', 'Wallet.fromPhrase(process.env.MNEMONIC)'],
])('nothing is redacted in %j', (text) => {
  expect(findSecrets(text)).toEqual([])
})
