/** The program of a thread in which a build renders sessions; the build starts it (`site/session-thread-fs.ts`). */

import { sessionMemory } from './features/memory/page/session-memory.ts'
import { serveSessions } from './site/session-thread-fs.ts'

serveSessions(sessionMemory)
