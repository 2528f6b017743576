/** QR codes as programs draw them on a terminal. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { code, drawings, finder } from '../../helpers/qr-codes.ts'

describe.each(drawings)('a QR code drawn %s', (_, draw) => {
  test.each([
    [21, 0],
    [21, 1],
    [33, 2],
    [57, 4],
  ])('with %i columns and a quiet zone of %i is redacted as a whole', (size, quiet) => {
    const rows = code(size, quiet)
    const picture = draw(rows)
    const text = `Scan this:\n${picture}\nor type the key\n`
    const [found, ...others] = findSecrets(text)
    expect(others).toEqual([])
    // What is left has no row with a finder, only lines of the quiet zone.
    expect(found?.rule).toBe('qr-code')
    const remaining = text.slice(0, found?.start) + text.slice(found?.end)
    const quietLines = draw(rows.slice(0, quiet))
    expect(remaining.length).toBeLessThanOrEqual('Scan this:\n\nor type the key\n'.length + 2 * quietLines.length + 2)
    expect(redactor().text(text)).toContain('[redacted:qr-code]\n')
  })

  test('is found after what a tool prints before each line', () => {
    const picture = draw(code(29, 1))
    for (const before of ['app-1  | ', '+', '    ', '  12\t']) {
      const text = picture.replace(/^/gm, before)
      expect(findSecrets(text).map(({ rule }) => rule)).toEqual(['qr-code'])
    }
  })

  test('is redacted up to the point where an output was cut', () => {
    const lines = draw(code(33, 0)).split('\n')
    const text = [...lines.slice(0, lines.length / 2), '…231 tokens truncated…', 'done'].join('\n')
    expect(redactor().text(text)).toBe('[redacted:qr-code]\n…231 tokens truncated…\ndone')
  })
})

test.each([
  ['bars', '▁▂▃▄▅▆▇█ 80%\n███████▀▀▀▀▄▄▄▄   45%\n█   █   █   █   █   █   █'],
  [
    'a banner',
    '██   ██ ███████ ██      ██\n██   ██ ██      ██      ██\n███████ █████   ██      ██\n██   ██ ██      ██      ██',
  ],
  ['a frame', ['##############', '##          ##', '##  ######  ##', '##          ##', '##############'].join('\n')],
  ['one finder', finder.map((row) => row.replaceAll('1', '##').replaceAll('0', '  ')).join('\n')],
])('nothing is redacted in %s', (_, text) => {
  expect(findSecrets(text)).toEqual([])
})
