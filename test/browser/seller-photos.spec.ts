import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { drawFront } from '#demo/draw-card.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
import { forgive, pressAnyway, signedUp, TRACE_OF_PICTURES } from './sellers.ts'
import { amazon, files, fillIn, picker, small, submit, toForm, visa } from './selling.ts'

test('photos can be dropped, pasted, rotated and removed', async ({ page }) => {
  await signedUp(page)
  await toForm(page, visa)
  const bytes = [...(await small(320, 200))]
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(content)], 'back.jpg', { type: 'image/jpeg' }))
    return data
  }, bytes)
  await page
    .getByRole('button', { name: 'Back', exact: true })
    .dispatchEvent('drop', { dataTransfer: transfer })
  const back = page.getByRole('img', { name: 'Back' })
  await expect(back).toBeVisible()
  await expect(page.getByRole('button', { name: 'Front', exact: true })).toBeVisible()
  await page.evaluate((content) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(content)], 'front.jpg', { type: 'image/jpeg' }))
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, bytes)
  await expect(page.getByRole('img', { name: 'Front' })).toBeVisible()
  await expect(submit(page)).toHaveText('Submit for Review')

  const shape = () => back.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
  await expect.poll(shape).toEqual([320, 200])
  await page.getByRole('button', { name: 'Rotate Back' }).click()
  await expect.poll(shape).toEqual([200, 320])
  await page.getByRole('button', { name: 'Remove Back' }).click()
  await expect(submit(page)).toHaveText('Upload Front & Back Images Required')
})

test('the form shows good and bad photos, and warns of one that cannot be read', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  const examples = page.getByRole('list', { name: 'Example photos' })
  await expect(examples.getByRole('img')).toHaveCount(4)
  const drawn = await drawFront({ brandName: 'Amazon', number: '6006 4930 1234 5678', seed: 1 })
  const photo = async (name: string, picture: Sharp) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await picture.jpeg().toBuffer(),
  })
  const blurry = await photo('blurry.jpg', sharp(drawn).blur(10))
  await picker(page).setInputFiles([blurry, await photo('dark.jpg', sharp(drawn).linear(0.2, 0))])
  await expect(examples).toHaveCount(0)
  await expect(page.getByText('This photo looks blurry: Photo 1')).toBeVisible()
  await expect(page.getByText('This photo looks dark: Photo 2')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Take another' }).first().click()
  await (await chooser).setFiles([await photo('sharp.jpg', sharp(drawn))])
  await expect(page.getByText('This photo looks blurry')).toHaveCount(0)
  await page.getByRole('button', { name: 'Use it anyway' }).click()
  await page.getByRole('button', { name: 'Rotate Photo 2' }).click()
  await expect(page.getByText('Preparing photos...')).toHaveCount(0)
  await expect(page.getByText(/This photo looks/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2)
})

test('a card can be submitted once its second photo is ready, and the button says so until then', async ({
  page,
}) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await page.evaluate(() => {
    const decode = globalThis.createImageBitmap
    const ready = new Promise((resolve) => addEventListener('second-photo', resolve, { once: true }))
    let count = 0
    const decodeLater = async (image: ImageBitmapSource, options?: ImageBitmapOptions) => {
      count += 1
      if (count === 2) await ready
      return decode(image, options)
    }
    Object.assign(globalThis, { createImageBitmap: decodeLater })
  })
  await picker(page).setInputFiles(await files(2))
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await expect(submit(page)).toHaveText('Preparing photos...')
  await pressAnyway(submit(page))
  await page.evaluate(() => dispatchEvent(new Event('second-photo')))
  await expect(page.getByRole('img', { name: 'Photo 2' })).toBeVisible()
  await submit(page).click()
  await expect(page).toHaveURL(/\/confirmation\?/)
})

test('pasting a spreadsheet cell pastes text, not its picture', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await page.getByLabel('Card number').focus()
  const bytes = [...(await small())]
  const paste = (into: string, types: readonly string[]) =>
    page.evaluate(
      ({ into, types, bytes }) => {
        const data = new DataTransfer()
        for (const type of types) data.setData(type, '6006 4930')
        data.items.add(new File([new Uint8Array(bytes)], `${into}.png`, { type: 'image/jpeg' }))
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
        document.querySelector(into)?.dispatchEvent(event)
      },
      { into, types, bytes },
    )
  const photos = page.getByRole('button', { name: /^Remove/ })
  await paste('[name=cardNumber]', ['text/plain', 'text/html'])
  await paste('main', ['text/plain', 'text/html'])
  await paste('[name=submissionNotes]', ['text/plain'])
  // An image copied from a web page has markup.
  await paste('main', ['text/html'])
  await expect(photos).toHaveCount(1)
  await paste('[name=cardNumber]', [])
  await expect(photos).toHaveCount(2)
})

test('a photo that is chosen again is not added twice', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  const photos = await files(2)
  await picker(page).setInputFiles(photos.slice(0, 1))
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await picker(page).setInputFiles(photos)
  await expect(page.getByText('Photos that are already here were not added again.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2)
})

test('only ten of thirty photos are added, and files that are not images are refused', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await picker(page).setInputFiles(await files(30))
  await expect(page.getByText('No more than 10 photos can be added. 20 more were left out.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(10)
  await expect(page.getByText('10 photos are very small.')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  const heightOf = async (name: string) => (await page.getByText(name, { exact: true }).boundingBox())?.height
  expect(await heightOf('Photo 10')).toBe(await heightOf('Photo 9'))
  const remove = page.getByRole('button', { name: /^Remove/ })
  await remove.first().click()
  await picker(page).setInputFiles({
    name: 'a.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF'),
  })
  await expect(page.getByText('Only images can be added.')).toBeVisible()
  await expect(remove).toHaveCount(9)
  await expect(page.getByText('9 photos are very small.')).toBeVisible()
})

test('large photos are resized, HEIC is sent unchanged, and each shows its progress', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await toForm(page, amazon)
  const heic = await readFile(join(import.meta.dirname, '../files/iphone.heic'))
  const large = await small(6000, 4500)
  await picker(page).setInputFiles([
    { name: 'large.jpg', mimeType: 'image/jpeg', buffer: large },
    { name: 'IMG_0042.HEIC', mimeType: 'image/heic', buffer: heic },
  ])
  const shown = page.getByRole('img', { name: 'Photo 1' })
  await expect
    .poll(() =>
      shown.evaluate((image: HTMLImageElement) => Math.max(image.naturalWidth, image.naturalHeight)),
    )
    .toBe(4096)
  await expect(page.getByText('IMG_0042.HEIC')).toBeVisible()
  // The amount stays visible while the form is filled in.
  await page.getByLabel('Account holder name').scrollIntoViewIfNeeded()
  await expect(page.getByRole('region', { name: 'Your quote' }).getByText('$93.00')).toBeInViewport()

  await page.getByLabel('Card number').fill('6006 4930 1234 5678')
  await page.getByLabel('Payment method').selectOption('Venmo')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Account information').fill('@sally')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/gift-cards', async (route) => {
    await held
    await route.continue()
  })
  await submit(page).click()
  await expect(submit(page)).toHaveText('Submitting...')
  await expect(page.getByRole('progressbar', { name: 'Upload of Photo 1' })).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Upload of Photo 2' })).toBeVisible()
  answer()
  await expect(page.getByText('Pending Review')).toBeVisible({ timeout: 30_000 })
  forgive(complaints, TRACE_OF_PICTURES)
})
