/**
 * Phrases that Codex itself writes around what people and programs say (rollout-format 3.8, 5.4, 8.1). They decide how a record
 * is read, so they stay while everything else is replaced.
 */

import { keptTags } from './vocabulary.ts'

/** Phrases at the start of a line, after whitespace. */
const lineStarts: readonly string[] = [
  // Heads of outputs.
  String.raw`Exit code: -?\d+$`,
  String.raw`Wall time:? [\d.]+ seconds?$`,
  String.raw`Duration: [\d.]+ seconds?$`,
  String.raw`Total output lines: \d+$`,
  String.raw`Original token count: \d+$`,
  String.raw`Process exited with code -?\d+$`,
  String.raw`Process running with session ID \d+$`,
  'Chunk ID: ',
  'Command: ',
  'Output:$',
  'Script (?:completed|failed|error:)$',
  'Script running with cell ID ',
  // Outputs that only report a state.
  String.raw`aborted(?: by user(?: after [\d.]+ ?s(?:econds?)?)?)?$`,
  String.raw`(?:Error: )?command timed out after \d+ milliseconds`,
  '(?:exec command|patch) rejected(?: by user)?',
  'approval policy is UnlessTrusted; reject command',
  'failed in sandbox',
  'execution error:',
  '(?:exec_command|write_stdin) failed',
  'error: ',
  'Command blocked by PreToolUse hook:',
  'unable to locate image at',
  'unsupported call:',
  'failed to parse function arguments',
  'apply_patch verification failed',
  'Invalid patch',
  'Failed to ',
  'collab spawn failed:',
  String.raw`Success\. Updated the following files:$`,
  'Plan updated$',
  'Done!?$',
  'Compact task completed$',
  // Patches.
  String.raw`\*\*\* (?:Begin Patch|End Patch|End of File)$`,
  String.raw`\*\*\* Environment ID:`,
  String.raw`@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`,
  // Texts in the position of the user's.
  '# AGENTS\\.md instructions(?: for(?= ))?',
  'Warning: apply_patch was requested via ',
  'Warning: The maximum number of unified exec processes',
  'Warning: Your account was flagged',
  'Warning(?=:)',
  'Another language model started to solve this problem',
  '# Context from my IDE setup:',
  '# Files mentioned by the user:',
  '# Review findings:',
  '## Prior conversation with Codex:',
  '## Code review guidelines:',
  '## Referenced ChatGPT conversation:',
  '## My request for Codex:$',
  '## (?:Active file|Active selection of the file|Open tabs):',
  '>>> APPROVAL REQUEST (?:START|END)$',
  'Message Type: (?:NEW_TASK|MESSAGE|FINAL_ANSWER)$',
  '(?:Message Type|Task name|Sender|Payload):',
]

const reviewKeys =
  'findings|title|body|confidence_score|priority|code_location|absolute_file_path|line_range|start|end|overall_correctness|overall_explanation|overall_confidence_score'
const approvalKeys = 'tool|tool_name|server|target|command|files|patch'
const verdictKeys = 'outcome|risk_level|user_authorization|rationale'
const errorKeys = 'error|errors|message|detail|error_description|error_message|msg|type|param|code'

/** Phrases anywhere. The text on either side is compared separately, so each side is replaced separately. */
const anywhere: readonly string[] = [
  String.raw`\u2026\s*\d+ (?:tokens|chars|lines|bytes) truncated\s*\u2026`,
  String.raw`\[\.\.\. (?:omitted(?: \d+ of \d+ lines)?|output truncated(?: to fit \d+ bytes)?)`,
  String.raw`Use the apply_patch tool instead of exec_command\.`,
  `</?(?:${[...keptTags].join('|')})(?=[\\s>/])`,
  String.raw`"outcome"\s*:\s*"(?:allow|deny)"`,
  // These show that an answer is a review or a verdict, that a prompt asks for an approval, or that a host's JSON error has a
  // message.
  `"(?:${reviewKeys}|${approvalKeys}|${verdictKeys}|${errorKeys})"\\s*:`,
]

/** Phrases and words within a text that stay (rollout-format 3.7, 3.8); patterns for parts of a line. */
export const keptPhrases: readonly string[] = [
  String.raw`Rejected\((?:\\?"rejected by user)?`,
  'rejected: (?:blocked by policy)?',
  String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?`,
  // Colours and other escape sequences of terminals, including their final letter.
  String.raw`\x1b\[[0-9;?]{0,40}[A-Za-z]`,
  // JSON within a text stays JSON.
  String.raw`(?<=[:[,]\s{0,9})null(?=\s{0,9}(?:[,\]}]|$))`,
  // These show that a command does more than explore, or is run by another shell.
  String.raw`(?<=\s)-(?:delete|execdir|exec|fprint\w{0,2})(?!\w)`,
  String.raw`(?<!\S)(?:-Command|--files)(?![\w-])`,
  String.raw`(?<![\w-])(?:ls-files|apply_?patch)(?![\w-])`,
  // These show what a PowerShell command looked for, and that finding nothing is not an error.
  String.raw`(?<![\w-])(?:[Gg]et|[Ss]elect|[Ss]ort|[Ww]here|[Ff]or[Ee]ach|[Mm]easure|[Gg]roup|[Ss]et)-(?:[Cc]ontent|[Cc]hild[Ii]tem|[Ss]tring|[Oo]bject|[Cc]ommand|[Pp]rocess|[Ss]ervice|[Ii]tem|[Ll]ocation|NetTCPConnection)(?![\w-])`,
  String.raw`(?<![\w-])(?:(?:Write|Out)-(?:Output|Host|String|Null)|(?:Test|Split|Join|Resolve)-Path|Format-(?:Table|List)|Convert(?:To|From)-Json)(?![\w-])`,
  // These show that a PowerShell command only reads.
  String.raw`(?<![\w-])(?:foreach|for|while|if|elseif|else)(?=\s*[({])`,
  String.raw`\[(?:[Mm]ath\]::(?:Min|Max|Floor|Ceiling|Round)|(?:System\.)?Text\.Encoding\]::UTF8|Console\]::OutputEncoding)(?!\w)`,
  String.raw`\$(?:path|file)(?![\w-])`,
  String.raw`(?<!\S)-(?:Path|Encoding|TotalCount|First|Head|Tail|Last)(?![\w-])`,
  String.raw`(?<!\S)-(?:ErrorAction|ea) (?:SilentlyContinue|Ignore)(?![\w-])`,
  String.raw`(?<!\S)-[A-Za-z]{1,3}(?!\S)`,
  // These show that a command creates a commit or a merge request, and prints it.
  String.raw`(?<![\w-])(?:commit|cherry-pick|revert|pr|mr|create|new)(?![\w-])(?<=\b(?:git|gh|glab)\b[^\n;&|]{0,300})`,
]

const lineStart = new RegExp(String.raw`^\s*(?:${lineStarts.join('|')})`, 'iu')
const inside = new RegExp(anywhere.join('|'), 'gu')

/** A line in parts; the phrases that stay are at odd indexes. */
export function splitFrames(line: string): string[] {
  const start = lineStart.exec(line)?.[0] ?? ''
  const parts: string[] = start === '' ? [] : ['', start]
  let from = start.length
  for (const match of line.slice(from).matchAll(inside)) {
    const at = start.length + match.index
    parts.push(line.slice(from, at), match[0])
    from = at + match[0].length
  }
  parts.push(line.slice(from))
  return parts
}

const patchFile = /^(\s*\*\*\* (?:(?:Add|Delete|Update) File|Move to): )(.*\S)(\s*)$/

/** Head, path and rest of a line of a patch that names a file. */
export function patchFileLine(line: string): { head: string; path: string; tail: string } | undefined {
  const [, head, path, tail] = patchFile.exec(line) ?? []
  return head === undefined || path === undefined || tail === undefined ? undefined : { head, path, tail }
}
