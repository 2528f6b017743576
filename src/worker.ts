/** The program of the threads that a build and a search start; what it is given says which work it does. */

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
