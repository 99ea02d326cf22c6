import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, open, readDiary } from './browser.js'
import { startDemo, type DemoProcess } from './demo-process.js'

let browser: Browser
let demo: DemoProcess

beforeAll(async () => {
  ;[browser, demo] = await Promise.all([launch(), startDemo()])
})
afterAll(async () => {
  await browser.close()
  await demo.stop()
})

/** What Chromium itself says when a dial is refused; no page can keep it from doing so. */
const isRefusedDial = (complaint: string): boolean => complaint.includes('ERR_CONNECTION_REFUSED')

it('loses nothing and doubles nothing, whatever is broken, each button pressed twice', async () => {
  const { page, complaints } = await open(browser, demo.url)
  const connected = () => page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const send = page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled'))
  const tally = () => page.getByTestId('tally').innerText()
  await connected()
  await page.getByRole('button', { name: 'Mine 10' }).click() // a chain too short for the reorg refuses it, rightly
  await send.click()

  const faults = async () => Number(/faults (\d+)/.exec(await tally())?.[1])
  for (const name of ['Drop the connection', 'Reorg 3 deep', 'Restart the node', 'Lose the next reply']) {
    const before = await faults()
    await page.getByRole('button', { name }).dblclick()
    await expect.poll(faults, { timeout: 20_000 }).toBeGreaterThan(before)
    await expect.poll(tally, { timeout: 20_000 }).toMatch(/balances equal to the node's/)
  }
  await expect.poll(async () => (await readDiary(page)).connection, { timeout: 10_000 }).toContain('reconnecting')
  await connected()
  await send.click() // its reply is lost: the payment is found all the same
  const steps = page.getByTestId('payment-2').locator('[data-test-reached="3"], [data-test-reached="4"]')
  await steps.waitFor({ timeout: 20_000 })
  await expect.poll(tally, { timeout: 10_000 }).toMatch(/faults [4-8]\s+events lost 0\s+doubled 0\s+balances equal/)
  const { spoken } = await readDiary(page)
  const pauses = spoken.slice(1).map((time, index) => time - spoken[index]!)
  expect(Math.min(...pauses)).toBeGreaterThan(950) // once a second, as exactly as timers are
  expect(complaints.filter((complaint) => !isRefusedDial(complaint))).toEqual([])
  await page.close()
})
