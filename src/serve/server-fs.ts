/** Serves a built site to this machine alone. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode } from '../util/reason.ts'
import { respond } from './respond-fs.ts'
import { openSite } from './site-files-fs.ts'

/** Where to listen. */
export interface ServerOptions {
  /** 0 takes a free port. */
  port: number
  /** Address to bind (default `127.0.0.1`). Any other than a loopback address shows private sessions to the network. */
  host?: string
}

/** A server that runs. */
export interface RunningServer {
  /** With the port and a slash at the end, for example `http://127.0.0.1:8080/`. */
  url: string
  /** Stops it; open connections are cut. */
  close(): Promise<void>
}

/** Starts to serve the site in an absolute folder. Throws a `UsageError` where there is no site or no such port. */
export async function startServer(root: string, options: ServerOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1' } = options
  const service = { files: openSite(root), host, port }
  const server = createServer((request, response) => {
    respond(request, response, service).catch(() => {
      // The visitor went away, or the file cannot be read to its end: this exchange is over, the server is not.
      response.destroy()
    })
  })
  service.port = await listen(server, port, host)
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${service.port}/`, close: () => close(server) }
}

/** Gives the port that it really got. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port, host)))
    // A server on a port, not on a pipe, has an address of this kind.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function explain(error: Error, port: number, host: string): Error {
  const hint = 'Choose another by `--port`, or let the system choose by `--port 0`.'
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return new UsageError(`Port ${port} on \`${host}\` is in use. ${hint}`, { cause: error })
  if (code === 'EACCES') return new UsageError(`Port ${port} on \`${host}\` may not be used. ${hint}`, { cause: error })
  return error
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
