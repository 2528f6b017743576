/** Diagnostics of the document as messages on its VFile. */
import type { VFile } from 'vfile'
import { diagnostic, type RuleId } from '../diagnostics/codes.ts'
import type { Source } from '../model/trast.ts'

/** Puts a rule's finding about a record on the file. */
export function diagnosticMessage(
  file: VFile,
  ruleId: RuleId,
  source: Pick<Source, 'line' | 'file'>,
  detail?: string,
): void {
  const found = diagnostic(ruleId, { line: source.line }, detail === undefined ? undefined : `\`${detail}\``)
  const message = file.message(found.message, {
    place: { line: source.line, column: 1 },
    ruleId,
    source: 'codex-export',
  })
  message.fatal = found.level === 'info' ? undefined : false
  if (source.file !== undefined) message.note = `segment ${source.file}`
}
