/** Passwords on command lines: the password is redacted, the rest of the command is not. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'
import { fillRow, piecesOf } from '../../helpers/secret-rows.ts'

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
  '["mysql", "-u", "root", "-p‹›", "shop"]',
  "subprocess.run(['sshpass', '-p', '‹›', 'ssh', 'ada@db'])",
  "spawn('/usr/bin/curl', ['-u', 'ada:‹›', 'https://x.internal/'])",
  'exec.Command("redis-cli", "-a", "‹›", "ping")',
  '{"command": "docker", "args": ["login", "-u", "ci", "-p", "‹›"]}',
  'command = "docker"\nargs = ["login", "-u", "ci", "-p", "‹›"]',
  String.raw`{"arguments":"{\"command\":[\"curl\",\"-u\",\"ada:‹›\"]}"}`,
  'isql shop ada ‹›',
  'beeline -u jdbc:hive2://h:10000 -n ada -p ‹›',
  'rabbitmqadmin -p ‹› list queues',
  'conan user -r r ada -p ‹›',
  'knife bootstrap h -P ‹›',
  'cf login -p ‹› -o shop',
  'ibmcloud login --apikey-user a -p ‹›',
  'rasdial "VPN" ada ‹›',
  'expressvpn activate ‹›',
  'p4 login <<< ‹›',
  'deploy-tool -u ada -p ‹› sync',
  './upload --user=ada@example.org -P "‹›"',
  'run.exe -p ‹› -U corp\\ada',
  'tacacs-server key 7 ‹›',
  'crypto isakmp key ‹› address 10.0.0.1',
  ' ip ospf message-digest-key 1 md5 ‹›',
  'pre-shared-key ascii-text "‹›";',
  'cypher-shell -u neo4j -p ‹› "RETURN 1"',
  'security import cert.p12 -k build.keychain -P ‹›',
  'qpdf --encrypt ‹› ‹› 256 -- a.pdf b.pdf',
  'pdftk a.pdf input_pw ‹› output b.pdf',
  'steghide extract -sf a.jpg -p ‹›',
  'echo ‹› | saslpasswd2 -p ada',
  '7z x -p‹› backup.7z',
  'smbclient //files/share -U ⟦svc%‹›⟧ -c ls',
  'ldapsearch -x -D cn=admin -w ‹› -b dc=x',
  'gh secret set NPM --body ‹› --repo a/b',
  'openssl enc -aes-256-cbc -pass ⟦pass:‹›⟧ -in a -out b',
  'curl -su ada:‹› https://x.internal/',
  'curl --user "ada:‹›" https://x.internal/',
  ...['sSLu', 'fsSLu', 'Lu', 'ku', '4u', 'OLu', 'nsSu'].map((letters) => `curl -${letters} ada:‹› https://x.internal/`),
  'curl -sSLuada:‹› https://x.internal/',
  'curl --cert client.pem:‹› https://x.internal/',
  'curl -sE C:\\keys\\client.pem:‹› https://x.internal/',
  'fly secrets set NODE_ENV=production FOO=‹› --app shop',
  "supabase secrets set FOO='‹›'",
  'doppler secrets set FOO ‹› --silent',
  'infisical secrets set FOO=‹›',
  'vault kv put secret/shop db=‹›',
  'az keyvault secret set --vault-name v --name n --value ‹› --output none',
  'heroku config:set FOO=‹› -a shop',
  'netlify env:set STRIPE ‹›',
  "railway variables --set 'STRIPE=‹›'",
  'kubectl create secret generic db --from-literal=db=‹› --dry-run=client',
  'kubectl create secret generic db --from-literal db=‹› -o yaml',
  'cloudflared service install ‹›',
  'composer config --global github-oauth.github.com ‹›',
  'composer config http-basic.repo.internal ada ‹›',
  'bundle config set --global gems.internal ada:‹›',
  'oc login https://cluster.internal -u ada -p ‹›',
  "dotnet user-secrets set 'Db:Conn' '‹›'",
  'pulumi config set --secret db ‹›',
  'reg add HKLM\\x /v DefaultPassword /d ‹› /f',
  'impacket-smbexec CORP/ada:‹›',
  "printf '‹›' | gcloud secrets create db --data-file=-",
  "echo -n '‹›' | gcloud secrets versions add db --data-file=-",
  "echo '‹›' | vercel env add API_KEY production",
  'echo ‹› | su - ada -c id',
  "echo '‹›' | keepassxc-cli ls db.kdbx",
  'gcloud secrets create db --data-file=<(printf ‹›)',
  'wrangler secret put FOO <<< "‹›"',
  "chpasswd <<'EOF'\nada:‹›\nEOF",
  'passwd ada <<EOF\n‹›\nEOF',
  'cat <<EOF | docker secret create db -\n‹›\nEOF',
  'net user deploy ‹› /add',
  'mycli -u root -p ‹› shop',
  'openssl dgst -sha256 -hmac ‹› body.json',
  'oathtool --totp -b ‹›',
  'keytool -importkeystore -srcstorepass ‹› -srckeystore a.jks',
  'aws configure set profile.ci.aws_secret_access_key ‹› --region eu-1',
  "echo '‹›' | npx wrangler secret put FOO",
  "printf '%s' '‹›' | pnpm dlx vercel env add FOO production",
  "echo '‹›' | docker exec -i vault vault login -",
  'echo ‹› | gpg --batch --passphrase-fd 0 -d a.gpg',
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
  "echo '⟦ada:‹›⟧' | sudo chpasswd",
  "CREATE USER app IDENTIFIED BY '‹›';",
  '$p = ConvertTo-SecureString "‹›" -AsPlainText -Force',
  'machine git.internal login ada password ‹›',
  'jdbc:oracle:thin:scott/‹›@//db:1521/ORCL',
])('%s', (command) => {
  test('loses its password, and keeps what is around the password', () => {
    const { text, before, after } = fillRow(command, value)
    const result = redacted(text)
    expect(piecesOf(value, 4).filter((piece) => result.includes(piece))).toEqual([])
    expect(result.slice(0, before.length)).toBe(before)
    const rest = result.slice(before.length)
    expect(rest.slice(rest.length - after.length)).toBe(after)
  })
})

describe('a short password where nothing but a password can be', () => {
  test.each([
    'mysql -u root -p‹› shop',
    "mysql -uroot -p'‹›' shop",
    'mysqldump --password=‹› shop > dump.sql',
    '["mariadb", "-u", "root", "-p‹›", "shop"]',
    'mycli -u root -p ‹› shop',
    'sshpass -p ‹› ssh ada@db uptime',
    'sshpass -p‹› scp a ada@db:b',
    'redis-cli -h cache -a ‹› ping',
    'valkey-cli --pass ‹› ping',
    'curl -u ada:‹› https://x.internal/',
    'curl -sSLu ada:‹› https://x.internal/',
    'curl --proxy-user "ada:‹›" https://x.internal/',
    'http -a ada:‹› x.internal',
    'docker login -u ci -p ‹› registry.internal',
    'lftp -u ada,‹› files.internal',
    '7z x -p‹› backup.7z',
  ])('%s', (command) => {
    for (const password of ['1', '123', 'abc', 'root', '123456', 'aaaaaaaa', 'x9'])
      expect(redacted(command.replaceAll('‹›', password))).toMatch(
        new RegExp(`^${command.replaceAll(/[.*+?^$()|[\]{}\\]/g, '\\$&').replace('‹›', '\\[redacted:[\\w-]+\\]')}$`),
      )
  })

  test.each([
    'mysql -u root -p shop',
    'mysql -P 3306 -u root -p"$DB_PASSWORD" shop',
    'mysql -u root -pPASSWORD, or mysql -pYOUR_PASSWORD',
    'mysql -pMYSQL_ROOT_PASSWORD < a.sql',
    'Run `mysql -p`, then type it.',
    'mysqldump -p<password> shop',
    'sshpass -p "$PASSWORD" ssh ada@db',
    'The option of sshpass -p is visible to others',
    'Pass the password to redis-cli -a with care',
    'redis-cli -a $REDIS_PASSWORD ping',
    'redis-cli -a **** ping',
    'redis-cli -a your-password ping',
    'curl -u ada: https://x.internal/',
    'curl -u [redacted:command-secret] https://x.internal/',
    'http -a [redacted:command-secret#2]: x.internal',
    'curl -u user:password https://x.internal/',
    'curl -u "$NAME:$PASSWORD" https://x.internal/',
    'curl -u admin:admin https://x.internal/',
    'curl -u <name>:<token> https://x.internal/',
    'curl -u ada:api_token https://x.internal/',
    'docker login -u ci -p $TOKEN registry.internal',
  ])('is not what stands in its place: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

describe('a short password in a variable that only holds passwords', () => {
  test.each([
    'PGPASSWORD=‹› psql -h db',
    "PGPASSWORD='‹›' psql",
    'PGPASSWORD="‹›" psql',
    'MYSQL_PWD=‹› mysql shop',
    'SSHPASS=‹› sshpass -e ssh ada@db',
    'cd /w && REDISCLI_AUTH=‹› redis-cli ping',
    'export PGPASSWORD=‹›',
    'export PGPASSWORD=‹›; psql',
    'env LC_ALL=C PGPASSWORD=‹› psql',
    'docker run -e PGPASSWORD=‹› postgres',
    '(PGPASSWORD=‹› psql)',
    "bash -c 'export PGPASSWORD=‹›' && echo 'done'",
    String.raw`{"cmd":"bash -lc \"PGPASSWORD='‹›' psql\""}`,
  ])('%s', (command) => {
    for (const password of ['1', 'abc', 'root', '123456', 'changeme', 'aaaaaaaa'])
      expect(redacted(command.replace('‹›', password))).toBe(command.replace('‹›', '[redacted:named-secret]'))
  })

  test.each([
    'PGPASSWORD= psql',
    'PGPASSWORD=$PASSWORD psql',
    'PGPASSWORD="$(cat pw)" psql',
    'PGPASSWORD=`cat pw` psql',
    'PGPASSWORD=*** psql',
    'PGPASSWORD=<password> psql',
    'PGPASSWORD=your-password psql',
    'PGPASSWORD=[redacted:named-secret] psql',
    'grep "PGPASSWORD=" a "b"',
    "sed 's/PGPASSWORD=.*/PGPASSWORD=xxx/' a",
    'env = dict(PGPASSWORD=value, LANG="C")',
    'env = dict(\n    os.environ,\n    PGPASSWORD=value,\n)',
    'PGPASSWORD=settings.database.value',
  ])('is not what stands in its place: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

describe('a word as the password in an assignment before a command', () => {
  test.each([
    'DB_PASSWORD=‹› ./run',
    "bash -c 'DB_PASSWORD=‹› ./run'",
    "bash -c 'A=1 DB_PASSWORD=‹› B=2 ./run'",
    'ssh web "cd /w && ADMIN_PASS=\'‹›\' npm start"',
    'sudo -u ada DB_PASSWORD=‹› make',
    String.raw`{"cmd":"bash -lc \"DB_PASSWORD=‹› ./run\""}`,
  ])('%s', (command) => {
    expect(redacted(command.replace('‹›', 'hunter'))).toBe(command.replace('‹›', '[redacted:named-secret]'))
  })

  test.each([
    'DB_PASSWORD=hunter',
    'DB_PASSWORD=password ./run',
    'DB_PASSWORD=changeme ./run',
    'SKIP_PASSWORD=true npm start',
    'ASK_PASS=1 ./run',
    'OLDPWD=projects ./run',
    'create(DB_PASSWORD=hunter other)',
    'The form DB_PASSWORD=value is read at start',
  ])('is not what stands in its place: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

describe('a short password for a command that reads nothing but passwords', () => {
  test.each([
    "echo '‹›' | sudo -S true",
    'echo ‹› | /usr/bin/sudo --stdin true',
    "printf '%s\\n' '‹›' | sudo -k -p '' -S apt-get update",
    "printf '%s\n' ‹› | sudo -u deploy -S id",
    'ssh web "echo \'‹›\' | sudo -kS id"',
    'sudo -S id <<< ‹›',
    "sudo -S sh -c 'id' < <(echo ‹›)",
    'echo ‹› | passwd --stdin ada',
    '(echo ‹›; echo ‹›) | passwd ada',
    '{ echo ‹›; echo ‹›; } | smbpasswd -s ada',
    'passwd ada <<EOF\n‹›\n‹›\nEOF',
    'printf \'%s\\n\' "‹›" | kinit ada@EXAMPLE.COM',
  ])('%s', (command) => {
    for (const password of ['1', 'abc', '1111', '123456', 'changeme', 'aaaaaaaa']) {
      const text = redacted(command.replaceAll('‹›', password))
      expect(text.replaceAll(/\[redacted:piped-password\]/g, '‹›')).toBe(command)
    }
  })

  test.each([
    'echo y | sudo -S apt-get install jq',
    'echo "$SUDO_PASSWORD" | sudo -S id',
    'echo <password> | sudo -S id',
    'echo abc | sudo tee /etc/motd',
    'echo "abc" | su - postgres -c psql',
    'echo "select 1" | su - postgres -c psql',
    "printf '%s\\n' 'select 1;' | su postgres -c psql",
    'sudo -S bash <<EOF\nid\nEOF',
  ])('does not replace %s', (command) => {
    expect(redacted(command)).toBe(command)
  })
})

describe('what a line of .netrc has in place of a password', () => {
  test.each([
    'PASSWORD',
    '"PASSWORD"',
    '{password}',
    '"{password}"',
    "'<password>'",
    '"$PASSWORD"',
    `"\${PASSWORD}",`,
    String.raw`{password}\n'`,
    '%s")',
  ])('stays: %s', (given) => {
    const line = `machine git.internal login ada password ${given}`
    expect(redacted(line)).toBe(line)
  })

  test.each(['hunter2x', '"hunter2x"', 'xkqv)', '$9kQ!x2"', '{9kQ!x2'])('is a password: %s', (given) => {
    expect(redacted(`machine git.internal login ada password ${given}`)).toMatch(/password "?\[redacted:netrc\]"?$/)
  })
})

const token = `${noise(111, 7)}5${noise(112, 16)}`

describe('a token in place of a user name', () => {
  test.each([
    'https://‹›:x-oauth-basic@git.internal/shop.git',
    'https://‹›:X@api.internal/a',
    'https://‹›:@api.internal/a',
    `https://‹›:\${PASSWORD}@api.internal/a`,
    "curl -u '‹›:' https://api.internal",
    'curl -u ‹›:api_token https://api.internal',
    'curl -u ‹› https://api.internal',
    'http -A bearer -a ‹› api.internal/x',
    'machine git.internal login ‹› password x-oauth-basic',
    'requests.get(url, auth=("‹›", "X"))',
  ])('is redacted in %j', (row) => {
    for (const own of [token, noise(113, 32, '0123456789abcdef')]) {
      const text = redacted(row.replace('‹›', own))
      expect(text).not.toContain(own)
      expect(text).toContain('[redacted:')
    }
  })

  test.each([
    'https://svc-deploy-prod-7f3a2b:$PASSWORD@db.internal/shop',
    'https://ada-at-123456789012:$PASSWORD@git.internal/shop',
    'https://x-access-token:$TOKEN@git.internal/shop',
    'curl -u deploy-user-for-production-2:$PASSWORD https://api.internal',
  ])('is not assumed if it is made of words: %j', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

test('the values of cookies are redacted, and a file of cookies is not', () => {
  const cookies = `session=${token}; theme=dark`
  expect(redacted(`curl -sb '${cookies}' x`)).toBe("curl -sb 'session=[redacted:cookie]; theme=dark' x")
  expect(redacted('curl -b cookies-2026.txt -c jar')).toBe('curl -b cookies-2026.txt -c jar')
})

test.each([
  'fly secrets set NODE_ENV=production',
  'heroku config:set NODE_VERSION=v20.1.0 LOG_LEVEL=debug2 -a shop',
  'kubectl create secret generic db --from-literal=user=admin --from-file=ssh=keys/id1',
  'bundle config set path vendor/bundle2',
  'curl --cert client.pem https://x.internal',
  'echo "select 1;" | psql shop',
  'cat <<EOF | kubectl apply -f -\nname-of-1\nEOF',
  'kubectl get pods -l app=web-7f3a2b9',
  'mysql -P 3306 -p shop',
  'aws configure set profile.ci.region eu-west-1',
  'openssl dgst -sha256 -hmac "$KEY" body.json',
  'oathtool --totp -b "$SECRET_1"',
  'echo "hello world" | npx prettier --stdin-filepath a2.ts',
  'echo "select 1 as n2;" | docker exec -i db psql shop',
  'docker run -p 8080:80 nginx',
  'mkdir -p build/2026-11-22',
  'unzip -P $PASSWORD backup.zip',
  'curl -u "$USER:$PASS" https://x.internal/',
  'net user /domain',
  'ssh -p 2222 ada@db',
])('nothing is redacted in %s', (command) => {
  expect(redacted(command)).toBe(command)
})
