import type { FastifyInstance } from 'fastify'
import { OperatorError } from '#server/platform/config/operator-error.ts'

/** The server cannot listen on an address. The one-line message tells the operator which setting to change. */
export class ListenError extends OperatorError {
  override name = 'ListenError'
}

/** The names of the settings for an address. */
interface AddressSettings {
  readonly host: string
  readonly port: string
}

/** Replaces the operating system's error with a `ListenError` that names the setting. */
export async function explainListenError<T>(settings: AddressSettings, listening: Promise<T>): Promise<T> {
  try {
    return await listening
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const hint = hintOf(code, settings)
    throw hint ? new ListenError(`${message}: ${hint}`, { cause: error }) : error
  }
}

function hintOf(code: string | undefined, { host, port }: AddressSettings): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `another program listens there; stop it or set another ${port}`
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine`
    case 'EACCES':
      return `this user may not listen there; set a ${port} from 1024 on`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} names an unknown host`
    default:
      return undefined
  }
}

/** Returns the address for a browser on this machine. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await explainListenError({ host: 'HOST', port: 'PORT' }, app.listen({ host, port }))
  const address = app.server.address()
  return addressOf(host, typeof address === 'object' && address ? address.port : port)
}

/** The address of a server for a browser on this machine. */
export function addressOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Time to finish open requests. A client that stalls must not block the shutdown longer. */
const GRACE_MS = 10_000

/** @param cutSockets disconnects the sockets still open when the time is up */
export async function closeInTime(app: FastifyInstance, cutSockets: () => void): Promise<void> {
  const late = setTimeout(() => {
    cutSockets()
    // Node stops enforcing its header timeout once the server is closing.
    app.server.closeAllConnections()
  }, GRACE_MS)
  await app.close().finally(() => clearTimeout(late))
}
