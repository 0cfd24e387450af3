export type Part =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly filename: string; readonly type: string; readonly bytes: Buffer }

const BOUNDARY = 'x-test-boundary-4c1b7a'

/** Encodes a multipart body like a browser. */
export function encodeMultipart(parts: readonly Part[]): { payload: Buffer; contentType: string } {
  const chunks = parts.flatMap((part) => {
    const file = 'bytes' in part ? `; filename="${part.filename}"\r\ncontent-type: ${part.type}` : ''
    const header = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${part.name}"${file}\r\n\r\n`
    return [Buffer.from(header), 'bytes' in part ? part.bytes : Buffer.from(part.value), Buffer.from('\r\n')]
  })
  return {
    payload: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  }
}
