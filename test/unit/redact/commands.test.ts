/** Passwords on command lines: the word goes, the rest of the command stays. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const value = `${noise(101, 7)}3${noise(102, 6)}`

describe.each([
  'mysql -u root -p‹› shop < dump.sql',
  "sshpass -p '‹›' ssh ada@db uptime",
  'docker login -u ci -p ‹› registry.internal',
  'sudo podman login --password=‹› registry.internal && echo done',
  'redis-cli -h cache -a ‹› ping',
  'htpasswd -nbB admin ‹›',
  'unzip -P ‹› backup.zip',
  '7z x -p‹› backup.7z',
  'smbclient //files/share -U svc%‹› -c ls',
  'ldapsearch -x -D cn=admin -w ‹› -b dc=x',
  'gh secret set NPM --body ‹› --repo a/b',
  'openssl enc -aes-256-cbc -pass pass:‹› -in a -out b',
  'curl -su ada:‹› https://x.internal/',
  'curl --user "ada:‹›" https://x.internal/',
  'net user deploy ‹› /add',
  'xfreerdp /v:win /u:admin /p:‹› /cert:ignore',
  'cargo login ‹›',
  'wandb login ‹› && python train.py',
  'wandb login --relogin ‹›',
  'codecov -t ‹› -f coverage.xml',
  'civo apikey save home ‹›',
  'vault login -method=token ‹›',
  'rabbitmqctl add_user worker ‹›',
  'setx API_TOKEN ‹›',
  'set -gx API_TOKEN ‹›',
  'ENV API_TOKEN ‹›',
  'deploy --token ‹› --now',
  'sqlplus scott/‹›@db/ORCL @report.sql',
  "echo '‹›' | docker login --password-stdin",
  "echo 'ada:‹›' | sudo chpasswd",
  "CREATE USER app IDENTIFIED BY '‹›';",
  '$p = ConvertTo-SecureString "‹›" -AsPlainText -Force',
  'machine git.internal login ada password ‹›',
  'jdbc:oracle:thin:scott/‹›@//db:1521/ORCL',
])('%s', (command) => {
  test('keeps all but the password', () => {
    const [before = '', after = ''] = command.split('‹›')
    const text = redacted(before + value + after)
    expect(text).not.toContain(value.slice(0, 8))
    expect(text.startsWith(before.slice(0, 6))).toBe(true)
    expect(text.endsWith(after)).toBe(true)
  })
})

test.each([
  'mysql -P 3306 -p shop',
  'docker run -p 8080:80 nginx',
  'mkdir -p build/2026-11-22',
  'unzip -P $PASSWORD backup.zip',
  'curl -u "$USER:$PASS" https://x.internal/',
  'net user /domain',
  'ssh -p 2222 ada@db',
])('%s stays', (command) => {
  expect(redacted(command)).toBe(command)
})
