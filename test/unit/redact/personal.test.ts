import { describe, expect, test } from 'vitest'
import { personalDefaults, personalOff } from '../../../src/config/personal.ts'
import { type Redactor, redactor } from '../../../src/redact/redactor.ts'
import { personalSearch } from '../../../src/survey/privacy.ts'
import { emails, homeFolders, machines, nothingPersonal, person, prompts, userNames } from '../../helpers/personal.ts'
import { planted } from '../../helpers/planted.ts'

const everything = { ...personalDefaults, emails: true }

/** A redactor of a session that began in the person's home folder. */
function sessionRedactor(policy = everything, homeDir = '/home/builder'): Redactor {
  const own = redactor(personalSearch(policy, homeDir)())
  own.learn([`/home/${person.user}/shop`], [])
  return own
}

describe('a home folder becomes `~`', () => {
  test.each(homeFolders)('$kind', ({ text, shown }) => {
    expect(sessionRedactor().text(text)).toBe(shown)
  })

  test('even if it is the home folder of the program in an unusual place', () => {
    const { text } = sessionRedactor(everything, '/data/nora')
    expect(text('ls /data/nora /data/nora/shop /data/norah')).toBe('ls ~ ~/shop /data/norah')
    expect(sessionRedactor().text('ls /data/nora')).toBe('ls /data/nora')
    const windows = sessionRedactor(everything, 'D:\\People\\nora')
    expect(windows.text('cd D:\\People\\nora\\shop && cd "D:\\\\People\\\\nora"')).toBe('cd ~\\shop && cd "~"')
  })
})

describe('a folder that belongs to nobody is kept', () => {
  test.each(['/root', '/root/', '/var/root', '/private/var/root'])('if it is that of root: %s', (home) => {
    const talk = 'You are `/root`; message from /root/read_one to /root; cd /root/shop'
    expect(sessionRedactor(everything, home).text(talk)).toBe(talk)
  })

  test.each(['GET /home/index.html', 'import "/home/view.tsx"', '/Users/list.json'])(
    'if it is a page of a site: %s',
    (text) => {
      expect(sessionRedactor().text(text)).toBe(text)
    },
  )

  test('but not if a folder of a person only ends like a page', () => {
    expect(sessionRedactor().text('cd /home/nora.js/shop')).toBe('cd ~/shop')
  })
})

describe('the name of the user becomes `user`', () => {
  test.each(userNames)('$kind', ({ text, shown }) => {
    expect(sessionRedactor().text(text)).toBe(shown)
  })

  test('after a folder of the session or a prompt has revealed it', () => {
    const own = redactor(personalSearch(everything, '/root')())
    expect(own.text(`/var/mail/${person.user}`)).toBe(`/var/mail/${person.user}`)
    own.text(`${person.user}@${person.host}:~$ ls`)
    expect(own.text(`/var/mail/${person.user}`)).toBe('/var/mail/user')
  })

  test.each(['Wu', 'Ng', 'Li', 'o_brien', 'jane.doe', 'z3r0x', 'тарас', '田中太郎', 'Élodie'])(
    'in any script, even if it is short: %s',
    (name) => {
      for (const { text } of [...userNames, ...homeFolders, ...prompts].filter(({ text }) =>
        text.includes(person.user),
      )) {
        const own = redactor(personalSearch(everything, '/home/builder')())
        own.learn([`/home/${name}/shop`], [])
        const remaining = own.text(text.replaceAll(person.user, name)).split(/[^\p{L}\p{N}_.-]+/u)
        expect(remaining).not.toContain(name)
      }
    },
  )

  test('but not if it is an ordinary word', () => {
    for (const name of ['admin', 'runner', 'vscode', 'me', 'node', 'go', 'js', 'ci']) {
      const own = redactor(personalSearch(everything, '/root')())
      own.learn([`/home/${name}/shop`], [])
      expect(own.text(`/var/mail/${name}`)).toBe(`/var/mail/${name}`)
    }
  })
})

describe('a name that systems write in another case', () => {
  test.each([
    ['/Users/Nora/shop', 'Author: nora', 'Author: user'],
    ['/Users/nora/shop', 'Nora’s MacBook Pro', 'user’s MacBook Pro'],
    ['C:\\Users\\Nora\\shop', 'desktop-x\\nora\r\n', 'desktop-x\\user\r\n'],
    ['/home/nora/shop', 'Author: Nora', 'Author: Nora'],
  ])('is replaced if the system ignores case: %s', (folder, text, shown) => {
    const own = redactor(personalSearch(everything, '/root')())
    own.learn([folder], [])
    expect(own.text(text)).toBe(shown)
  })
})

describe('a name of several words in the folder of the session', () => {
  const shown = (text: string, folder = 'C:\\Users\\Quendolin Marsh\\work'): string => {
    const own = redactor(personalSearch(everything, '/root')())
    own.learn([folder], [])
    return own.text(text)
  }

  test.each([
    ['C:\\Users\\Quendolin Marsh\\x', '~\\x'],
    ['C:\\Users\\Quendolin Marsh', '~'],
    ['cd C:\\Users\\Quendolin Marsh && dir', 'cd ~ && dir'],
    ['C:/Users/Quendolin Marsh/x', '~/x'],
    ['/c/Users/Quendolin Marsh/x', '~/x'],
    ['/mnt/c/Users/Quendolin Marsh/x', '~/x'],
    ['/mnt/c/Users/Quendolin\\ Marsh/x', '~/x'],
    ['file:///C:/Users/Quendolin%20Marsh/x', 'file:///~/x'],
    ['HOMEPATH=\\Users\\Quendolin Marsh', 'HOMEPATH=~'],
    ['USERNAME=Quendolin Marsh', 'USERNAME=user'],
    ['c--Users-Quendolin-Marsh-work', 'c--Users-user-work'],
    ['Owner: OFFICE\\Quendolin Marsh', 'Owner: OFFICE\\user'],
    ['d:\\users\\quendolin marsh\\x', '~\\x'],
    ['"C:\\\\Users\\\\Quendolin Marsh\\\\x"', '"~\\\\x"'],
    ['quendolin.marsh and Quendolin_Marsh', 'user and user'],
    ['Quendolin Marshall in a marsh', 'Quendolin Marshall in a marsh'],
  ])('is replaced as a whole in %s', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('is also replaced on macOS', () => {
    const folder = '/Users/quendolin marsh/code'
    expect(shown(folder, folder)).toBe('~/code')
    expect(shown("'/Users/quendolin marsh/x'", folder)).toBe("'~/x'")
    expect(shown('file:///Users/quendolin%20marsh/x', folder)).toBe('file://~/x')
  })

  test('with an ordinary word in it is replaced, but its form with hyphens only in a home folder', () => {
    const folder = 'C:\\Users\\Dev Quendolin\\x'
    expect(shown('dev-quendolin by Dev Quendolin in c--Users-Dev-Quendolin-x', folder)).toBe(
      'dev-quendolin by user in c--Users-user-x',
    )
  })

  test('is kept if it is made of ordinary words', () => {
    for (const name of ['All Users', 'Default User'])
      expect(shown(`Owner: ${name}`, `C:\\Users\\${name}\\x`)).toBe(`Owner: ${name}`)
  })
})

describe('the names in a shell prompt become `user` and `host`', () => {
  test.each(prompts)('$kind', ({ text, shown }) => {
    expect(sessionRedactor().text(text)).toBe(shown)
  })

  test.each(['bash', 'Git Bash', 'fish', 'fish with a branch'])('also inside quotes and tags: %s', (kind) => {
    const { text = '', shown } = prompts.find((prompt) => prompt.kind === kind) ?? {}
    for (const [before, after] of [
      ['cat "', '"'],
      ['<cwd>', '</cwd>'],
      ['{"query":"', '"}'],
    ]) {
      const own = redactor(personalSearch(everything, '/root')())
      expect(own.text(`${before}${text}${after}`)).toBe(`${before}${shown}${after}`)
    }
  })
})

describe('the name of a machine that a program prints becomes `host`', () => {
  test.each(machines)('$kind', ({ text, shown }) => {
    expect(sessionRedactor().text(text)).toBe(shown)
  })
})

test.each([': Permission denied (publickey).', "'s password: "])(
  'SSH logs in `user`, even at an address: %s',
  (after) => {
    const own = sessionRedactor(personalDefaults)
    expect(own.text(`${person.user}@files.example.org${after}`)).toBe(`user@files.example.org${after}`)
  },
)

test('an address on a private network becomes `user` and `host`', () => {
  const text = `${person.user}@quillbox.fritz.box, ${person.user}@quillbox.local:/srv`
  expect(sessionRedactor(personalDefaults).text(text)).toBe('user@host, user@host:/srv')
})

describe('an e-mail address becomes a mark', () => {
  test.each(emails)('$kind', ({ text, shown }) => {
    expect(sessionRedactor().text(text)).toBe(shown)
    expect(sessionRedactor(personalDefaults).text(text)).toBe(text)
  })

  test('with a number for each different one', () => {
    expect(sessionRedactor().text('a.b@example.org, c@example.org, a.b@example.org')).toBe(
      '[redacted:email], [redacted:email#2], [redacted:email]',
    )
  })
})

describe('a configured root is shown by its name', () => {
  const roots = { '/srv/work': 'work', '/srv/work/client': 'client-a', '~/lab': 'lab', 'C:\\Work': 'work' }
  const policy = { ...everything, roots }

  test.each([
    ['/srv/work/client/src/a.ts', 'client-a/src/a.ts'],
    ['ls /srv/work/other', 'ls work/other'],
    ['/srv/works /srv/work.old', '/srv/works /srv/work.old'],
    ['"/home/builder/lab/x" and ~/lab', '"lab/x" and lab'],
    ['cd C:\\Work\\x; cd "C:\\\\Work\\\\x"', 'cd work\\x; cd "work\\\\x"'],
  ])('%s', (text, shown) => {
    expect(sessionRedactor(policy).text(text)).toBe(shown)
  })
})

describe('what only looks like personal data is kept', () => {
  test.each(nothingPersonal)('%s', (text) => {
    expect(sessionRedactor().text(text)).toBe(text)
  })
})

describe('personal data that was replaced', () => {
  const all = [...homeFolders, ...userNames, ...prompts, ...machines, ...emails]

  test('stays the same in a second pass', () => {
    for (const { shown } of all) expect(sessionRedactor().text(shown)).toBe(shown)
  })

  const { user } = person
  test.each([
    ['a user in a path that now begins with `~`', `C:\\Users\\nora\\x/home/${user}/shop`, '~\\x/home/user/shop'],
    ['a path after a colour', `\\\\files\\Users\\${user}\\x\u001B[1m/home/${user}/x`, '~\\x\u001B[1m/home/user/x'],
    ['a value that was a path', `token=/home/${user}/x=$A0b!7`, 'token=[redacted:named-secret]'],
    ['a prompt in a Windows folder', `nora@${person.host}:C:\\Users\\nora\\x$ ls`, 'user@host:~\\x$ ls'],
  ])('leaves nothing private uncovered: %s', (_, text, shown) => {
    expect(sessionRedactor().text(text)).toBe(shown)
    // What is far away in a long text changes nothing.
    const far = 'lorem ipsum dolor sit amet\n'.repeat(200)
    expect(sessionRedactor().text(`${far}\n${text}\n${far}`)).toBe(`${far}\n${shown}\n${far}`)
  })

  test('is kept if the policy says so', () => {
    for (const { text } of all) expect(sessionRedactor(personalOff).text(text)).toBe(text)
    const { text } = sessionRedactor({ ...personalDefaults, names: false })
    expect(text(`/home/${person.user}/x ${person.user}@${person.host}:~$ `)).toBe(
      `~/x ${person.user}@${person.host}:~$ `,
    )
  })

  test('is counted by rule, in addition to secrets', () => {
    const own = sessionRedactor()
    const [secret] = planted()
    own.text(`/home/x/a /home/y/b ${person.user}@${person.host}:~$ mail ${person.email} ${secret?.text}`)
    expect(own.counts).toEqual({ 'home-folder': 2, 'user-name': 1, 'host-name': 1, email: 1, 'openai-key': 1 })
  })

  test('leaves neighbouring secrets to their own rules', () => {
    for (const { text, secret, rule } of planted()) {
      const own = sessionRedactor()
      const shown = own.text(`cat /home/${person.user}/.env\n${text}\n/home/${person.user}`)
      expect(shown).not.toContain(secret)
      expect(shown.startsWith('cat ~/.env\n')).toBe(true)
      expect(own.counts).toMatchObject({ [rule]: 1, 'home-folder': 2 })
    }
  })
})
