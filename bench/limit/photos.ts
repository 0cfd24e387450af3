import { createCipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** Photos decoded, encoded anew and sealed, one after the other: nothing is checked, kept or made smaller. */
export async function reencode(paths: readonly string[]): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const image = await sharp(await readFile(path))
      .autoOrient()
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer()
    const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12))
    bytes += cipher.update(image).length + cipher.final().length
  }
  return bytes
}
