import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openVault, pbkdfRounds } from '../../../src/features/lock/vault-fs.ts'
import { nameOf, unlock, unseal } from '../../helpers/unlock.ts'

const password = 'tin drum, blue lantern'
const few = { salt: Buffer.from('sixteen bytes ok').toString('base64'), rounds: 2 }

describe('the keys of a locked site', () => {
  it('are derived by PBKDF2 with more rounds than OWASP recommends and a new salt of 16 bytes', async () => {
    const [one, other] = await Promise.all([openVault(password), openVault(password)])
    expect(pbkdfRounds).toBeGreaterThanOrEqual(600_000)
    expect(one.rounds).toBe(pbkdfRounds)
    expect(Buffer.from(one.salt, 'base64')).toHaveLength(16)
    expect(one.salt).not.toBe(other.salt)
    expect(one.check).not.toBe(other.check)
    expect((await unlock(password, one)).check).toBe(one.check)
  })

  it('are the same for the same password and salt, however the letters are composed', async () => {
    const vault = await openVault('caf\u00e9 noir, cr\u00e8me', few)
    expect((await openVault('cafe\u0301 noir, cre\u0300me', few)).check).toBe(vault.check)
    expect((await openVault('cafe noir, creme', few)).check).not.toBe(vault.check)
    expect((await unlock('cafe\u0301 noir, cre\u0300me', few)).check).toBe(vault.check)
  })

  it('give names that reveal nothing, differ by path and part, and are the same in the browser', async () => {
    const vault = await openVault(password, few)
    const keys = await unlock(password, few)
    const names = [vault.nameOf('index.html'), vault.nameOf('index.html', 1), vault.nameOf('projects/index.html')]
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/)
    expect(await nameOf(keys, 'index.html')).toBe(names[0])
    expect(await nameOf(keys, 'index.html', 1)).toBe(names[1])
    expect((await openVault('another one, quite', few)).nameOf('index.html')).not.toBe(names[0])
  })
})

describe('a sealed part', () => {
  it('opens in the browser with the content that was sealed, whatever that is', async () => {
    const vault = await openVault(password, few)
    const keys = await unlock(password, few)
    const cases = fc.tuple(fc.string({ minLength: 1 }), fc.uint8Array({ maxLength: 5000 }), fc.nat({ max: 3 }))
    await fc.assert(
      fc.asyncProperty(cases, async ([path, body, part]) => {
        const sealed = vault.seal({ path, parts: part + 1, version: 'v' }, part, body)
        const opened = await unseal(keys, await nameOf(keys, path, part), sealed)
        expect(opened.header).toEqual({ path, parts: part + 1, version: 'v' })
        expect(opened.body.equals(body)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('never has the nonce of another, and equal content never gives the same bytes', async () => {
    const vault = await openVault(password, few)
    const body = Buffer.from('the same words')
    const sealed = Array.from({ length: 2000 }, () =>
      Buffer.from(vault.seal({ path: 'a', parts: 1, version: 'v' }, 0, body)),
    )
    expect(new Set(sealed.map((bytes) => bytes.subarray(0, 12).toString('hex'))).size).toBe(2000)
    expect(new Set(sealed.map((bytes) => bytes.subarray(12).toString('hex'))).size).toBe(2000)
  })

  it('cannot be opened under another name, with another password, or after a bit was changed', async () => {
    const vault = await openVault(password, few)
    const keys = await unlock(password, few)
    const name = vault.nameOf('a.html')
    const sealed = vault.seal({ path: 'a.html', parts: 1, version: 'v' }, 0, Buffer.from('words'))
    await expect(unseal(keys, name, sealed)).resolves.toMatchObject({ header: { path: 'a.html' } })
    await expect(unseal(keys, vault.nameOf('b.html'), sealed)).rejects.toThrow()
    await expect(unseal(keys, vault.nameOf('a.html', 1), sealed)).rejects.toThrow()
    await expect(unseal(await unlock('another one, quite', few), name, sealed)).rejects.toThrow()
    for (const at of [0, 12, 500, sealed.length - 1]) {
      const turned = Uint8Array.from(sealed)
      turned[at] = (turned[at] ?? 0) ^ 1
      await expect(unseal(keys, name, turned)).rejects.toThrow()
    }
  })

  it('has one of a few lengths', async () => {
    const vault = await openVault(password, few)
    const lengthOf = (bytes: number): number => {
      const noise = Uint8Array.from({ length: bytes }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 24)
      return vault.seal({ path: 'a', parts: 1, version: 'v' }, 0, noise).length
    }
    expect(new Set([0, 10, 100, 300].map(lengthOf)).size).toBe(1)
    expect(lengthOf(40_000)).toBeGreaterThan(lengthOf(300))
  })
})
