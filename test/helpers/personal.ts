/** Invented personal data in the forms that occur in sessions, and texts that only look like it. */

/** A text with personal data, and what of it may be published. */
export interface Personal {
  kind: string
  text: string
  shown: string
}

/** User, host and mail address of everything below. */
export const person = { user: 'quendolin', host: 'quill-box-7', email: 'quendolin.marsh@example.org' }

const { user, host, email } = person
const doubled = '\\\\'
const encoded = (text: string): string => Buffer.from(text).toString('base64')

/** Home folders of every system. */
export const homeFolders: readonly Personal[] = [
  { kind: 'Linux', text: `/home/${user}/shop`, shown: '~/shop' },
  { kind: 'the folder itself', text: `cd /home/${user}.`, shown: 'cd ~.' },
  { kind: 'macOS', text: `"/Users/${user}/shop"`, shown: '"~/shop"' },
  { kind: 'FreeBSD', text: `/usr/home/${user}/shop`, shown: '~/shop' },
  { kind: 'Windows', text: `C:\\Users\\${user}\\shop`, shown: '~\\shop' },
  { kind: 'Windows in small letters', text: `c:\\users\\${user}\\shop`, shown: '~\\shop' },
  { kind: 'Windows in capitals', text: `C:\\USERS\\${user}\\shop`, shown: '~\\shop' },
  { kind: 'Windows in small letters, forward', text: `/mnt/c/users/${user}/x`, shown: '~/x' },
  { kind: 'Windows in small letters, an address', text: `file:///c%3A/users/${user}/x`, shown: 'file:///~/x' },
  { kind: 'Windows, forward', text: `d:/Users/${user}/shop`, shown: '~/shop' },
  { kind: 'Windows, a name of two words', text: 'C:\\Users\\Quendolin Marsh\\shop', shown: '~\\shop' },
  { kind: 'Windows before 2007', text: `C:\\Documents and Settings\\${user}\\x`, shown: '~\\x' },
  {
    kind: 'Windows in JSON',
    text: `{"cwd":"C:${doubled}Users${doubled}nora${doubled}x"}`,
    shown: `{"cwd":"~${doubled}x"}`,
  },
  { kind: 'Windows in JSON in JSON', text: JSON.stringify(JSON.stringify('C:\\Users\\nora')), shown: '"\\"~\\""' },
  { kind: 'a share', text: `\\\\files\\Users\\${user}\\shop`, shown: '~\\shop' },
  { kind: 'WSL from Windows', text: `\\\\wsl$\\Ubuntu\\home\\${user}\\shop`, shown: '~\\shop' },
  { kind: 'WSL from Windows, a hidden file', text: `\\\\wsl$\\Ubuntu\\home\\${user}\\.ssh\\x`, shown: '~\\.ssh\\x' },
  ...['.npmrc', '_netrc', '-x', '$x', '~x', '+x'].flatMap((file) => [
    { kind: `Windows, the file ${file}`, text: `type C:\\Users\\${user}\\${file}`, shown: `type ~\\${file}` },
    {
      kind: `Windows in JSON, the file ${file}`,
      text: `"C:${doubled}Users${doubled}${user}${doubled}${file}"`,
      shown: `"~${doubled}${file}"`,
    },
  ]),
  { kind: 'a link of an editor', text: `[a](/c:/Users/${user}/.codex/a.md:3)`, shown: '[a](~/.codex/a.md:3)' },
  { kind: 'an address of an editor', text: `editor://file/c:/Users/${user}/a.md`, shown: 'editor://file/~/a.md' },
  { kind: 'an address with an encoded drive', text: `file:///c%3A/Users/${user}/a.html`, shown: 'file:///~/a.html' },
  { kind: 'an escaped name', text: '/home/quendolin\\_m/x', shown: '~/x' },
  { kind: 'a share of homes', text: `\\\\files\\users\\${user}\\shop`, shown: '~\\shop' },
  { kind: 'a hidden share of homes', text: `\\\\files\\home$\\${user}`, shown: '~' },
  {
    kind: 'a share of homes in JSON',
    text: `"${doubled}${doubled}files${doubled}homes${doubled}${user}${doubled}.x"`,
    shown: `"~${doubled}.x"`,
  },
  { kind: 'Git Bash', text: `ls /c/Users/${user}/shop`, shown: 'ls ~/shop' },
  { kind: 'WSL', text: `/mnt/c/Users/${user}/shop`, shown: '~/shop' },
  { kind: 'Cygwin', text: `/cygdrive/c/Users/${user}`, shown: '~' },
  { kind: 'an address of a file', text: `file:///home/${user}/a.html`, shown: 'file://~/a.html' },
  { kind: 'an address of a file on Windows', text: `file:///C:/Users/${user}/a.html`, shown: 'file:///~/a.html' },
  { kind: 'an encoded address', text: `?dir=%2Fhome%2F${user}%2Fshop`, shown: '?dir=~%2Fshop' },
  { kind: 'a list of folders', text: `PATH=/bin:/home/${user}/bin:/Users/${user}`, shown: 'PATH=/bin:~/bin:~' },
  { kind: 'a flag of a compiler', text: `cc -I/home/${user}/include`, shown: 'cc -I~/include' },
  { kind: 'an escaped line end', text: JSON.stringify({ log: `a\n/home/${user}/b` }), shown: '{"log":"a\\n~/b"}' },
  { kind: 'escaped slashes', text: `"\\/home\\/${user}\\/b"`, shown: '"~\\/b"' },
  { kind: 'a place in a file', text: `(/home/${user}/a.ts:12:3)`, shown: '(~/a.ts:12:3)' },
  ...[0, 1, 2].map((shift) => ({
    kind: `base64, ${shift} behind a group`,
    text: `in data:application/json;base64,${encoded(`${'x'.repeat(shift)} ["/Users/${user}/a.ts"]`)} ok`,
    shown: 'in data:application/json;base64,[redacted:home-folder] ok',
  })),
  {
    kind: 'base64 of Windows',
    text: `in ${encoded(`cd C:\\Users\\${user}\\shop`)}`,
    shown: 'in [redacted:home-folder]',
  },
  {
    kind: 'hexadecimal digits',
    text: Buffer.from(`/home/${user}/shop`).toString('hex'),
    shown: '[redacted:home-folder]',
  },
  { kind: 'a name of another script', text: '/home/zoë-łucja/x', shown: '~/x' },
]

/** Texts with only the name of the user, which is known from the folder of the session. */
export const userNames: readonly Personal[] = [
  { kind: 'a mailbox', text: `/var/mail/${user}`, shown: '/var/mail/user' },
  { kind: 'a stick', text: `df /media/${user}/stick`, shown: 'df /media/user/stick' },
  { kind: 'a folder of macOS', text: `/private/var/folders/x/${user}/T`, shown: '/private/var/folders/x/user/T' },
  { kind: 'a drive', text: `D:\\work\\${user}\\x`, shown: 'D:\\work\\user\\x' },
  {
    kind: 'a long listing',
    text: `-rw-r--r-- 1 ${user} ${user} 4096 Mar  1 10:00 a`,
    shown: '-rw-r--r-- 1 user user 4096 Mar  1 10:00 a',
  },
  {
    kind: 'a listing of sizes',
    text: `.rw-r--r--  1.2k ${user}  1 Jan 10:00 a`,
    shown: '.rw-r--r--  1.2k user  1 Jan 10:00 a',
  },
  { kind: 'a listing of folders', text: `drwxr-xr-x   - ${user} 12 Mar a`, shown: 'drwxr-xr-x   - user 12 Mar a' },
  { kind: 'top', text: `  12345 ${user}   20   0   11.9g 1 S`, shown: '  12345 user   20   0   11.9g 1 S' },
  { kind: 'open files', text: `node  12345 ${user}   20u  IPv4 1 0t0`, shown: 'node  12345 user   20u  IPv4 1 0t0' },
  { kind: 'users of a file', text: `/x: 12345c(${user})`, shown: '/x: 12345c(user)' },
  { kind: 'ids', text: `uid=1000(${user}) gid=1000(${user})`, shown: 'uid=1000(user) gid=1000(user)' },
  { kind: 'processes', text: `PID\n${user}  123  0.0  0.1 node`, shown: 'PID\nuser  123  0.0  0.1 node' },
  { kind: 'whoami', text: `${user}\n`, shown: 'user\n' },
  { kind: 'the environment', text: `USER=${user}\nLOGNAME=${user}`, shown: 'USER=user\nLOGNAME=user' },
  { kind: 'scp', text: `scp a ${user}@files.example.org:/x`, shown: 'scp a user@files.example.org:/x' },
  { kind: 'ssh', text: `ssh ${user}@files`, shown: 'ssh user@files' },
  { kind: 'ssh with options', text: `ssh -p 22 ${user}@10.0.0.1`, shown: 'ssh -p 22 user@10.0.0.1' },
  { kind: 'address of ssh', text: `ssh://${user}@files.example.org/x`, shown: 'ssh://user@files.example.org/x' },
  { kind: 'prompt of sudo', text: `[sudo] password for ${user}: `, shown: '[sudo] password for user: ' },
  { kind: 'cron', text: `no crontab for ${user}`, shown: 'no crontab for user' },
  { kind: 'author', text: `Author: ${user} <none>`, shown: 'Author: user <none>' },
  { kind: 'git', text: `user.name=${user}`, shown: 'user.name=user' },
  { kind: 'archive', text: `tar: home/${user}/x`, shown: 'tar: home/user/x' },
  { kind: 'bundle', text: `webpack:///./home/${user}/x`, shown: 'webpack:///./home/user/x' },
  { kind: 'sudo', text: `sudo -u ${user} ls`, shown: 'sudo -u user ls' },
  { kind: 'owners', text: `chown -R ${user}:${user} x`, shown: 'chown -R user:user x' },
  { kind: 'the home folder by name', text: `ls ~${user}/x`, shown: 'ls ~user/x' },
  { kind: 'a share', text: `\\\\files\\data\\${user}\\x`, shown: '\\\\files\\data\\user\\x' },
  {
    kind: 'an account',
    text: `${user}:x:1000:1000:Quendolin Marsh,,,:/home/${user}:/bin/zsh`,
    shown: 'user:x:1000:1000:user,,,:~:/bin/zsh',
  },
  { kind: 'a shadow of an account', text: `${user}:!:19000:0:99999:7:::`, shown: 'user:!:19000:0:99999:7:::' },
  { kind: 'ids of an account', text: `${user}:100000:65536`, shown: 'user:100000:65536' },
  { kind: 'members of a group', text: `docker:x:999:ada,${user}`, shown: 'docker:x:999:ada,user' },
  { kind: 'who is logged in', text: `${user}  ttys001  Nov  3 10:00`, shown: 'user  ttys001  Nov  3 10:00' },
  { kind: 'a rule of sudo', text: `${user} ALL=(ALL) NOPASSWD: ALL`, shown: 'user ALL=(ALL) NOPASSWD: ALL' },
  {
    kind: 'who may not',
    text: `sudo: ${user} is not in the sudoers file.`,
    shown: 'sudo: user is not in the sudoers file.',
  },
  {
    kind: 'a login',
    text: `Accepted publickey for ${user} from 10.0.0.1`,
    shown: 'Accepted publickey for user from 10.0.0.1',
  },
  {
    kind: 'the web',
    text: `✓ Logged in to github.com account ${user} (x)`,
    shown: '✓ Logged in to github.com account user (x)',
  },
  ...[
    ...['id', 'finger', 'passwd', 'usermod -aG docker', 'adduser', 'gpasswd -a', 'getent passwd', 'su -'],
    ...['loginctl enable-linger', 'launchctl asuser 501 sudo -iu', 'crontab -u', 'docker run --rm -u', 'ps -U'],
  ].map((program) => ({ kind: program, text: `${program} ${user}`, shown: `${program} user` })),
  ...['user', 'Username', 'owner', 'login', 'run_as', 'createdBy', '"user"', '{ username', '  Owner  ', 'Author'].map(
    (field) => ({
      kind: `the field ${field}`,
      text: `${field}: '${user}'`,
      shown: `${field}: 'user'`,
    }),
  ),
  ...[
    `${user}@10.0.0.3`,
    `${user}’s MacBook`,
    `${user}'s home folder`,
    `// TODO(${user}): oil the hinge`,
    `login as: ${user}`,
    `Process owner ${user}`,
  ].map((text) => ({ kind: text, text, shown: text.replace(user, 'user') })),
  {
    kind: 'a log of processes',
    text: `${user}   4321     1  0 10:00 ?  00:00:01 node\n`,
    shown: 'user   4321     1  0 10:00 ?  00:00:01 node\n',
  },
  { kind: 'a domain of Windows', text: `OFFICE\\${user}`, shown: 'OFFICE\\user' },
  { kind: 'whoami of Windows', text: `desktop-x\\${user}\r\n`, shown: 'desktop-x\\user\r\n' },
  ...['vscode://file', 'editor-file://app', '@', '/Volumes/Macintosh HD', 'S3://bucket'].map((before) => ({
    kind: `a home folder behind ${before}`,
    text: `${before}/Users/${user}/a.ts`,
    shown: `${before}/Users/user/a.ts`,
  })),
  { kind: 'a remote home', text: `vscode-remote://box/home/${user}/x`, shown: 'vscode-remote://box/home/user/x' },
  ...['/tmp/claude-', '/tmp/tmux-', '/tmp/pytest-of-', '/private/tmp/x.'].map((before) => ({
    kind: `a temporary folder ${before}`,
    text: `ls ${before}${user}/x`,
    shown: `ls ${before}user/x`,
  })),
  { kind: 'a path as a name', text: `projects/-home-${user}-shop`, shown: 'projects/-home-user-shop' },
]

/** Shell prompts, and other places that name the machine. */
export const prompts: readonly Personal[] = [
  { kind: 'bash', text: `${user}@${host}:~/shop$ ls`, shown: 'user@host:~/shop$ ls' },
  { kind: 'root', text: `root@${host}:/srv# ls`, shown: 'root@host:/srv# ls' },
  { kind: 'Fedora', text: `[${user}@${host} shop]$ ls`, shown: '[user@host shop]$ ls' },
  { kind: 'zsh', text: `${user}@${host} shop % ls`, shown: 'user@host shop % ls' },
  { kind: 'a box', text: `╭─${user}@${host} ~/shop\n╰─$ ls`, shown: '╭─user@host ~/shop\n╰─$ ls' },
  { kind: 'a box with brackets', text: `┌─[${user}@${host}]─[~]\n└──╼ $ls`, shown: '┌─[user@host]─[~]\n└──╼ $ls' },
  { kind: 'Kali', text: `┌──(${user}㉿${host})-[~]\n└─$ ls`, shown: '┌──(user㉿host)-[~]\n└─$ ls' },
  { kind: 'fish', text: `${user}@${host} ~/shop> ls`, shown: 'user@host ~/shop> ls' },
  { kind: 'fish with a branch', text: `${user}@${host} /srv (main)> ls`, shown: 'user@host /srv (main)> ls' },
  { kind: 'an environment', text: `(venv) ${user}@${host}:~$ `, shown: '(venv) user@host:~$ ' },
  {
    kind: 'colours',
    text: `\u001B[32m${user}@${host}\u001B[0m:\u001B[34m~\u001B[0m$ `,
    shown: '\u001B[32muser@host\u001B[0m:\u001B[34m~\u001B[0m$ ',
  },
  {
    kind: 'the machine, once a prompt told its name',
    text: `${user}@${host}:~$ ping ${host}`,
    shown: 'user@host:~$ ping host',
  },
]

/** Names of machines that are in no prompt. */
export const machines: readonly Personal[] = [
  { kind: 'the environment of Windows', text: `COMPUTERNAME=${host}`, shown: 'COMPUTERNAME=host' },
  {
    kind: 'a table of it',
    text: `USERDOMAIN                     ${host}`,
    shown: 'USERDOMAIN                     host',
  },
  { kind: 'a server', text: `LOGONSERVER=\\\\${host}`, shown: 'LOGONSERVER=\\\\host' },
  { kind: 'systeminfo', text: `Host Name:                 ${host}`, shown: 'Host Name:                 host' },
  { kind: 'hostnamectl', text: `   Static hostname: ${host}`, shown: '   Static hostname: host' },
  { kind: 'macOS', text: 'Computer Name: Quendolin’s MacBook Pro', shown: 'Computer Name: host' },
  { kind: 'uname', text: `Linux ${host} 6.1.0-13-amd64 #1 SMP`, shown: 'Linux host 6.1.0-13-amd64 #1 SMP' },
  { kind: 'Darwin', text: `Darwin ${host}.local 24.0.0 Darwin Kernel`, shown: 'Darwin host 24.0.0 Darwin Kernel' },
  { kind: 'a name of Apple', text: 'ssh Quendolins-MacBook-Pro-2.local', shown: 'ssh host' },
  { kind: 'a name of Windows', text: 'ping DESKTOP-4F2K9LM', shown: 'ping host' },
  { kind: 'a log', text: `Nov 29 05:32:21 ${host} sshd[1]: x`, shown: 'Nov 29 05:32:21 host sshd[1]: x' },
  {
    kind: 'a log with instants',
    text: `2025-11-03T10:00:01.123+01:00 ${host} systemd[1]: x`,
    shown: '2025-11-03T10:00:01.123+01:00 host systemd[1]: x',
  },
  {
    kind: 'a public key',
    text: `ssh-ed25519 AAAA${'C3NzaC1l'.repeat(8)} nora@quillbox`,
    shown: `ssh-ed25519 AAAA${'C3NzaC1l'.repeat(8)} user@host`,
  },
  { kind: 'the same wherever else', text: `COMPUTERNAME=${host}\nping ${host}`, shown: 'COMPUTERNAME=host\nping host' },
]

/** Addresses of people. */
export const emails: readonly Personal[] = [
  { kind: 'alone', text: email, shown: '[redacted:email]' },
  { kind: 'in a commit', text: `Author: Q. Marsh <${email}>`, shown: 'Author: Q. Marsh <[redacted:email]>' },
  { kind: 'in a sentence', text: `Write to ${email}.`, shown: 'Write to [redacted:email].' },
  { kind: 'in an address', text: `mailto:${email}?subject=x`, shown: 'mailto:[redacted:email]?subject=x' },
]

/** Nothing personal: routes, modules, documentation, words. */
export const nothingPersonal: readonly string[] = [
  'Use ~user for the home of a user.',
  'use \\\\App\\\\users\\\\List; "App\\\\users\\\\List"',
  'group:x:999:list',
  '~/shop/src',
  'Files lie below /home on Linux and below /Users on macOS.',
  '/home',
  '/home/',
  '/usr/home',
  'router.get("/users/123")',
  'https://shop.example/Users/guide',
  'https://shop.example/home/news',
  'http://localhost:3000/home/news',
  '@home',
  'import { page } from "@/home/page"',
  'src/home/index.ts',
  './home/index.ts',
  '../Users/list.ts',
  'app/Users/model.rb',
  '/home/$USER/shop',
  '/home/<name>/shop',
  '/home/:id',
  '/Users/Shared/fonts',
  'C:\\Users\\Public\\Documents',
  'C:\\Windows\\System32',
  '/home/linuxbrew/.linuxbrew/bin',
  'const home = Users[0]',
  '%HOME%\\Users',
  `Tell ${user} that it works, and ask ${user}'s team.`,
  `https://forge.example/${user}/shop`,
  `git@forge.example:${user}/shop.git`,
  `github.com/${user}/shop`,
  `npm install @${user}/shop`,
  `const ${user} = 1`,
  `${user}.ts`,
  `src/${user}/index.ts`,
  `${user}-lang`,
  'docker pull node@sha256',
  'ComputerName: string',
  'COMPUTERNAME=localhost',
  'A MacBook Pro and an iMac',
  'Linux version 5.10.0 (gcc)',
  'Linux Mint 21.3 Cinnamon',
  'const DESKTOP-WIDTH = 1',
  `the owner of ${user}`,
  `last ${user}, su ${user}-x`,
  `https://shop.example/Users/${user}/guide`,
  `/tmp/${user}-lang`,
  'icon@2x.png',
  'left-pad@1.3.0',
  'git@github.com:acme/shop.git',
  'ssh://git@forge.example/shop.git',
  'type A = B@C',
  '@media (min-width: 40em) {}',
  'a@b',
  'user@host:~$ ls',
  'root@localhost:/# ls',
  'npm i react@latest for $ 5',
]
