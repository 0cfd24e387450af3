import { expect, test } from './fixtures.ts'
import { expectAccessible, expectNoHorizontalScroll } from './looks.ts'
import { asStaff, move, signedUp, submitCard } from './sellers.ts'
import { screens } from './staff-people.ts'

test('reports show what was done, as charts, tables and files, also by keyboard', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const paid = await submitCard(page)
  await submitCard(page)
  await move(staffPage, paid, 'processing')
  await move(staffPage, paid, 'completed')
  await move(staffPage, await submitCard(page), 'rejected', 'Blurry')
  const [volume] = await (
    await staffPage.request.get(`/api/admin/reports/volume?from=${today()}&to=${today()}`)
  ).json()

  await staffPage.goto('/admin')
  const pace = staffPage.getByRole('link', { name: `${volume.submissions} received today` })
  await expect(pace).toHaveAttribute('href', '/admin/reports')
  await screens(staffPage).getByRole('link', { name: 'Reports' }).click()
  const submissions = staffPage.getByRole('region', { name: 'Submissions', exact: true })
  await expect(submissions).toContainText(`${volume.submissions} submitted, with a face value of $`)

  // One day with decisions is no line.
  const rate = staffPage.getByRole('region', { name: 'Approval rate' })
  await expect(rate.getByRole('application')).toHaveCount(0)
  await expect(rate).toContainText(/\d+ of \d+ decisions? approved the card \([\d.]+%\)/)

  // From the first of 30 days to today.
  const chart = submissions.getByRole('application')
  await chart.focus()
  for (let day = 0; day < 31; day++) await staffPage.keyboard.press('ArrowRight')
  await expect(submissions).toContainText(`Submissions: ${volume.submissions}`)

  const asTable = staffPage.getByRole('button', { name: 'Submissions as a table' })
  await asTable.focus()
  await staffPage.keyboard.press('Enter')
  const lastRow = submissions.getByRole('row').last()
  await expect(lastRow).toContainText(
    `${volume.submissions}$${Number(volume.faceValue).toLocaleString('en-US')}`,
  )
  await expect(submissions.getByRole('application')).toHaveCount(0)
  await expectAccessible(staffPage)

  const download = staffPage.waitForEvent('download')
  await staffPage.getByRole('link', { name: 'Approval rate as CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^approval_rate-.*\.csv$/)

  await staffPage.getByRole('radio', { name: 'Month' }).click()
  await expect(staffPage).toHaveURL(/by=month/)
  await expect(submissions.getByRole('row')).not.toHaveCount(31)
  await staffPage.getByLabel('From').fill('2010-01-01')
  await expect(staffPage.getByLabel('From')).toHaveAccessibleDescription('At most 1,830 days by month')
  await staffPage.goto('/admin/reports?from=2020-01-01&to=2020-01-31')
  await expect(staffPage.getByText('No payouts came back in this period')).toBeVisible()
  await staffPage.setViewportSize({ width: 360, height: 740 })
  await staffPage.goto('/admin/reports')
  await expect(staffPage.getByRole('application').first()).toBeVisible()
  await expectNoHorizontalScroll(staffPage)
  // Other tests on this server may return payouts today.
  await staffPage.goto('/admin/reports?from=2020-01-01&to=2020-01-05')
  await expect(staffPage.getByText('No payouts came back in this period')).toBeVisible()
})

test('long reasons fit beside the bars of a chart', async ({ staffPage }) => {
  await asStaff(staffPage)
  const reasons = [
    'The bank account is closed',
    'PayPal says that this account cannot receive payments',
    'The bank returned the payment because the name of the recipient does not match the account. '.repeat(3),
  ]
  const json = reasons.map((code) => ({ period: today(), code, payouts: 1, amount: '93.00' }))
  await staffPage.route('**/api/admin/reports/returns?*', (route) => route.fulfill({ json }))
  for (const width of [360, 1440]) {
    await staffPage.setViewportSize({ width, height: 900 })
    await staffPage.goto('/admin/reports')
    const chart = staffPage.getByRole('region', { name: 'Returned payouts' }).getByRole('application')
    const labels = chart.locator('.recharts-yAxis-tick-labels text')
    await expect(labels).toHaveText([/closed$/, /payments$/, /…$/])
    const { y = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    const edges = await labels.evaluateAll((texts) =>
      texts.map((text) => text.getBoundingClientRect()).flatMap(({ top, bottom }) => [top, bottom]),
    )
    expect([y, ...edges, y + height]).toEqual([y, ...edges, y + height].toSorted((one, other) => one - other))
  }
})

const today = () => new Date().toISOString().slice(0, 10)
