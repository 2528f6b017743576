/** What calls ask for, whatever tool of whatever generation was called (rollout-format 3.7). */

import type { CommandAction } from '../terms.ts'

/** What a call asks for. */
export type Action =
  | { type: 'command'; argv: string[]; script: string; cwd?: string; actions: CommandAction[]; justification?: string }
  | { type: 'stdin'; processId: string; chars: string }
  | {
      type: 'patch'
      text: string
      changes?: ChangeFact[]
      cwd?: string
      /** The script that the patch hides in, `…` in its place, where it does more than apply it. */
      script?: string
      /** With which words a command asked for approval. */
      justification?: string
    }
  | { type: 'plan'; explanation?: string; steps: PlanStepFact[] }
  | { type: 'viewImage'; path: string }
  | { type: 'generateImage'; prompt?: string; picture?: PictureFact }
  | WebSearch
  | { type: 'cell'; code: string }
  | { type: 'wait'; cellId: string }
  | { type: 'questions'; questions: QuestionFact[] }
  | { type: 'permissions'; reason?: string }
  | AgentWork
  | { type: 'tool' }

/** A picture as it stands in a record. */
export interface PictureFact {
  /** `data:` URL with the bytes. */
  data?: string
  /** Base64 without the `data:` head. */
  base64?: string
  /** Path or URL it came from. */
  url?: string
  mediaType?: string
}

/** A file of a patch. */
export interface ChangeFact {
  path: string
  operation: 'add' | 'update' | 'delete' | 'move'
  movedTo?: string
  hunks: { oldStart?: number; newStart?: number; header?: string; value: string }[]
}

/** A step of a plan. */
export interface PlanStepFact {
  step: string
  status: 'pending' | 'inProgress' | 'completed'
}

/** A question to the user. */
export interface QuestionFact {
  id?: string
  header?: string
  text: string
  options: string[]
  /** What each option means, in their order; absent where none is described. */
  descriptions?: string[]
  secret: boolean
}

/** What is asked of the web: queries, a page, or words in a page. */
export interface WebSearch {
  type: 'search'
  action: 'search' | 'open' | 'find'
  queries: string[]
  url?: string
  pattern?: string
  /** Pages that it found or opened: the names by which later calls ask for them, with their addresses and titles. */
  found?: { name: string; url?: string; title?: string }[]
  /** What the same call of `web.run` asks for beside it; absent for other tools, which ask for one thing. */
  more?: WebSearch[]
}

/** What is asked of another agent. */
export interface AgentWork {
  type: 'agent'
  action: 'spawn' | 'send' | 'wait' | 'resume' | 'close' | 'list' | 'finish'
  threadIds: string[]
  name?: string
  role?: string
  message?: string
}
