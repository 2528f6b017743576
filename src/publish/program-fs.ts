/** Programs of hosts, found on the path and run without a shell. */
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Surroundings of a program. */
export interface ProgramHost {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

/**
 * Absolute path of a program: that of the working folder's own packages, else the first on the path. `undefined` where
 * there is none that can be run without a shell, as on Windows.
 */
export function findProgram(name: string, { cwd, env }: Pick<ProgramHost, 'cwd' | 'env'>): string | undefined {
  const folders = [join(cwd, 'node_modules', '.bin'), ...(env['PATH'] ?? '').split(delimiter)]
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram)
}

/** Runs a program; what it says goes to standard error, so that standard output holds our own product only. Gives its exit code. */
export function runProgram(file: string, args: readonly string[], host: ProgramHost): Promise<number> {
  const { cwd, env, signal } = host
  const child = spawn(file, args, { cwd, env: { ...env }, signal, stdio: ['inherit', 2, 2] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // A signal ended it: no success either.
    child.once('close', (status) => resolve(status ?? 1))
  })
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
