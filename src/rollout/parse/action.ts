/** What calls ask for, independent of tool and generation (rollout-format 3.7). */

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
      /** The script that contains the patch, with `…` instead of the patch, if the script does more than apply it. */
      script?: string
      /** The words with which a command asked for approval. */
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

/** A picture as a record contains it. */
export interface PictureFact {
  /** `data:` URL with the bytes. */
  data?: string
  /** Base64 without a `data:` prefix. */
  base64?: string
  /** Path or URL it came from. */
  url?: string
  mediaType?: string
}

/** A file that a patch changes. */
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
  /** A description of each option, in the same order; absent if none is described. */
  descriptions?: string[]
  secret: boolean
}

/** A request to the web: queries, a page, or words in a page. */
export interface WebSearch {
  type: 'search'
  action: 'search' | 'open' | 'find'
  queries: string[]
  url?: string
  pattern?: string
  /** Pages that it found or opened. */
  found?: FoundPage[]
  /** Further requests of the same `web.run` call; absent for other tools, which make one request per call. */
  more?: WebSearch[]
}

/** A page that a search found, or that was opened. */
export interface FoundPage {
  /** By which later calls refer to it. */
  name: string
  url?: string
  title?: string
  /** What the search quotes from it; of an opened page, the number of its lines. */
  excerpt?: string
}

/** A request to another agent. */
export interface AgentWork {
  type: 'agent'
  action: 'spawn' | 'send' | 'wait' | 'resume' | 'close' | 'list' | 'finish'
  threadIds: string[]
  name?: string
  role?: string
  message?: string
}
