import { describe, expect, it } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'
import { base64 } from '../../../src/features/lock/locked-staging.ts'
import { openVault } from '../../../src/features/lock/vault-fs.ts'

const { keysOf, masterOf, nameOf } = await import(`${templatesFolder}lock/keys.js`)
const { unseal } = await import(`${templatesFolder}lock/sealed.js`)
const { fromBase64, joined, toBase64, toHex } = await import(`${templatesFolder}lock/bytes.js`)

const facts = { salt: Buffer.from('sixteen bytes ok').toString('base64'), rounds: 3 }
const password = 'caf\u00e9, drum, blue lantern'

describe('the script of the login page', () => {
  it('makes the same keys and names as a build from the password, however its letters are composed', async () => {
    const vault = await openVault(password, facts)
    const lock = { salt: fromBase64(facts.salt), rounds: facts.rounds }
    for (const typed of [password, 'cafe\u0301, drum, blue lantern']) {
      const keys = await keysOf(await masterOf(typed, lock))
      expect(keys.check).toBe(vault.check)
      expect(await nameOf(keys, 'index.html')).toBe(vault.nameOf('index.html'))
      expect(await nameOf(keys, 'a.json', 2)).toBe(vault.nameOf('a.json', 2))
    }
    expect((await keysOf(await masterOf('cafe, drum, blue lantern', lock))).check).not.toBe(vault.check)
  })

  it('opens what a build sealed, unless it was changed or has another name', async () => {
    const vault = await openVault(password, facts)
    const keys = await keysOf(await masterOf(password, { salt: fromBase64(facts.salt), rounds: facts.rounds }))
    const body = Buffer.from('Déjà vu\n'.repeat(9000))
    const sealed = vault.seal({ path: 'a.md', parts: 3, version: 'v' }, 1, body)
    const name = vault.nameOf('a.md', 1)
    const opened = await unseal(keys, name, base64(sealed))
    expect(opened.header).toEqual({ path: 'a.md', parts: 3, version: 'v' })
    expect(Buffer.from(opened.body).equals(body)).toBe(true)
    await expect(unseal(keys, vault.nameOf('a.md', 2), base64(sealed))).rejects.toThrow()
    await expect(unseal(keys, name, base64(sealed.subarray(0, -1)))).rejects.toThrow()
  })

  it('converts bytes to base64 and hexadecimal digits and joins them', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    expect(toHex(bytes.subarray(8, 18))).toBe('08090a0b0c0d0e0f1011')
    expect(joined([bytes.subarray(0, 5), new Uint8Array(), bytes.subarray(5)])).toEqual(bytes)
  })
})
