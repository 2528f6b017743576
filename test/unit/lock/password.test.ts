import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { readPassword } from '../../../src/features/lock/vault-fs.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** A password file with these permissions. */
function passwordFile(text: string | Uint8Array, mode = 0o600): string {
  const path = join(useTempDir(), 'password')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe('a password file', () => {
  it.each([
    ['plain', 'correct horse battery'],
    ['with a line end', 'correct horse battery\n'],
    ['with a Windows line end and a byte order mark', '\uFEFFcorrect horse battery\r\n'],
  ])('contains one line: %s', (_, text) => {
    expect(readPassword(passwordFile(text))).toEqual({ password: 'correct horse battery', diagnostics: [] })
  })

  it('keeps spaces around the password', () => {
    expect(readPassword(passwordFile(' correct horse battery \n')).password).toBe(' correct horse battery ')
  })

  it.each([
    ['empty', '\n', 'it is empty'],
    ['of spaces', '              \n', 'it is empty'],
    ['of two lines', 'correct horse battery\nstaple\n', 'it has more than one line'],
    ['with two line ends', 'correct horse battery\n\n', 'it has more than one line'],
    ['short', 'horse\n', 'shorter than 10 characters'],
    ['with a bell', 'correct horse\u0007battery\n', 'it contains a control character'],
    ['monotonous', 'aaaabbbbaaaabbbb', 'fewer than five different characters'],
  ])('is rejected if it is %s', (_, text, reason) => {
    const path = passwordFile(text)
    expect(() => readPassword(path)).toThrow(UsageError)
    expect(() => readPassword(path)).toThrow(`The password file \`${path}\` cannot be used: `)
    expect(() => readPassword(path)).toThrow(reason)
  })

  it('is rejected if it is missing, a folder, or another file', () => {
    const folder = useTempDir()
    mkdirSync(join(folder, 'pass'))
    writeFileSync(join(folder, 'film'), 'x'.repeat(5000))
    expect(() => readPassword(join(folder, 'none'))).toThrow('cannot be read: it does not exist.')
    expect(() => readPassword(join(folder, 'pass'))).toThrow('cannot be read: it is a folder.')
    expect(() => readPassword(join(folder, 'film'))).toThrow('cannot be read: it has 5000 bytes.')
  })

  it.each([
    ['UTF-16 of Windows', Buffer.from('\uFEFFcorrect horse battery\r\n', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('correct horse battery', 'utf16le')],
    ['Latin-1', Buffer.from('pässwörd of a horse', 'latin1')],
  ])('is rejected in %s, in which the password could not be typed', (_, bytes) => {
    const path = passwordFile(bytes)
    expect(() => readPassword(path)).toThrow(UsageError)
    expect(() => readPassword(path)).toThrow('cannot be read: it is not text in UTF-8. Save it in that encoding.')
  })

  it('with a weak password gives a warning that does not quote it', () => {
    const { diagnostics } = readPassword(passwordFile('horse battery\n'))
    expect(diagnostics).toMatchObject([{ ruleId: 'password-weak', level: 'warning' }])
    expect(JSON.stringify(diagnostics)).not.toContain('horse')
  })

  it.skipIf(process.platform === 'win32')('that others can read gives a warning', () => {
    const path = passwordFile('correct horse battery\n', 0o640)
    const { diagnostics } = readPassword(path)
    expect(diagnostics).toMatchObject([{ ruleId: 'password-readable', level: 'warning' }])
    expect(diagnostics[0]?.message).toContain(`chmod 600\` on \`${path}\``)
  })
})
