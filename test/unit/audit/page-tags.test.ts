/** Addresses of attributes that contain several of them. */
import { expect, test } from 'vitest'
import { readTag } from '../../../src/features/audit/page-tags.ts'

const hosts = (attribute: string, value: string): string[] => {
  const { faults, links } = readTag({ name: 'img', attributes: new Map([[attribute, value]]) })
  return [...faults.map(({ ruleId, detail }) => `${ruleId} ${detail}`), ...links]
}
const asks = (host: string): string => `external-request \`img\` asks \`${host}\`.`

test.each<[srcset: string, loaded: string[]]>([
  ['a.png 1x,https://x.example/b.png 2x', [asks('x.example'), 'a.png']],
  ['a.png 1x , https://x.example/b.png 2x', [asks('x.example'), 'a.png']],
  ['a.png,\thttps://x.example/b.png', [asks('x.example'), 'a.png']],
  [',, a.png,,, //x.example/b.png', [asks('x.example'), 'a.png']],
  ['a.png 1x (a, b),//x.example/b.png (', [asks('x.example'), 'a.png']],
  ['a.png\f1x\n,//x.example/b.png', [asks('x.example'), 'a.png']],
  // Without whitespace, a comma is part of an address.
  ['a.png,https://x.example/b.png 2x', ['a.png,https://x.example/b.png']],
  ['data:image/png;base64,AAAA 1x,b.png', ['b.png']],
  [' , ', []],
  ['', []],
])('the addresses of a `srcset` are read as a browser reads them: %j', (srcset, loaded) => {
  expect(hosts('srcset', srcset)).toEqual(loaded)
  expect(hosts('imagesrcset', srcset)).toEqual(loaded)
})

test.each(['ping', 'attributionsrc'])('all addresses of `%s` are read', (attribute) => {
  expect(hosts(attribute, 'a https://x.example/b')).toEqual([asks('x.example'), 'a'])
})

test('a long `srcset` takes time linear in its length', () => {
  expect(hosts('srcset', `a (${','.repeat(400_000)}`)).toEqual(['a'])
  expect(hosts('srcset', `${','.repeat(400_000)} a${','.repeat(400_000)}`)).toEqual(['a'])
})
