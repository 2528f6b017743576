/**
 * Programs that answer a question with their exit code: there is no hit, two things differ, a test is false. Such an end
 * is not a failure. Each row cites where the code is documented; a code that may also mean an error is not included.
 */

import { ownValue, recordOf } from '../../util/own.ts'

/** A program that answers with its exit code. */
export interface Lookup {
  /** Codes that mean "no". */
  codes: readonly number[]
  /** Which words after the name give the code this meaning; absent: any. */
  when?: (words: readonly string[]) => boolean
  /** If there is no hit, it prints nothing at all: no hits and no errors. */
  silent?: true
  source: string
}

const has =
  (...flags: readonly string[]) =>
  (words: readonly string[]): boolean =>
    words.some(
      (word) => flags.includes(word) || flags.some((flag) => flag.startsWith('--') && word.startsWith(`${flag}=`)),
    )

/** Whether short options include one of some letters: `-qe`. */
const letter =
  (letters: string) =>
  (words: readonly string[]): boolean =>
    words.some((word) => /^-\w+$/.test(word) && [...letters].some((one) => word.includes(one)))

const either =
  (...tests: readonly ((words: readonly string[]) => boolean)[]) =>
  (words: readonly string[]): boolean =>
    tests.some((test) => test(words))

const grep: Lookup = {
  codes: [1],
  silent: true,
  source: 'POSIX grep, EXIT STATUS: 1 no lines were selected, >1 an error',
}
const differ: Lookup = { codes: [1], source: 'POSIX diff and cmp, EXIT STATUS: 1 differences were found, >1 an error' }
const test: Lookup = { codes: [1], source: 'POSIX test, EXIT STATUS: 1 false or no expression, >1 an error' }
const processes: Lookup = {
  codes: [1],
  silent: true,
  source: 'pgrep(1), EXIT STATUS: 1 no processes matched, 2 and 3 errors',
}

/** Cmdlets that look something up while errors are suppressed. */
const quietCmdlet: Lookup = {
  codes: [1],
  when: (words) => /(?:^|\s)-(?:ErrorAction|ea)[\s:]+(?:SilentlyContinue|Ignore|0|4)(?:\s|$)/i.test(words.join(' ')),
  source: 'about_PowerShell_exe, -Command: 1 where $? is false, which a silenced error sets too',
}

const lookups: Readonly<Record<string, Lookup>> = {
  rg: { codes: [1], silent: true, source: 'rg(1), EXIT STATUS: 1 no match, 2 an error' },
  rga: { codes: [1], silent: true, source: 'as rg' },
  ...recordOf('grep egrep fgrep zgrep bzgrep xzgrep zstdgrep ggrep ugrep pcregrep pcre2grep pdfgrep agrep', grep),
  ag: { codes: [1], silent: true, source: 'ag: 1 no match, 2 an error' },
  ack: { codes: [1], silent: true, source: 'ack, EXIT CODES: 1 no matches, as grep' },
  findstr: { codes: [1], silent: true, source: 'findstr: errorlevel 1 where no line matches' },
  look: { codes: [1], silent: true, source: 'look(1): 1 no lines found, >1 an error' },
  fd: { codes: [1], when: either(has('--quiet'), letter('q')), silent: true, source: 'fd --help, --quiet: 1 no match' },
  fdfind: { codes: [1], when: either(has('--quiet'), letter('q')), silent: true, source: 'as fd' },
  fzf: {
    codes: [1],
    when: either(has('--filter'), letter('f')),
    silent: true,
    source: 'fzf(1), EXIT STATUS: 1 no match',
  },
  ...recordOf('diff gdiff colordiff sdiff cmp zdiff zcmp bzdiff xzdiff', differ),
  fc: { codes: [1], source: 'fc of Windows: errorlevel 1 where the files differ' },
  comp: { codes: [1], source: 'comp of Windows: errorlevel 1 where the files differ' },
  ...recordOf('test [', test),
  '[[': { codes: [1], source: 'bash(1), [[ expression ]]: 1 false, 2 an error' },
  '((': { codes: [1], source: 'bash(1), ((expression)): 1 where the value is 0' },
  expr: { codes: [1], source: 'POSIX expr, EXIT STATUS: 1 null or zero, >1 an error' },
  let: { codes: [1], source: 'bash(1), let: 1 where the last value is 0' },
  which: { codes: [1], source: 'which(1), EXIT STATUS: 1 a name was not found' },
  where: { codes: [1], source: 'where of Windows: errorlevel 1 without a hit, 2 an error' },
  type: { codes: [1], source: 'bash(1), type: 1 a name was not found' },
  hash: { codes: [1], source: 'bash(1), hash: 1 a name was not found' },
  command: {
    codes: [1, 127],
    when: (words) => /^-\w*[vV]/.test(words[0] ?? ''),
    source: 'POSIX command, -v: above 0 where a name was not found (bash 1, dash 127)',
  },
  compgen: { codes: [1], source: 'bash(1), compgen: 1 no match' },
  ...recordOf('pgrep pkill', processes),
  pidof: { codes: [1], silent: true, source: 'pidof(1), EXIT STATUS: 1 no program was found' },
  killall: { codes: [1], source: 'killall(1): 1 no process was found' },
  kill: { codes: [1], when: has('-0'), source: 'POSIX kill with signal 0: whether a process is there' },
  lsof: { codes: [1], silent: true, source: 'lsof(8), DIAGNOSTICS: 1 where what was asked for is not there' },
  fuser: { codes: [1], silent: true, source: 'fuser(1): above 0 where no process has the files open' },
  locate: { codes: [1], silent: true, source: 'locate(1), EXIT STATUS: 1 no match' },
  plocate: { codes: [1], silent: true, source: 'plocate(1): 1 no match' },
  mlocate: { codes: [1], silent: true, source: 'locate(1), EXIT STATUS: 1 no match' },
  printenv: { codes: [1], silent: true, source: 'printenv(1): 1 a variable is not set' },
  getent: { codes: [2], silent: true, source: 'getent(1), EXIT STATUS: 2 a key was not found' },
  mountpoint: { codes: [1, 32], source: 'mountpoint(1), EXIT STATUS: 32 no mountpoint, 1 before util-linux 2.35' },
  jq: {
    codes: [1, 4],
    when: either(has('--exit-status'), letter('e')),
    source: 'jq(1), --exit-status: 1 false or null, 4 no output',
  },
  systemctl: {
    codes: [1, 3, 4],
    when: has('is-active', 'is-enabled', 'is-failed', 'status'),
    source: 'systemctl(1), EXIT STATUS: the LSB codes, 3 not running, 4 no such unit',
  },
  tmux: { codes: [1], when: has('has-session', 'has'), source: 'tmux(1), has-session: 1 where there is none' },
  dpkg: {
    codes: [1],
    when: has('-s', '--status', '-l', '--list', '-S', '--search'),
    source: 'dpkg-query(1): 1 nothing was found',
  },
  'dpkg-query': { codes: [1], source: 'dpkg-query(1), EXIT STATUS: 1 nothing was found' },
  'pkg-config': { codes: [1], when: has('--exists', '--atleast-version'), source: 'pkg-config(1), --exists' },
  'ssh-keygen': { codes: [1], when: has('-F'), silent: true, source: 'ssh-keygen(1), -F: 1 no host was found' },
  pip: { codes: [1], when: has('show'), source: 'pip show: 1 no package was found' },
  pip3: { codes: [1], when: has('show'), source: 'as pip' },
  'Get-Command': { codes: [1], source: 'Get-Command: $? is false where nothing was found' },
  'Get-Process': { codes: [1], source: 'Get-Process: $? is false where nothing was found' },
  'Get-Service': { codes: [1], source: 'Get-Service: $? is false where nothing was found' },
  'Select-String': { codes: [1], silent: true, source: 'Select-String: hits, or nothing; errors are printed' },
  'Test-Path': { codes: [1], source: 'Test-Path: tells whether all parts of a path are there' },
  'Compare-Object': { codes: [1], silent: true, source: 'Compare-Object: differences, or nothing' },
}

/** What the exit code of `git` answers, by command. */
const git: Readonly<Record<string, Lookup>> = {
  grep: { codes: [1], silent: true, source: 'git-grep(1): as grep, 128 an error' },
  diff: {
    codes: [1],
    when: has('--exit-code', '--quiet', '--no-index'),
    source: 'git-diff(1), --exit-code: 1 differences, 128 and 129 errors',
  },
  'diff-index': { codes: [1], when: has('--exit-code', '--quiet'), source: 'git-diff-index(1), --exit-code' },
  'diff-files': { codes: [1], when: has('--exit-code', '--quiet'), source: 'git-diff-files(1), --exit-code' },
  'diff-tree': { codes: [1], when: has('--exit-code', '--quiet'), source: 'git-diff-tree(1), --exit-code' },
  log: { codes: [1], when: has('--exit-code'), source: 'git-log(1), --exit-code' },
  'merge-base': { codes: [1], source: 'git-merge-base(1): 1 no common ancestor, or --is-ancestor is false' },
  'check-ignore': { codes: [1], silent: true, source: 'git-check-ignore(1), EXIT STATUS: 1 none is ignored' },
  'show-ref': { codes: [1, 2], source: 'git-show-ref(1): 1 no reference matches, 2 with --exists' },
  'ls-files': { codes: [1], when: has('--error-unmatch'), source: 'git-ls-files(1), --error-unmatch' },
  'ls-remote': {
    codes: [2],
    when: has('--exit-code'),
    source: 'git-ls-remote(1), --exit-code: 2 no reference matches',
  },
  'rev-parse': {
    codes: [1],
    when: has('--verify', '-q', '--quiet'),
    source: 'git-rev-parse(1), --verify --quiet: above 0 without a message',
  },
  'symbolic-ref': { codes: [1], when: has('-q', '--quiet'), source: 'git-symbolic-ref(1): 1 no symbolic reference' },
  config: { codes: [1], source: 'git-config(1): 1 the key is not there' },
  'cat-file': { codes: [1], when: has('-e'), source: 'git-cat-file(1), -e: above 0 where there is no such object' },
}

/** What the exit code of a program answers, by its name and the words after it. */
export function lookupOf(name: string, words: readonly string[]): Lookup | undefined {
  const key = name.toLowerCase()
  if (key === 'git') {
    const [command = '', ...rest] = gitWords(words)
    return applying(ownValue(git, command), rest)
  }
  const cmdlet =
    name.includes('-') && /^(?:Get|Find|Select|Resolve|Test|Measure)-/i.test(name) ? quietCmdlet : undefined
  const known = ownValue(lookups, name) ?? ownValue(lookups, key)
  return applying(known, words) ?? applying(cmdlet, words)
}

function applying(lookup: Lookup | undefined, words: readonly string[]): Lookup | undefined {
  return lookup === undefined || lookup.when?.(words) === false ? undefined : lookup
}

/** The words of `git`, starting with its command. */
export function gitWords(words: readonly string[]): readonly string[] {
  let start = 0
  for (;;) {
    const word = words[start] ?? ''
    if (!word.startsWith('-')) return words.slice(start)
    start += /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|config-env))$/.test(word) ? 2 : 1
  }
}
