import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A Parse Server with one class of cards, and live queries on it. Reads its settings as JSON and prints its address. */
export interface ParseSettings {
  /** The folder in which the packages are installed. */
  readonly folder: string
  /** For the library `pg`. */
  readonly databaseOptions: object
  readonly masterKey: string
  readonly className: string
  /** Types of the fields by their names. */
  readonly fields: Readonly<Record<string, { type: string }>>
}

const { folder, className, fields, ...settings }: ParseSettings = JSON.parse(
  process.env.PARSE_SETTINGS ?? '{}',
)
const load = createRequire(join(folder, 'package.json'))
const { ParseServer } = load('parse-server')
const app = load('express')()
const http = createServer(app)
http.listen(0, '127.0.0.1', async () => {
  const address = http.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  // Live queries of a class need it to be public.
  const all = { '*': true }
  const parse = new ParseServer({
    ...settings,
    // It reads from here that it is PostgreSQL. The options replace the rest.
    databaseURI: 'postgres://localhost/parse',
    appId: 'bench',
    serverURL: `${url}/parse`,
    logLevel: 'error',
    silent: true,
    liveQuery: { classNames: [className] },
    schema: {
      definitions: [
        {
          className,
          fields,
          classLevelPermissions: { find: all, count: all, get: all, update: all },
        },
      ],
    },
  })
  await parse.start()
  app.use('/parse', parse.app)
  await ParseServer.createLiveQueryServer(http)
  process.stdout.write(`${JSON.stringify({ url })}\n`)
})
process.on('SIGTERM', () => process.exit(0))
