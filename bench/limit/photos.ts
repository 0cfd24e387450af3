import { createCipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/**
 * Photos decoded, encoded anew and sealed, one after the other: nothing is checked or kept.
 * @param whole makes of each what the product makes of it: the small picture and the 64 bits that find similar ones
 */
export async function reencode(paths: readonly string[], whole: boolean): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const image = await sharp(await readFile(path))
      .autoOrient()
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer()
    bytes += sealed(image)
    if (whole) bytes += await smaller(image)
  }
  return bytes
}

async function smaller(image: Buffer): Promise<number> {
  const { data, info } = await sharp(image)
    .resize({ width: 320, height: 320, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const small = () => sharp(data, { raw: info })
  const grays = await small()
    .greyscale()
    .resize({ width: 72, height: 64, fit: 'fill' })
    .blur(4)
    .raw()
    .toBuffer()
  return grays.length + sealed(await small().jpeg({ quality: 80, optimiseCoding: false }).toBuffer())
}

function sealed(bytes: Buffer): number {
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12))
  return cipher.update(bytes).length + cipher.final().length
}
