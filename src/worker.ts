/** The program of the worker threads of builds and searches; the setup that a thread receives says which of the two it does. */

import { setupOfThread } from './site/task-thread-fs.ts'

const works = {
  async render(): Promise<void> {
    const [{ serveSessions }, { sessionMemory }] = await Promise.all([
      import('./site/session-thread-fs.ts'),
      import('./features/memory/page/session-memory.ts'),
    ])
    serveSessions(sessionMemory)
  },
  async search(): Promise<void> {
    const [{ serveSearch }, { sessionSearcher }] = await Promise.all([
      import('./features/terminal-search/threads-fs.ts'),
      import('./features/terminal-search/session.ts'),
    ])
    serveSearch(sessionSearcher)
  },
}

void works[setupOfThread().work]()
