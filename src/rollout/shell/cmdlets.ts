/** Aliases of PowerShell and the spelling of its cmdlets (about_Aliases of Windows PowerShell 5.1). */

const aliases: Readonly<Record<string, string>> = {
  '%': 'ForEach-Object',
  '?': 'Where-Object',
  ac: 'Add-Content',
  cat: 'Get-Content',
  cd: 'Set-Location',
  chdir: 'Set-Location',
  clc: 'Clear-Content',
  copy: 'Copy-Item',
  cp: 'Copy-Item',
  cpi: 'Copy-Item',
  del: 'Remove-Item',
  diff: 'Compare-Object',
  compare: 'Compare-Object',
  dir: 'Get-ChildItem',
  echo: 'Write-Output',
  erase: 'Remove-Item',
  fl: 'Format-List',
  foreach: 'ForEach-Object',
  ft: 'Format-Table',
  gc: 'Get-Content',
  gci: 'Get-ChildItem',
  gcm: 'Get-Command',
  gi: 'Get-Item',
  gl: 'Get-Location',
  gm: 'Get-Member',
  gps: 'Get-Process',
  group: 'Group-Object',
  gsv: 'Get-Service',
  gwmi: 'Get-WmiObject',
  iex: 'Invoke-Expression',
  ii: 'Invoke-Item',
  irm: 'Invoke-RestMethod',
  iwr: 'Invoke-WebRequest',
  kill: 'Stop-Process',
  ls: 'Get-ChildItem',
  md: 'mkdir',
  measure: 'Measure-Object',
  mi: 'Move-Item',
  move: 'Move-Item',
  mv: 'Move-Item',
  ni: 'New-Item',
  popd: 'Pop-Location',
  ps: 'Get-Process',
  pushd: 'Push-Location',
  pwd: 'Get-Location',
  rd: 'Remove-Item',
  ren: 'Rename-Item',
  ri: 'Remove-Item',
  rm: 'Remove-Item',
  rmdir: 'Remove-Item',
  saps: 'Start-Process',
  sc: 'Set-Content',
  select: 'Select-Object',
  si: 'Set-Item',
  sl: 'Set-Location',
  sleep: 'Start-Sleep',
  sls: 'Select-String',
  sort: 'Sort-Object',
  spps: 'Stop-Process',
  start: 'Start-Process',
  tee: 'Tee-Object',
  type: 'Get-Content',
  where: 'Where-Object',
  write: 'Write-Output',
}

/** Spellings of cmdlets whose nouns are more than one word. */
const spellings = new Map(
  [
    ...Object.values(aliases),
    ...['ConvertFrom-Json', 'ConvertTo-Json', 'Get-CimInstance', 'Get-NetTCPConnection', 'Get-FileHash', 'Out-Null'],
    ...['Get-ItemProperty', 'Set-ItemProperty', 'Get-WinEvent', 'Expand-Archive', 'Compress-Archive', 'Import-Csv'],
  ].map((name) => [name.toLowerCase(), name]),
)

/** The name by which PowerShell knows a command: aliases become cmdlets, and cmdlets are spelt in one way. */
export function canonicalName(name: string): string {
  const lower = name.toLowerCase()
  const known = Object.hasOwn(aliases, lower) ? aliases[lower] : spellings.get(lower)
  if (known !== undefined) return known
  if (!/^[a-z]+-[a-z]+\w*$/i.test(name) || name !== lower) return name
  return /^(?:add|clear|convert|copy|get|invoke|join|measure|move|new|out|read|remove|rename|resolve|select|set|sort|start|stop|test|update|wait|write)-/.test(
    lower,
  )
    ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    : name
}
