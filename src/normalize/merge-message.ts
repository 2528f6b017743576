/** Two records of one message to one fragment. */
import type { MessageFact, Part } from '../model/facts.ts'
import { type Fragment, mergeSources } from './fragment.ts'
import { typedText } from './texts.ts'

/** Folds `other` into `kept`, whose place and id stay: the event's words, the item's pictures and phase. */
export function mergeMessage(kept: Fragment & { fact: MessageFact }, other: Fragment & { fact: MessageFact }): void {
  mergeSources(kept, other)
  const event = kept.fact.log === 'event' ? kept.fact : other.fact
  const item = kept.fact.log === 'item' ? kept.fact : other.fact
  kept.fact = {
    ...item,
    ...event,
    ...(item.id === undefined ? {} : { id: item.id }),
    ...(item.turnId === undefined ? {} : { turnId: item.turnId }),
    parts: mergeParts(event, item),
    log: kept.fact.log,
  }
}

/** Words as the event has them; pictures with bytes from the item, in the event's order. */
function mergeParts(event: MessageFact, item: MessageFact): Part[] {
  const pictures = item.parts.filter((part) => part.kind === 'image')
  const words = typedText(event).trim() === '' && typedText(item).trim() !== '' ? item.parts : event.parts
  const shown = words.map((part): Part => {
    if (part.kind !== 'image') return part
    const picture = pictures.shift()
    return picture === undefined ? part : { ...part, ...picture }
  })
  const injected = item.parts.filter((part) => part.kind === 'text' && part.class === 'injected')
  return words === item.parts ? shown : [...shown, ...pictures, ...injected]
}
