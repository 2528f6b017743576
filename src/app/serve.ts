/** `serve`: a built site on this machine until it is stopped. */
import { openInBrowser } from '../serve/browser-fs.ts'
import { startServer } from '../serve/server-fs.ts'
import type { Host, ServeOptions } from './types.ts'

/** Serves the site and resolves when the host's signal is aborted. Throws a `UsageError` for no site or a taken port. */
export async function serve({ out, port, open }: ServeOptions, host: Host): Promise<void> {
  const server = await startServer(out, { port })
  try {
    host.progress.done(`Serving ${out} at ${server.url} (Ctrl-C stops it)`)
    if (open && !(await openInBrowser(server.url))) {
      host.progress.done('No program was found that opens a browser; open the address yourself.')
    }
    await aborted(host.signal)
  } finally {
    await server.close()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
