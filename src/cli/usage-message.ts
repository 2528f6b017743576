/** Messages of yargs about wrong use, in the form of ours: one line, values in backticks, a hint behind. */

/** What is wrong with the arguments. `commands` are the names of all commands. */
export function usageMessage(message: string, args: readonly string[], commands: readonly string[]): string {
  const [first = ''] = args.filter((arg) => !arg.startsWith('-'))
  const command = commands.includes(first) ? first : undefined
  const help = command === undefined ? 'codex-export --help' : `codex-export ${command} --help`
  return `${reword(message, args, command)} See \`${help}\`.`
}

function reword(message: string, args: readonly string[], command: string | undefined): string {
  const meant = message.match(/^Did you mean (.*)\?$/)?.[1]
  const unknown = message.match(/^Unknown arguments?: (.*)$/s)?.[1]
  if (meant !== undefined) return `Unknown command ${inBackticks(commandIn(args))}; did you mean \`${meant}\`?`
  if (unknown !== undefined) return unknownArguments(unknown.split(', '), args, command)
  return message.startsWith('Not enough non-option arguments') ? 'An argument is missing.' : message
}

function unknownArguments(names: readonly string[], args: readonly string[], command: string | undefined): string {
  const written = names.map((name) => asWritten(name, args))
  const plural = written.length === 1 ? '' : 's'
  const options = written.every((text) => text.startsWith('-'))
  const noun = options ? 'option' : 'argument'
  if (command === undefined && !options) return `Unknown command ${inBackticks(commandIn(args))}.`
  return `Unknown ${noun}${plural} ${written.map(inBackticks).join(', ')}.`
}

/** yargs names flags without their dashes. */
function asWritten(name: string, args: readonly string[]): string {
  const flags = [`--${name}`, `--no-${name}`, `-${name}`]
  return flags.find((flag) => args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))) ?? name
}

function commandIn(args: readonly string[]): string {
  return args.find((arg) => !arg.startsWith('-')) ?? ''
}

function inBackticks(text: string): string {
  return `\`${text}\``
}
