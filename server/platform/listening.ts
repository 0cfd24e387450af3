import type { FastifyInstance } from 'fastify'
import { OperatorError } from '#server/platform/config/operator-error.ts'

/** The names of the settings for an address. */
interface AddressSettings {
  readonly host: string
  readonly port: string
}

/** Replaces the operating system's error with an `OperatorError` that names the setting. */
export async function explainListenError<T>(settings: AddressSettings, listening: Promise<T>): Promise<T> {
  try {
    return await listening
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const hint = hintOf(code, settings)
    throw hint ? new OperatorError(`${message}: ${hint}`, { cause: error }) : error
  }
}

function hintOf(code = '', { host, port }: AddressSettings): string | undefined {
  const unknownHost = `${host} names an unknown host`
  const hints: Readonly<Record<string, string>> = {
    EADDRINUSE: `another program listens there; stop it or set another ${port}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    EACCES: `this user may not listen there; set a ${port} from 1024 on`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  }
  return hints[code]
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
