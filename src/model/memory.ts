/** Kinds of items that the model remembers, in the words of tables and plots. */

/** What an item of the memory is. */
export type MemoryCategory =
  | 'userMessage'
  | 'assistantMessage'
  | 'reasoning'
  | 'toolCall'
  | 'toolOutput'
  | 'webSearch'
  | 'image'
  | 'agentMessage'
  | 'environmentContext'
  | 'userInstructions'
  | 'developer'
  | 'injected'
  | 'compactionSummary'

/** The categories in the order of tables and plots. */
export const memoryCategories: readonly MemoryCategory[] = [
  'userMessage',
  'assistantMessage',
  'reasoning',
  'toolCall',
  'toolOutput',
  'webSearch',
  'image',
  'agentMessage',
  'environmentContext',
  'userInstructions',
  'developer',
  'injected',
  'compactionSummary',
]

/** Names of the categories for people. */
export const categoryNames: Readonly<Record<MemoryCategory, string>> = {
  userMessage: 'user messages',
  assistantMessage: 'answers',
  reasoning: 'reasoning',
  toolCall: 'tool calls',
  toolOutput: 'tool outputs',
  webSearch: 'web searches',
  image: 'images',
  agentMessage: 'agent messages',
  environmentContext: 'environment',
  userInstructions: 'instructions',
  developer: 'developer messages',
  injected: 'other context',
  compactionSummary: 'summaries',
}

/** Numbers by category; categories without items are absent. */
export type CategoryTotals = Partial<Record<MemoryCategory, { items: number; tokens: number }>>
