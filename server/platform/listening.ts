import type { FastifyInstance } from 'fastify'
import { OperatorError } from '#server/platform/config/operator-error.ts'

/** An address that cannot be listened on. The message is one line and names the setting, made for the operator. */
export class ListenError extends OperatorError {
  override name = 'ListenError'
}

/** The settings that an address to listen on comes from. */
interface AddressSettings {
  readonly host: string
  readonly port: string
}

/** Throws `ListenError` in place of what the operating system says when it does not let anybody listen there. */
export async function asTheSettingsSay<T>(settings: AddressSettings, listening: Promise<T>): Promise<T> {
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
      return `another program listens there; end it or set another ${port}`
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine`
    case 'EACCES':
      return `this user may not listen there; set a ${port} from 1024 on`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} names a host that nobody knows`
    default:
      return undefined
  }
}

/** @returns where a person on this machine reaches it */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await asTheSettingsSay({ host: 'HOST', port: 'PORT' }, app.listen({ host, port }))
  const address = app.server.address()
  return addressOf(host, typeof address === 'object' && address ? address.port : port)
}

/** @returns where a person on this machine reaches a server that listens there */
export function addressOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** For the requests at hand; whoever fell silent half-way through one keeps nobody from ending. */
const GRACE_MS = 10_000

/** @param cutSockets hangs up on the sockets that are still open when the time is up */
export async function closeInTime(app: FastifyInstance, cutSockets: () => void): Promise<void> {
  const late = setTimeout(() => {
    cutSockets()
    // Node itself looks for late headers no more once it is closing.
    app.server.closeAllConnections()
  }, GRACE_MS)
  await app.close().finally(() => clearTimeout(late))
}
