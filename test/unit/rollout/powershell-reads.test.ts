import { expect, it } from 'vitest'
import { powershellReads } from '../../../src/rollout/shell/powershell-reads.ts'
import { command, complete, started, userEvent } from '../../helpers/records.ts'
import { only, run } from '../../helpers/slice.ts'

it.each<[script: string, files: string[] | undefined]>([
  ['$x = Get-Content src/a.ts; $x[0..55]', ['src/a.ts']],
  ["(Get-Content 'a.txt')[10..20]", ['a.txt']],
  ["$i=0; Get-Content -LiteralPath 'a.md' | ForEach-Object { $i++; '{0}: {1}' -f $i, $_ }", ['a.md']],
  [
    "$p='a b.ts'; $all=Get-Content -Path $p; $from=36; foreach($l in $all[$from..40]){ '{0}: {1}' -f $from,$l; $from++ }",
    ['a b.ts'],
  ],
  ['$a = Get-Content -Path a -Raw; $b = Get-Content b; $a; $b | Select-String -Pattern x', ['a', 'b']],
  ['[Console]::OutputEncoding=[Text.Encoding]::UTF8; $c=Get-Content a; $c -join [Environment]::NewLine', ['a']],
  ["(Get-Content a -Raw) -replace 'x', 'y' | Set-Content a", undefined],
  ["$c = Get-Content a -Raw; [IO.File]::WriteAllText('b', $c)", undefined],
  ['$c = Get-Content a; $d.Save($c)', undefined],
  ['$c = Get-Content $file; $c[0]', undefined],
  ["$p='a'; $p='b'; $c=Get-Content $p; $c", undefined],
  ['Get-Content a | ForEach-Object { Remove-Item $_ }', undefined],
  ['$c = Get-Content a; npm test; $c', undefined],
  ['$c = Get-Content a; & $c[0]', undefined],
  ['$c = Get-Content a; iex "$c"', undefined],
  ['$c = Get-Content a; "$(Remove-Item b)"', undefined],
  ['$c = Get-Content a; "$($c.Length) lines"', ['a']],
  ['$c = Get-Content a > b; $c', undefined],
  ['function f { Remove-Item b }; $c = Get-Content a; f', undefined],
  ['$c = Get-Content a; Select-String -Path b -Pattern $c', undefined],
])('the files that PowerShell only reads: %s', (script, files) => {
  expect(powershellReads(script)).toEqual(files)
})

it('a command that only reads a file counts as exploring it', async () => {
  const [call, output] = command('call_1', '$x = Get-Content src/a.ts; $x[0..1]', 0, 'one\ntwo\n')
  const { tree } = await run([started('turn-1'), userEvent('Look.'), call, output, complete('turn-1')])
  expect(only(tree, 'command').actions).toEqual([{ kind: 'read', path: 'src/a.ts' }])
})
