/** Records that this version does not know. */
import type { Unknown } from '../../../model/trast.ts'
import { formatAmount } from '../../../util/time.ts'
import { fence, mono, paragraph, strong } from '../build.ts'
import type { Handle } from '../state.ts'

const limit = 4096

/** A label with the record's type, then its JSON, at most 4 KiB of it. */
export const unknown: Handle<Unknown> = (node) => {
  const json = JSON.stringify(node.payload, null, 2) ?? ''
  const end = /[\uD800-\uDBFF]/.test(json.charAt(limit - 1)) ? limit - 1 : limit
  const rest = json.length <= end ? '' : `\n… ${formatAmount(json.length - end, 'character')} left out …`
  return [
    paragraph(strong('Unrecognised record'), ' ', mono(node.recordType)),
    ...fence(json.slice(0, end) + rest, 'json'),
  ]
}
