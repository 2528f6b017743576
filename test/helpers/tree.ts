/** Builders for small transcript trees: every required field has a default, `fields` override. */
import type {
  Agent,
  Approval,
  Command,
  ErrorNode,
  FileChange,
  Finding,
  FlowContent,
  Group,
  Hunk,
  Image,
  Input,
  Markdown,
  Message,
  Notice,
  NoticeKind,
  Output,
  Patch,
  PhraseContent,
  Plan,
  PlanStep,
  Preamble,
  Question,
  Reasoning,
  Reference,
  Search,
  Session,
  Stats,
  Text,
  ToolCall,
  TopContent,
  Turn,
  Unknown,
} from '../../src/transcript/trast.ts'

/** Fields with a default of the builder that a test may override. */
type Fields<T> = Partial<Omit<T, 'type' | 'children'>>

let line = 0

/** Restarts the ids of a test at `l1`, so that expectations can name them. */
export function resetIds(): void {
  line = 0
}

function nextId(): string {
  line += 1
  return `l${line}`
}

export const threadId = '01990000-0000-7000-8000-000000000001'

export function stats(fields: Partial<Stats> = {}): Stats {
  return {
    lines: { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0 },
    turns: 0,
    messages: 0,
    commands: { total: 0, failed: 0 },
    tools: {},
    edits: { files: 0, added: 0, removed: 0 },
    usage: {},
    redacted: {},
    omitted: {},
    ...fields,
  }
}

export function session(children: TopContent[], fields: Fields<Session> = {}): Session {
  return {
    type: 'session',
    id: 'l1',
    threadId,
    title: 'Mend the garden gate',
    titleFrom: 'prompt',
    client: {},
    archived: false,
    status: 'completed',
    models: [],
    lineage: { segments: [] },
    stats: stats(),
    ...fields,
    children,
  }
}

export function preamble(children: FlowContent[], fields: Fields<Preamble> = {}): Preamble {
  return { type: 'preamble', id: nextId(), ...fields, children }
}

export function turn(children: FlowContent[], fields: Fields<Turn> = {}): Turn {
  return { type: 'turn', id: nextId(), number: 1, kind: 'user', status: 'completed', ...fields, children }
}

export function markdown(value: string, fields: Fields<Markdown> = {}): Markdown {
  return { type: 'markdown', id: nextId(), ...fields, value }
}

export function text(value: string, fields: Fields<Text> = {}): Text {
  return { type: 'text', id: nextId(), ...fields, value }
}

/** A string means one `markdown` node. */
function phrases(content: string | PhraseContent[]): PhraseContent[] {
  return typeof content === 'string' ? [markdown(content)] : content
}

export function user(content: string | PhraseContent[], fields: Fields<Message> = {}): Message {
  return { type: 'message', id: nextId(), role: 'user', origin: 'typed', ...fields, children: phrases(content) }
}

export function assistant(content: string | PhraseContent[], fields: Fields<Message> = {}): Message {
  return {
    type: 'message',
    id: nextId(),
    role: 'assistant',
    origin: 'generated',
    ...fields,
    children: phrases(content),
  }
}

export function injected(label: string, content: string | PhraseContent[], fields: Fields<Message> = {}): Message {
  return user(content, { origin: 'injected', label, data: { visibility: 'collapsed' }, ...fields })
}

export function reasoning(value: string, fields: Fields<Reasoning> = {}): Reasoning {
  const children = value === '' ? [] : [markdown(value)]
  return { type: 'reasoning', id: nextId(), encrypted: value === '', form: 'summary', ...fields, children }
}

export function output(value: string, fields: Fields<Output> = {}): Output {
  return { type: 'output', id: nextId(), stream: 'both', ansi: value.includes('\u001B'), ...fields, value }
}

export function input(value: string, fields: Fields<Input> = {}): Input {
  return { type: 'input', id: nextId(), ...fields, value }
}

export function command(script: string, children: Command['children'] = [], fields: Fields<Command> = {}): Command {
  return {
    type: 'command',
    id: nextId(),
    argv: ['bash', '-lc', script],
    script,
    actor: 'agent',
    actions: [],
    status: 'completed',
    exitCode: 0,
    ...fields,
    children,
  }
}

export function hunk(value: string, fields: Fields<Hunk> = {}): Hunk {
  return { type: 'hunk', id: nextId(), ...fields, value }
}

export function fileChange(path: string, children: Hunk[], fields: Fields<FileChange> = {}): FileChange {
  const lines = children.flatMap((child) => child.value.split('\n'))
  const count = (mark: string) => lines.filter((item) => item.startsWith(mark)).length
  return {
    type: 'fileChange',
    id: nextId(),
    path,
    operation: 'update',
    added: count('+'),
    removed: count('-'),
    ...fields,
    children,
  }
}

export function patch(children: Patch['children'], fields: Fields<Patch> = {}): Patch {
  return { type: 'patch', id: nextId(), status: 'completed', ...fields, children }
}

export function toolCall(
  tool: string,
  args: string,
  children: ToolCall['children'] = [],
  fields: Fields<ToolCall> = {},
): ToolCall {
  return {
    type: 'toolCall',
    id: nextId(),
    family: 'function',
    tool,
    input: args,
    status: 'completed',
    ...fields,
    children,
  }
}

export function search(queries: string[], children: Search['children'] = [], fields: Fields<Search> = {}): Search {
  return { type: 'search', id: nextId(), action: 'search', queries, status: 'completed', ...fields, children }
}

export function plan(children: Plan['children'], fields: Fields<Plan> = {}): Plan {
  return { type: 'plan', id: nextId(), ...fields, children }
}

export function planStep(value: string, status: PlanStep['status'] = 'pending'): PlanStep {
  return { type: 'planStep', id: nextId(), status, value }
}

export function image(fields: Fields<Image> = {}): Image {
  return { type: 'image', id: nextId(), origin: 'attached', ...fields }
}

export function agent(children: Agent['children'] = [], fields: Fields<Agent> = {}): Agent {
  return { type: 'agent', id: nextId(), action: 'spawn', status: 'completed', ...fields, children }
}

export function approval(children: Approval['children'] = [], fields: Fields<Approval> = {}): Approval {
  return { type: 'approval', id: nextId(), subject: 'command', status: 'completed', ...fields, children }
}

export function question(content: string, fields: Fields<Question> = {}): Question {
  return { type: 'question', id: nextId(), options: [], secret: false, ...fields, children: [markdown(content)] }
}

export function notice(kind: NoticeKind, children: Notice['children'] = [], fields: Fields<Notice> = {}): Notice {
  return { type: 'notice', id: nextId(), kind, ...fields, children }
}

export function finding(title: string, content: string, fields: Fields<Finding> = {}): Finding {
  return { type: 'finding', id: nextId(), title, ...fields, children: [markdown(content)] }
}

export function errorNode(message: string, fields: Fields<ErrorNode> = {}): ErrorNode {
  return { type: 'error', id: nextId(), message, ...fields }
}

export function group(
  kind: Group['kind'],
  label: string,
  children: Group['children'],
  fields: Fields<Group> = {},
): Group {
  return { type: 'group', id: nextId(), kind, label, ...fields, children }
}

export function unknown(recordType: string, payload: unknown, fields: Fields<Unknown> = {}): Unknown {
  return { type: 'unknown', id: nextId(), recordType, payload, ...fields }
}

export function reference(target: string, fields: Fields<Reference> = {}): Reference {
  return { type: 'reference', id: nextId(), kind: 'url', target, ...fields }
}
