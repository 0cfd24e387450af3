import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { drawBack, drawFront } from '#demo/draw-card.ts'
import { phonePhoto } from '#test/browser/photos.ts'
import { sample } from '#test/sample-photos.ts'
import { photo } from '#test/submissions.ts'
import { judge } from './doubt.ts'

async function doubtAbout(picture: Sharp) {
  const { data, info } = await picture
    .resize({ width: 800, height: 800, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return judge(new Uint8Array(data), info.width)
}

/** A dark card on a dark table, and a white one on a white table. */
const card = (table: string, face: string, ink: string) =>
  sharp(
    Buffer.from(`<svg width="4000" height="3000" xmlns="http://www.w3.org/2000/svg">
      <rect width="100%" height="100%" fill="${table}"/>
      <rect x="500" y="600" width="3000" height="1800" rx="120" fill="${face}"/>
      <text x="700" y="1900" font-family="monospace" font-size="160" fill="${ink}">6006 4930 1234 5678</text>
    </svg>`),
  )

const cards = {
  'a phone photo': async () => sharp(await phonePhoto()),
  'a black card': async () => card('#101010', '#1a1a1a', '#eeeeee'),
  'a white card': async () => card('#dddddd', '#f4f4f4', '#222222'),
}

test.each(Object.entries(cards))('trusts a sharp photo of %s, and doubts a blurred one', async (_, take) => {
  const sharpPhoto = await take()
  expect(await doubtAbout(sharpPhoto.clone())).toBeUndefined()
  const shaken = await sharpPhoto.clone().blur(4).jpeg().toBuffer()
  expect(await doubtAbout(sharp(shaken))).toBeUndefined()
  const blurred = await sharpPhoto.clone().blur(20).jpeg().toBuffer()
  expect(await doubtAbout(sharp(blurred))).toBe('blurry')
})

test('doubts a photo taken in the dark', async () => {
  const phone = sharp(await phonePhoto())
  for (const light of [0.2, 0.08]) {
    const dim = await phone.clone().linear(light, 0).jpeg().toBuffer()
    expect(await doubtAbout(sharp(dim))).toBe('dark')
  }
  const evening = await phone.clone().linear(0.5, 0).jpeg().toBuffer()
  expect(await doubtAbout(sharp(evening))).toBeUndefined()
})

test('trusts pictures without anything that could be sharp, and the pictures of the demo and of tests', async () => {
  const drawn = { brandName: 'Amazon', number: '6006 4930 1234 5678', pin: '9876' }
  const pictures = [sharp(await photo()), sample(320, 240)]
  for (const seed of [1, 2, 3, 4, 5]) pictures.push(sharp(await drawFront({ ...drawn, seed })))
  pictures.push(sharp(await drawBack({ ...drawn, seed: 1 })))
  for (const picture of pictures) expect(await doubtAbout(picture)).toBeUndefined()
})
