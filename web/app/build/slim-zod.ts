import type { Plugin } from 'vite'

/** Of zod's writer of JSON Schemas, all that its other modules take. */
const names = [
  ...['createStandardJSONSchemaMethod', 'createToJSONSchemaMethod', 'extractDefs', 'finalize'],
  ...['handleUnrepresentable', 'initializeContext', 'process', 'processSchema'],
]

/**
 * Leaves zod's writer of JSON Schemas out of the browser's scripts, 2 kB of each page with a form: every schema has a
 * method for it, so that no bundler sees that none is called. The description of the API is written by the server.
 */
export function slimZod(): Plugin {
  return {
    name: 'unspent:slim-zod',
    load: (id) =>
      id.endsWith('/zod/v4/core/to-json-schema.js')
        ? `const leftOut = () => undefined\n${names.map((name) => `export { leftOut as ${name} }`).join('\n')}`
        : undefined,
  }
}
