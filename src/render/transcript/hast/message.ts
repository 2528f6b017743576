/** Prompts, answers, commentary, thoughts, what machines added to the conversation, and pictures. */

import type { Element, ElementContent } from 'hast'
import { splitIdePreamble } from '../../../rollout/parse/prompt.ts'
import type { Image, Markdown, Message, Reasoning, Reference, Text } from '../../../transcript/trast.ts'
import { assetPath, relativeLink, sessionPage } from '../../../transcript/urls.ts'
import { isTask } from '../../../transcript/view.ts'
import { prettyJson } from '../../../util/json.ts'
import { pathBelow } from '../../../util/paths.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatBytes, formatCount } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { notHere, referenceWord } from '../../labels.ts'
import { agentLabel, brokenPicture, firstLine } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { languageOfTag } from '../highlight.ts'
import { foreignRel } from '../prose/schemes.ts'
import { isTyped } from '../prose/typed.ts'
import { task } from './agent.ts'
import {
  block,
  code,
  codeToHast,
  copied,
  fold,
  type ItemKind,
  isCollapsed,
  item,
  itemClasses,
  plainStamp,
  single,
  withCut,
} from './parts.ts'
import { body, prose, typedProse } from './prose.ts'
import type { State } from './state.ts'

/** A message, by its speaker: prompt and answer stand out, commentary is quiet, injected text is folded. */
export function message(node: Message, state: State): ElementContent[] {
  if (isTask(node) && !isCollapsed(node)) return [headed(node, 'prompt', 'Task from another agent', state)]
  const machine =
    node.origin !== 'typed' && node.origin !== 'codex' && !(node.origin === 'generated' && node.role === 'assistant')
  if (machine || isCollapsed(node)) return [folded(node, state)]
  if (node.origin === 'codex') return [headed(node, 'request', requestTitle(node), state)]
  if (node.role === 'user') return [headed(node, 'prompt', promptTitle(node), state)]
  if (node.role !== 'assistant') return [folded(node, state)]
  if (node.phase === 'final_answer' || state.answer === node.id) return [headed(node, 'answer', 'Answer', state)]
  return [item(node, { kind: 'commentary' }, state, content(node, state))]
}

function requestTitle({ label = 'Request' }: Message): string {
  return `${label} from Codex`
}

function promptTitle({ steering, delegated }: Message): string {
  return joinTexts(['Prompt', delegated ? 'from another agent' : '', steering ? 'while working' : ''], ' ')
}

function headed(node: Message, kind: ItemKind, title: string, state: State): ElementContent {
  const level = Math.min(6, state.level)
  const inner = state.at({ level: level + 1 })
  return h('article', { id: node.id, className: itemClasses({ kind }) }, [
    h('header', {}, h(`h${level}`, {}, title), plainStamp(node, state, node.role === 'user')),
    kind === 'request' || node.delegated || isTask(node)
      ? [h('p', { className: ['label'], ariaHidden: 'true' }, title)]
      : [],
    kind !== 'answer' ? prompt(node, inner) : content(node, inner),
  ])
}

/** Lines of a prompt that is shown whole, characters that count as a line, and lines of a last paragraph outside the fold. */
const maxPrompt = { lines: 40, line: 100, end: 6 }

/** What was asked. Of a long pasted text only the beginning is visible until the fold after it is opened. */
function prompt(node: Message, state: State): ElementContent[] {
  const shown = isTask(node) ? task(node, state) : content(node, state)
  const texts = node.children.flatMap((child) =>
    'value' in child && typeof child.value === 'string' ? child.value : [],
  )
  const lines = linesOf(texts.join('\n'))
  if (lines <= maxPrompt.lines) return shown
  const all = h('summary', {}, h('span', {}, `Show all ${formatCount(lines)} lines`))
  const fold = h('details', { className: ['show-all'] }, all)
  return endShown(shown, texts[0] ?? '', fold) ?? [h('div', { className: ['tall'] }, shown), fold]
}

/**
 * A tall text, its fold, and after it the last paragraph and attachments, because people who paste a text often ask at its
 * end. `undefined` if that paragraph is itself long, or is the only one.
 */
function endShown(
  [first, ...attached]: readonly ElementContent[],
  text: string,
  fold: Element,
): ElementContent[] | undefined {
  const lastLines =
    text
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  if (first?.type !== 'element' || linesOf(lastLines) > maxPrompt.end) return undefined
  const end = first.children.at(-1)
  if (end?.type !== 'element' || end.tagName !== 'p' || first.children.length === 1) return undefined
  const tall = h('div', { className: ['tall'] }, first.children.slice(0, -1))
  return [{ ...first, children: [tall, fold, end] }, ...attached]
}

/** Lines that a text takes up on a page. */
function linesOf(text: string): number {
  let lines = 0
  for (const line of text.split('\n')) lines += Math.max(1, Math.ceil(line.length / maxPrompt.line))
  return lines
}

function folded(node: Message, state: State): ElementContent {
  const names = [node.author, node.recipient].filter((name) => name !== undefined)
  const from = names.map(agentLabel).join(' → ')
  const gist = joinTexts([node.label, from], ' · ')
  const fallback = /^(?:typed|agent)$/.test(node.origin ?? '') || node.role === 'assistant' ? '' : node.role
  const head = { what: titleOf(node), gist: gist === '' ? fallback : gist, quiet: true }
  return item(node, { kind: 'context' }, state, [fold(head, content(node, state))])
}

function titleOf(node: Message): string {
  if (node.origin === 'agent') return 'Message between agents'
  if (node.origin === 'hook') return 'Hook'
  if (node.origin === 'codex') return requestTitle(node)
  if (node.origin === 'typed') return node.role === 'user' ? 'Prompt' : 'Message'
  if (node.origin === 'generated') return 'Generated message'
  return 'Context'
}

/** A prompt; the context that an editor put before it is folded. */
function request(value: string, state: State): ElementContent[] {
  const { preamble, request: typed } = splitIdePreamble(value)
  if (preamble === '') return typedProse(value, state)
  const context = fold({ what: 'Context from the editor', quiet: true }, [block('text', lines(preamble.trimEnd()))])
  return [context, ...typedProse(typed, state)]
}

/** The body of a message: typed text is read as such, injected context is literal, as the model got it, the rest is Markdown. */
function content(node: Message, state: State): ElementContent[] {
  return node.children.flatMap((child: Message['children'][number]) => {
    if (child.type !== 'markdown') return state.all([child])
    if (node.origin === 'injected')
      return [h('div', { className: ['prose', 'raw'], tabIndex: 0, ...copied('text') }, withCut(child, state, lines))]
    return isTyped(node) ? withCut(child, state, (part) => [body(request(part, state), part)]) : state.all([child])
  })
}

/** Literal lines, without the carriage returns of Windows, which would be shown. */
function lines(text: string): ElementContent[] {
  return literal(text.replaceAll('\r\n', '\n'))
}

// The content of messages and calls: Markdown, literal text, references.

/** Markdown source as prose. */
export function markdown(node: Markdown, state: State): ElementContent[] {
  return withCut(node, state, (value) => [body(prose(value, { id: node.id }, state), value)])
}

/** Literal text in a `pre`, coloured if its language is known; JSON is formatted. */
export function text(node: Text, state: State): ElementContent[] {
  const { value, lang, omitted } = node
  if (value === '' && omitted === undefined) return []
  if (lang === undefined || omitted !== undefined) return [block('text', withCut(node, state, literal))]
  if (lang === 'json') return [block('output', literal(prettyJson(value) ?? value))]
  const tokens = state.colour(value, languageOfTag(lang))
  return [block('code', tokens === undefined ? literal(value) : codeToHast(tokens))]
}

/** References on a line of their own: attachments of a prompt, and what an answer drew on. */
const lineKinds: ReadonlySet<Reference['kind']> = new Set(['file', 'memory', 'session'])

/** A reference, within text or on a line of its own. */
export function reference(node: Reference, state: State): ElementContent[] {
  const link = referenceLink(node, state)
  if (!lineKinds.has(node.kind)) return link
  return [h('p', { className: ['where'] }, `${referenceWord(node.kind)}: `, link, elsewhere(node, state))]
}

/** The note that a referenced session has no page here, which its id would not show. */
function elsewhere({ kind, target }: Reference, { context }: State): ElementContent[] {
  return kind !== 'session' || context.threads(target)?.built ? [] : literal(notHere)
}

/** A link if the reference leads to the web or to a page of this site, else its name. */
function referenceLink(node: Reference, state: State): ElementContent[] {
  const { target, label } = node
  const thread = node.kind === 'session' ? state.context.threads(target) : undefined
  if (thread?.built) return [h('a', { href: relativeLink(state.path, sessionPage(target)) }, label ?? thread.title)]
  if (/^https?:\/\//i.test(target)) return [h('a', { href: target, rel: [...foreignRel] }, label ?? target)]
  if (thread !== undefined) return literal(label ?? thread.title)
  if (label === undefined || label === target)
    return [code(node.kind === 'file' ? pathBelow(target, state.cwd) : target)]
  if (node.kind === 'commit') return [code(target), ...literal(` ${label}`)]
  if (node.kind === 'memory') return [...literal(`${label} `), code(target)]
  return [h('span', { className: ['nolink'], title: target }, literal(label))]
}

// What the model thought, if it is readable.

/** Reasoning in a closed fold under its first line without marks; a quiet note if only ciphertext is on disk. */
export function reasoning(node: Reasoning, state: State): ElementContent[] {
  if (node.children.length === 0) {
    if (!node.encrypted) return []
    return [item(node, { kind: 'thought' }, state, [single({ what: 'Thought', gist: 'encrypted' })])]
  }
  const gist = firstLine(node.children[0]?.value ?? '', 160)
    .replace(/^\*\*(.+?)\*\*$/, '$1')
    .replace(/`([^`]+)`/g, '$1')
  const what = node.form === 'raw' ? 'Thought (raw)' : 'Thought'
  const inner = isHeadline(node, gist)
    ? single({ what, gist })
    : fold({ what, gist, quiet: true }, state.all(node.children))
  return [item(node, { kind: 'thought' }, state, [inner])]
}

/** Whether a thought is only its first line, which a fold would just repeat. */
function isHeadline({ children: [only, ...others] }: Reasoning, gist: string): boolean {
  if (others.length > 0 || only?.type !== 'markdown' || only.omitted !== undefined) return false
  const words = only.value.trim()
  return (words === gist || words === `**${gist}**`) && /^\p{L}[^*_`[\]<>\\&~$|@/#^{}=]*$/u.test(gist)
}

// Pictures, from the site's own assets only.

const origins: Readonly<Record<Image['origin'], string>> = {
  attached: 'Attached image',
  generated: 'Generated image',
  viewed: 'Viewed image',
  tool: 'Image from a tool',
}

/** The form of an asset's name; any other name was not made by us. */
const assetName = /^[\w-]+(?:\.[\w-]+)+$/

/** A figure that opens the full-size picture, or a note about a missing one. */
export function image(node: Image, state: State): ElementContent[] {
  const title = origins[node.origin]
  const facts = [node.mediaType, size(node), node.bytes === undefined ? undefined : formatBytes(node.bytes)]
  const source = addressOf(node, state)
  const note = source === undefined ? omissionNote(node, state) : undefined
  const about = facts.filter((fact) => fact !== undefined).join(' · ')
  // For a picture, size and type are only small print; for a missing one they are part of the caption.
  const details = [node.url, ...(source === undefined ? [about, note] : [])].filter(
    (fact) => fact !== undefined && fact !== '',
  )
  const caption = h('figcaption', {}, [
    ...literal(details.length === 0 ? title : `${title}: ${details.join(' · ')}`),
    source === undefined || about === '' ? undefined : h('small', {}, literal(` · ${about}`)),
  ])
  const name = ['item', ...(source === undefined ? ['image', 'missing'] : ['image'])]
  const shown = source === undefined ? undefined : h('a', { className: ['shot'], href: source }, picture(node, source))
  if (isCollapsed(node) && shown !== undefined)
    return [
      h(
        'figure',
        { id: node.id, className: name },
        plainStamp(node, state),
        fold({ what: title, quiet: true }, [shown, caption]),
      ),
    ]
  return [h('figure', { id: node.id, className: name }, plainStamp(node, state), shown, caption)]
}

/** Largest size of a picture on the page, in CSS pixels; a click opens the full size. */
const box = { width: 736, height: 480 }

/** The picture with its displayed size, so that nothing moves when it has loaded. */
function picture({ alt, origin, width, height }: Image, source: string): ElementContent {
  const shared = { src: source, alt: alt ?? origins[origin], loading: 'lazy', decoding: 'async' } as const
  if (width === undefined || height === undefined || width <= 0 || height <= 0) return h('img', shared)
  const scale = Math.min(1, box.width / width, box.height / height)
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  return h('img', { ...shared, ...size })
}

/** A file of the site, or for a standalone page what the context returns. */
function addressOf({ asset }: Image, { context, path }: State): string | undefined {
  if (asset === undefined || !assetName.test(asset)) return undefined
  return context.picture === undefined ? relativeLink(path, assetPath(asset)) : context.picture(asset)
}

/** A note that identifies a picture for which a standalone page has no space, by the hash in the name of its asset. */
function omissionNote({ asset, broken }: Image, { context }: State): string | undefined {
  if (broken) return brokenPicture
  if (asset === undefined || context.picture === undefined) return undefined
  return `left out of this file, SHA-256 begins with ${asset.split('.')[0]}`
}

function size(node: Image): string | undefined {
  return node.width === undefined || node.height === undefined ? undefined : `${node.width} × ${node.height}`
}
