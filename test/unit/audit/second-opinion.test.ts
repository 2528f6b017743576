/** What the audit finds without the rules of redaction: secretlint, random values; and waivers. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { foreignQueue, secretlintScan } from '../../../src/features/audit/secretlint.ts'
import { findRandomValues, withoutHits } from '../../../src/features/audit/text-hits.ts'

import { textScan } from '../../../src/features/audit/text-scan.ts'
import { audit, page, reported, writeSite } from '../../helpers/audited.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** Values that no rule of redaction finds unless a telling name comes before them. */
const random = ['aB3dE5gH', '7jK9mN2p', 'Q4rS6tU8'].join('')
const hex = ['3f9a1c7e', '5b2d8046', 'f1a3c5e7', '092b4d6f'].join('')
const uuid = ['3f9a1c7e', '5b2d', '4046', '81a3', 'c5e7092b4d6f'].join('-')
/** A form that secretlint recognises. */
const shopify = ['shpat', hex].join('_')

const none = (): [] => []

describe('secretlint', () => {
  it('searches a text, and comments in the text do not disable it', async () => {
    const text = `/* secretlint-disable */\n// secretlint-disable-next-line\ntoken ${shopify} behind`
    const [hit] = await secretlintScan()(text)
    expect(hit).toMatchObject({ rule: 'secretlint-shopify' })
    expect(text.slice(hit?.start, hit?.end)).toBe(shopify)
  })

  it('searches each place once, and only what our rules did not find', async () => {
    const filler = 'A line of an answer.\n'.repeat(100_000)
    const text = `${shopify}\n${filler}${shopify}\n${filler}${shopify}`
    const found: (number | undefined)[] = []
    const queue = foreignQueue([secretlintScan()])
    const onHit = (_: unknown, __: string, mark: { line?: number }): unknown => found.push(mark.line)
    const scan = textScan({ findSecrets: none }, onHit, (window) => queue.add(window, onHit))
    scan.write(text, { line: 1 })
    scan.end()
    await queue.drain()
    expect(found).toEqual([1, 100_002, 200_003])
    const ours = textScan({ findSecrets: () => [{ start: 0, end: 9, rule: 'x' }] }, none, (window) =>
      queue.add(window, onHit),
    )
    ours.write(shopify, { line: 1 })
    ours.end()
    await queue.drain()
    expect(found).toHaveLength(3)
  })

  it('does not take marks of redaction for a password, but finds what is next to them', async () => {
    const address = (password: string): string => `postgres://app:${password}@db.example.org/shop`
    const scan = async (text: string): Promise<number> => {
      let count = 0
      const queue = foreignQueue([secretlintScan()])
      const add = (): unknown => count++
      const own = textScan({ findSecrets: none }, none, (window) => queue.add(window, add))
      own.write(text, {})
      own.end()
      await queue.drain()
      return count
    }
    expect(await scan(address('[redacted:connection-password#2]'))).toBe(0)
    expect(await scan(`${address('[redacted:connection-password]')} ${shopify}`)).toBe(1)
    expect(await scan(`[redacted:${shopify}]`)).toBe(1)
  })
})

describe('a random value after a telling word', () => {
  it.each([
    `DB_PASSWORD=${random}`,
    `DB_PASSWORD=${random.slice(0, 6)};${random.slice(6, 14)}`,
    `DB_PASSWORD=${random.slice(0, 6)}[${random.slice(6, 14)}`,
    `password='$${random.slice(0, 12)}'`,
    `password: my_${random}`,
    `token: ${random}.${random}`,
    `Authorization: Bearer a-${random}`,
    `GEMINI_API_KEY=AQ.Ab${random}`,
    `HEROKU_API_KEY=${uuid}`,
    `//registry.example.org/:_authToken=${uuid}`,
    `{"name":"X-Api-Key","value":"${random}"}`,
    `<password>${random}</password>`,
    `Password\n\n\n\n\n\n${random}`,
    `<add key="ApiKey" value="${random}" />`,
    `api_key: |-\n  ${random}`,
    `**API key:** \`${random}\``,
    `| api key | ${random} |`,
    `define('DB_PASSWORD', '${random}')`,
    `setProperty("password", "${random}")`,
    `setItem('auth_token', '${random}')`,
    `variable "api_token" {\n  default = "${random}"`,
    `ACME_SECRET      ${random}`,
    `x.password == "${random}"`,
    `IDENTIFIED BY '${random}'`,
    `clientSecret = "${hex}"`,
    `token%3D${random}`,
  ])('is found in %s', (text) => {
    const [hit, ...others] = findRandomValues(text)
    expect(others).toEqual([])
    expect(text.slice(hit?.start, hit?.end).length).toBeGreaterThanOrEqual(10)
  })

  it.each([
    'tokens: 0199a213-81c0-7800-8aa1-bbab2a035a53',
    'const tokenizer = createTokenizerFromPattern2026Version(input)',
    'secretary: Johanna2Miller3Consulting4GmbH5',
    'secretsManager.getSecretValueForServiceAccount2026()',
    'password: process.env.DB_PASSWORD_2026_STAGING',
    'token: SyntaxKind2026Identifier',
    '04:01:14 cobalt auth \u001B[33mWARN\u001B[0m request 1074 took 310 ms',
    'accessToken: CreateOAuth2TokenWithIAMCommandOutput',
    'EllipticCurvePrivateKey, ed25519.Ed25519PrivateKey',
    'show(secret, `\\u001B[1;31m`)',
    'password: correct-horse-battery-staple-2026',
    'token: src/auth/tokens/refresh-token-provider.ts',
    'PASSWORD=[redacted:named-secret]',
    'api_key: YOUR_API_KEY_GOES_HERE_2026',
    'token=xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    `log in by token,\n${hex}${hex.slice(0, 8)}:lib/a.ts:8: call`,
    `integrity="sha384-${random}"`,
    `commit ${hex}${hex.slice(0, 8)}`,
    'Tokens\n\n\n\n\n\n\n\nScript\\UI12.lua',
    'QpwdX+aB3dE5gH7jK9mN2pQ4rS6tU8vW0xY1zA3bC5',
  ])('is not assumed in %s', (text) => expect(findRandomValues(text)).toEqual([]))

  it('is searched for in time that grows only with the text', () => {
    const texts = [
      'token '.repeat(150_000),
      'password='.repeat(100_000),
      `secret ${'= '.repeat(400_000)}`,
      'pwd'.repeat(300_000),
    ]
    for (const text of texts) expect(findRandomValues(text).length).toBeLessThan(10)
  })
})

describe('a text without its hits', () => {
  it.each([
    ['one inside another', 'a secret@word.example b', '9-15 2-21', 'a [redacted] b'],
    ['two that overlap', 'abcdefgh', '4-7 1-5', 'a[redacted]h'],
    ['two that touch', 'abcdef', '1-3 3-5', 'a[redacted][redacted]f'],
    ['two apart', 'abcdef', '4-5 1-2', 'a[redacted]cd[redacted]f'],
  ])('has nothing left of %s', (_, text, ranges, expected) => {
    const hits = [...ranges.matchAll(/(\d+)-(\d+)/g)].map(([, start, end]) => ({
      start: Number(start),
      end: Number(end),
    }))
    expect(withoutHits(text, hits)).toBe(expected)
  })
})

describe('the audit of a site by these methods', () => {
  const pages = {
    'index.html': page(`<p id="l3">my key: ${shopify}</p><p data-note="${shopify}">x</p>`),
    'a.md': `one\ntwo ${shopify}\n`,
    'a.json': JSON.stringify({ text: `note ${shopify}` }),
    'pagefind/fragment/a.pf_fragment': gzipSync(`pagefind_dcd{"content":"say ${shopify}"}`),
    'b.txt': `behind ${Buffer.from(`a line with ${shopify} in it`).toString('base64')} there`,
    'c.txt': `DB_PASSWORD=${random.slice(0, 6)};${random.slice(6, 16)}`,
  }

  it('reports what only they find, with a fingerprint and without the value', async () => {
    const folder = useTempDir()
    writeSite(folder, pages)
    const { findings } = await audit(folder)
    expect(new Set(findings.map(({ file }) => file))).toEqual(new Set(Object.keys(pages)))
    expect(findings.find(({ file, line }) => file === 'a.md' && line === 2)).toBeDefined()
    expect(findings.every(({ fingerprint }) => /^[\da-f]{16}$/.test(fingerprint ?? ''))).toBe(true)
    const shown = JSON.stringify(findings)
    for (const value of [shopify, random.slice(0, 6), random.slice(6, 16)]) expect(shown).not.toContain(value)
    const own = findings.filter(({ ruleId }) => ruleId.includes('shopify'))
    expect(new Set(own.map(({ fingerprint }) => fingerprint)).size).toBe(1)
  })

  it('accepts what a waiver names, reports that it did, and reports waivers that match nothing', async () => {
    const folder = useTempDir()
    writeSite(folder, pages)
    const [first] = (await audit(folder)).findings.filter(({ file }) => file === 'a.md')
    const fingerprint = first?.fingerprint ?? ''
    const stale = '0123456789abcdef'
    const waivers = { [fingerprint]: 'sample of the vendor', [stale]: 'was here once' }
    const result = await audit(folder, { waivers })
    expect(reported(result).filter((line) => !line.includes('c.txt'))).toEqual(['unused-waiver '])
    expect(result.findings.find(({ ruleId }) => ruleId === 'unused-waiver')?.message).toContain(
      `\`${stale}\`: was here once`,
    )
    expect(result.waived).toMatchObject([{ fingerprint, reason: 'sample of the vendor' }])
  })
})
