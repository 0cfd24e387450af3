/** The same server's URL with another database in it. */
export function urlOfDatabase(server: string, name: string): string {
  return server.replace(/^([^:]+:\/\/[^/]+\/)[^?]*/, `$1${name}`)
}
