import { expect, it } from 'vitest'
import { open, readDiary } from './browser.js'
import { startDemo } from './demo-process.js'
import { raiseDemo } from './demo-stage.js'

const stage = raiseDemo()

/** What Chromium itself says when a dial fails, refused or cut short; no page can keep it from doing so. */
const isFailedDial = (complaint: string): boolean => complaint.startsWith('WebSocket connection to ')

it('loses nothing and doubles nothing, whatever is broken, each button pressed twice', async () => {
  const { page, complaints } = await stage.visit()
  const connected = () => page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const send = page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled'))
  const tally = () => page.getByTestId('tally').innerText()
  await connected()
  await send.click()

  const faults = async () => Number(/faults (\d+)/.exec(await tally())?.[1])
  for (const name of ['Drop the connection', 'Reorg 3 deep', 'Restart the node', 'Lose the next reply']) {
    const before = await faults()
    await page.getByRole('button', { name }).dblclick()
    await expect.poll(faults).toBeGreaterThan(before)
    await expect.poll(tally).toMatch(/balances equal to the node's/)
  }
  await expect.poll(async () => (await readDiary(page)).connection).toContain('reconnecting')
  await connected()
  await send.click() // its reply is lost: the payment is found all the same
  const steps = page.getByTestId('payment-2').locator('[data-test-reached="3"], [data-test-reached="4"]')
  await steps.waitFor()
  await expect.poll(tally).toMatch(/faults [4-8]\s+events lost 0\s+doubled 0\s+balances equal/)
  const { spoken } = await readDiary(page)
  const spans = spoken.slice(2).map((time, index) => time - spoken[index]!)
  expect(Math.min(...spans)).toBeGreaterThan(1_000) // once a second: a page that is busy may paint one sentence late
  expect(complaints.filter((complaint) => !isFailedDial(complaint))).toEqual([])
  await page.close()
})

it('reorganizes three deep as soon as it stands, and shows the strong line moving', async () => {
  const fresh = await startDemo(['--port', '0', '--block-interval', '0'])
  const { page, complaints } = await open(stage.browser, fresh.url)
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reorg 3 deep' }).click()
  await expect.poll(() => page.getByTestId('tally').innerText()).toMatch(/faults 1\s/)
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Reorg: 3 chain blocks replaced')
  expect(complaints).toEqual([])
  await page.close()
  await fresh.stop()
})

it('strikes a payment out that a reorg reverts, with its sender, and counts nothing as lost', async () => {
  const { page, complaints } = await stage.visit()
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
  const activity = page.getByTestId('activity')
  await activity.getByText('ours').first().waitFor()
  await activity.getByText('Account 0 → Account 1').first().waitFor()
  await page.getByRole('button', { name: 'Revert a payment' }).click()
  const struck = activity.locator('li.reverted')
  await struck.filter({ hasText: 'Account 0 → Account 1' }).first().waitFor()
  await expect.poll(() => struck.count()).toBe(0)
  await expect.poll(() => page.getByTestId('tally').innerText()).toMatch(/events lost 0\s+doubled 0\s+balances equal/)
  expect(complaints).toEqual([])
  await page.close()
})

it('shows beside a balance what is coming, and what ripens', async () => {
  const fresh = await startDemo(['--port', '0', '--block-interval', '0'])
  const { page } = await open(stage.browser, fresh.url)
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const coming = page.getByTestId('account-1').getByTestId('coming')
  await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
  await coming.getByText('12.5').waitFor()
  await page.getByRole('button', { name: 'Mine 10' }).click()
  await page.getByTestId('account-0').getByTestId('ripening').waitFor()
  await coming.waitFor({ state: 'detached' })
  await page.screenshot({ path: 'test-results/demo-figures.png', fullPage: true })
  await page.close()
  await fresh.stop()
})
