/** Programs that take passwords on their command line: what each calls them, or where they are. */

/** Where some programs take a password. */
export interface CommandRow {
  programs: string
  /** Matches a word that must be in the command; options may come before or after it. */
  needs?: RegExp
  /** Options that are followed by a password, as the next word or after `=`. */
  options?: string
  /** Options that the password is attached to: `-pPASSWORD`. */
  glued?: string
  /** Its position among the words that are not options, counted from the word that `needs` matches, else from the program. */
  position?: number
  /** The word is `user:password`, cut at the first of this character; `file` cuts after a file name, which may have a drive. */
  cut?: ':' | '%' | ',' | '/' | 'file'
  /** Short options that are followed by one in the same word or the next, perhaps after other options: `-sSLu`. */
  letters?: string
  /** Words `NAME=…` after the one that `needs` matches contain one. */
  assigns?: true
  /** The value is not always a secret, so only what looks random counts. */
  isDoubtful?: true
  /** Nothing but a password can be there, so that even a short or simple one counts. */
  isSure?: true
  /** The word is a cookie header. */
  isCookie?: true
}

/** The end of a name after which a program takes a secret as its next word. */
const secretNameEnd = /(?:passw(?:or)?d|passphrase|secret|token|api_?key|(?:^|[._-])(?:pw|pwd|pass))$/i

/** The table; programs may have several rows. */
export const rows: readonly CommandRow[] = [
  {
    programs: 'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mariadb mariadb-dump mysqlsh',
    glued: '-p --password=',
    isSure: true,
  },
  { programs: 'mycli', options: '-p --pass --password', glued: '-p', isSure: true },
  { programs: 'sshpass', options: '-p', glued: '-p', isSure: true },
  {
    programs: 'docker podman nerdctl buildah skopeo crane helm oras regctl',
    needs: /^login$/,
    options: '-p --password',
    isSure: true,
  },
  { programs: 'redis-cli keydb-cli valkey-cli', options: '-a --pass', isSure: true },
  { programs: 'htpasswd', needs: /^-[a-zA-Z0-9]*b/, position: -1 },
  { programs: 'unzip zip zipcloak zipsplit', options: '-P --password', glued: '-P' },
  { programs: '7z 7za 7zr 7zz rar unrar', glued: '-p -hp', isSure: true },
  { programs: 'smbclient rpcclient smbmap smbget winexe smbcacls', options: '-U --user', cut: '%', isSure: true },
  { programs: 'smbmap crackmapexec nxc netexec evil-winrm hydra medusa psexec psexec.exe PsExec winrs', options: '-p' },
  {
    programs: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn',
    options: '-w -s',
  },
  {
    programs: 'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop',
    options: '-p --password',
    glued: '-p',
  },
  { programs: 'gh', needs: /^secret$/, options: '--body -b', glued: '-b' },
  { programs: 'sqlcmd bcp osql isql tsql ipmitool', options: '-P', glued: '-P' },
  { programs: 'mosquitto_pub mosquitto_sub mosquitto_rr', options: '-P --pw' },
  { programs: 'xfreerdp xfreerdp3 wlfreerdp rdesktop mstsc cmdkey', options: '-p', glued: '/p: /pass: /pass=' },
  { programs: 'net', needs: /^(?:use|user)$/, position: 2 },
  { programs: 'curl', options: '--user --proxy-user', letters: 'uU', cut: ':', isSure: true },
  { programs: 'curl', options: '--cert --proxy-cert', letters: 'E', cut: 'file' },
  { programs: 'curl', options: '--pass --proxy-pass --tlspassword --proxy-tlspassword' },
  { programs: 'curl', letters: 'b', isCookie: true },
  { programs: 'http https xh xhs httpie', options: '-a --auth', glued: '-a --auth=', cut: ':', isSure: true },
  { programs: 'lftp', options: '-u --user', cut: ',', isSure: true },
  { programs: 'openssl', options: '-k -K -hmac -passin -passout -pass', glued: 'pass:' },
  { programs: 'openssl', needs: /^passwd$/, position: 1 },
  { programs: 'cargo', needs: /^login$/, position: 1 },
  { programs: 'vault', needs: /^(?:login|unseal|unwrap)$/, position: 1 },
  { programs: 'wandb', needs: /^(?:re)?login$/, position: 1 },
  { programs: 'codecov codecovcli', options: '-t' },
  { programs: 'civo', needs: /^(?:save|add)$/, position: 2 },
  { programs: 'smithery @smithery/cli @smithery/cli@latest', options: '--key --api-key' },
  { programs: 'influx', options: '-t --token' },
  { programs: 'snyk', needs: /^auth$/, position: 1 },
  { programs: 'ngrok', needs: /^(?:authtoken|add-authtoken|add-api-key)$/, position: 1 },
  { programs: 'bw', needs: /^login$/, position: 2 },
  { programs: 'bw', needs: /^unlock$/, position: 1 },
  { programs: 'mosquitto_passwd', needs: /^-[a-zA-Z]*b/, position: -1 },
  { programs: 'doveadm', needs: /^pw$/, options: '-p' },
  { programs: 'slappasswd', options: '-s' },
  { programs: 'esxcli govc vim-cmd ovftool', options: '-p --password' },
  { programs: 'rclone', needs: /^obscure$/, position: 1 },
  { programs: 'tailscale', options: '--authkey --auth-key' },
  { programs: 'rabbitmqctl', needs: /^(?:add_user|change_password|authenticate_user)$/, position: 2 },
  { programs: 'ssh-keygen', options: '-N -P' },
  { programs: 'useradd usermod mkpasswd', options: '-p' },
  { programs: 'twine poetry flit', options: '-p --password' },
  { programs: 'poetry', needs: /^(?:http-basic|pypi-token)\./, position: 2 },
  { programs: 'poetry', needs: /^pypi-token\./, position: 1 },
  { programs: 'nuget choco', needs: /^(?:setapikey|push|apikey)$/i, options: '-k -ApiKey --api-key --key' },
  { programs: 'nuget', needs: /^setapikey$/i, position: 1 },
  { programs: 'dotnet', needs: /^nuget$/, options: '-k --api-key -p --password' },
  { programs: 'az', needs: /^login$/, options: '-p --password' },
  {
    programs: 'aws',
    needs: /^(?:put-parameter|create-secret|update-secret|put-secret-value)$/,
    options: '--value --secret-string',
  },
  { programs: 'aws', needs: /(?:^|\.)aws_(?:secret_access_key|session_token)$/, position: 1 },
  { programs: 'wpa_passphrase', position: 2 },
  { programs: 'beeline rabbitmqadmin', options: '-p --password' },
  { programs: 'knife', options: '-P --ssh-password' },
  { programs: 'cf ibmcloud bx', needs: /^login$/, options: '-p' },
  { programs: 'rasdial', position: 3 },
  { programs: 'expressvpn', needs: /^activate$/, position: 1 },
  { programs: 'oathtool', position: -1 },
  { programs: 'nmcli', needs: /^(?:password|wifi-sec\.psk)$/, position: 1 },
  { programs: 'snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmptrap', options: '-A -X' },
  { programs: 'plink pscp psftp putty pageant', options: '-pw' },
  { programs: 'x11vnc', options: '-passwd' },
  { programs: 'networksetup', needs: /^-setairportnetwork$/, position: 3 },
  { programs: 'dscl', needs: /^-?passwd$/, position: -1 },
  { programs: 'doctl', needs: /^auth$/, options: '-t --access-token' },
  {
    programs: 'cqlsh clickhouse-client influx ncftp ncftpput twurl svn cypher-shell steghide',
    options: '-p --password -password',
  },
  { programs: 'radtest', position: 2 },
  { programs: 'isql', position: 3 },
  { programs: 'db2', needs: /^using$/i, position: 1 },
  { programs: 'sqlplus sqlldr rman expdp impdp sqlcl tnsping', position: 1, cut: '/' },
  { programs: 'jenkins-cli jenkins-cli.jar', options: '-auth', cut: ':' },
  { programs: 'createUser', position: 3 },
  { programs: 'createUser', position: 5 },
  { programs: 'security', needs: /^(?:add|find)-(?:generic|internet)-password$|^unlock-keychain$/, options: '-w -p' },
  { programs: 'security', needs: /^import$/, options: '-P' },
  { programs: 'qpdf', needs: /^--encrypt$/, position: 1 },
  { programs: 'qpdf', needs: /^--encrypt$/, position: 2 },
  { programs: 'pdftk', needs: /^(?:input|owner|user)_pw$/, position: 1 },
  { programs: 'caddy', needs: /^hash-password$/, options: '--plaintext -p' },
  { programs: 'pass', needs: /^insert$/, position: 2 },
  { programs: 'ansible ansible-playbook', options: '--vault-password' },
  { programs: 'ConvertTo-SecureString', position: 1 },
  { programs: 'setx', position: 2 },
  { programs: 'dokku heroku fly flyctl railway', needs: /^(?:config:set|secrets)$/, options: '--value' },
  { programs: 'conan', needs: /^(?:login|remote|user)$/, options: '-p --password' },
  { programs: 'etcdctl', options: '--user', glued: '--user=', cut: ':' },
  { programs: 'snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmptrap', options: '-c' },
  { programs: 'signtool', options: '/p' },
  { programs: 'notarytool altool', options: '-p --password' },
  { programs: 'youtube-dl yt-dlp', options: '-p --password' },
  { programs: 'gem', needs: /^push$/, options: '-k --key' },
  { programs: 'newrelic', options: '-k --apiKey --licenseKey' },
  { programs: 'mc', needs: /^(?:set|add)$/, position: 4 },
  { programs: 'net', needs: /^use$/, position: 3 },
  { programs: 'twilio', needs: /^login$/, position: 2 },
  { programs: 'fly flyctl supabase doppler infisical modal gh', needs: /^secrets?$/, assigns: true },
  { programs: 'doppler', needs: /^set$/, position: 2 },
  { programs: 'heroku dokku firebase', needs: /config:set$/, assigns: true, isDoubtful: true },
  { programs: 'railway', needs: /^variables?$/, assigns: true, isDoubtful: true },
  { programs: 'netlify', needs: /^env:set$/, position: 2, isDoubtful: true },
  { programs: 'convex pulumi azd wp glab', needs: /^set$/, position: 2, isDoubtful: true },
  { programs: 'snyk', needs: /^set$/, assigns: true },
  { programs: 'cf', needs: /^set-env$/, position: 3, isDoubtful: true },
  { programs: 'eas', needs: /^(?:secret|env):create$/, options: '--value' },
  { programs: 'vault bao', needs: /^(?:put|patch)$/, assigns: true },
  { programs: 'vault bao', needs: /^write$/, assigns: true, isDoubtful: true },
  { programs: 'op', needs: /^(?:create|edit)$/, assigns: true, isDoubtful: true },
  { programs: 'chamber', needs: /^write$/, position: 3 },
  { programs: 'bws', needs: /^create$/, position: 2 },
  { programs: 'az', needs: /^keyvault$/, options: '--value' },
  { programs: 'az', needs: /^appsettings$/, assigns: true, isDoubtful: true },
  { programs: 'kubectl oc', needs: /^(?:generic|docker-registry|tls)$/, assigns: true },
  { programs: 'oc', needs: /^login$/, options: '-p' },
  { programs: 'cloudflared', needs: /^install$/, position: 1 },
  { programs: 'composer', needs: /^(?:github-oauth|gitlab-oauth|gitlab-token|bearer)\./, position: 1 },
  { programs: 'composer', needs: /^(?:http-basic|bitbucket-oauth)\./, position: 2 },
  { programs: 'bundle', needs: /^config$/, position: -1, cut: ':' },
  { programs: 'dotnet', needs: /^user-secrets$/, position: 3 },
  { programs: 'ansible-vault', needs: /^encrypt_string$/, position: 1 },
  { programs: 'gcloud', needs: /^activate-refresh-token$/, position: 2 },
  { programs: 'b2', needs: /^authorize(?:-account)?$/, position: 2 },
  { programs: 'garage', needs: /^import$/, position: 2 },
  { programs: 'vercel', options: '-t' },
  { programs: 'jira', options: '--user', cut: ':' },
  { programs: 'schtasks', options: '/rp /RP' },
  { programs: 'reg reg.exe REG', needs: /password|passwd|secret|token/i, options: '/d' },
  { programs: 'Set-ItemProperty New-ItemProperty', needs: secretNameEnd, options: '-Value' },
  { programs: 'consul etcdctl crudini pulumi', needs: secretNameEnd, position: 1 },
  { programs: 'jq', needs: secretNameEnd, position: 1, isDoubtful: true },
  { programs: 'smbclient', position: 1, isDoubtful: true },
  {
    programs: 'skopeo podman buildah nerdctl ctr crictl',
    options: '--creds --src-creds --dest-creds',
    glued: '--src-creds= --dest-creds=',
    cut: ':',
  },
  { programs: 'ctr crictl', needs: /^(?:pull|push)$/, options: '-u --user', cut: ':' },
  { programs: 'mysqladmin mariadb-admin', needs: /^password$/, position: 1 },
  {
    programs: 'keytool jarsigner apksigner',
    options: '-storepass -keypass -new -srcstorepass -deststorepass -srckeypass -destkeypass',
  },
  { programs: 'cypress currents cypress-cloud', needs: /^run$/, options: '--key' },
  { programs: 'openssl', needs: /^passwd$/, position: -1 },
  { programs: 'mkpasswd', position: -1, isDoubtful: true },
  { programs: 'drush', needs: /^(?:user:password|user-password|upwd)$/, position: 2 },
  { programs: 'certutil racadm', options: '-p' },
  {
    programs:
      'psexec.py smbexec.py wmiexec.py secretsdump.py GetUserSPNs.py impacket-psexec impacket-smbexec impacket-wmiexec impacket-secretsdump impacket-GetUserSPNs',
    position: 1,
    cut: ':',
  },
]

/** Programs whose names are the end of many words are searched for together with the word after them. */
export const subcommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['eas', ['secret:create', 'env:create']],
  ['op', ['item', 'document']],
  ['wp', ['config', 'option']],
  ['cf', ['set-env', 'login']],
  ['bx', ['login']],
  ['b2', ['authorize-account', 'account']],
  ['oc', ['login', 'create', 'new-app']],
  ['reg', ['add']],
  ['REG', ['ADD', 'add']],
  ['ctr', ['images', 'image', 'i', 'content', '-n']],
  ['jq', ['--arg', '-n', '-nc', '-cn', '-r', '-c']],
  ['bws', ['secret', 'create']],
  ['azd', ['env']],
])
