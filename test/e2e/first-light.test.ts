import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readDiary } from './browser.js'
import { raiseDemo } from './demo-stage.js'

const stage = raiseDemo(['--port', '0', '--block-interval', '0'])

/** The figures of an account's line, in KAS, as soon as there are any. */
const balanceOf = async (page: Page, index: number): Promise<number> => {
  const text = await page.getByTestId(`account-${index}`).locator('.balance').filter({ hasText: /\d/ }).innerText()
  return Number(/[\d\s.]+/.exec(text)?.[0].replaceAll(/\s/g, '') ?? NaN)
}
const tally = (page: Page): Promise<string> => page.getByTestId('tally').innerText()

/** Has the network mine, which it does not by itself: enough for what is in the mempool to be accepted. */
async function mine(): Promise<void> {
  const control = /control (\S+)/.exec(stage.demo.greeting)?.[1] ?? ''
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch(`${control}/mine`, { method: 'POST', headers, body: '{"blocks":3}' })
  expect(ok).toBe(true)
}

const connected = (page: Page) => page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()

describe.each(['Borsh', 'JSON'])('a payment over %s', (encoding) => {
  it('goes from the button to both balances, and survives the loss of the connection', async () => {
    const { page, complaints, sockets } = await stage.visit()
    await page.getByRole('radio', { name: encoding }).check({ force: true })
    await connected(page)
    await expect.poll(() => balanceOf(page, 0)).toBeGreaterThan(0)
    const [payer, payee] = await Promise.all([balanceOf(page, 0), balanceOf(page, 1)])

    await page.getByLabel('Amount').fill('12.5')
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).click()
    await expect.poll(async () => (await readDiary(page)).steps).toEqual(expect.arrayContaining([1, 2]))
    await mine() // not before the mempool has been seen to hold it
    await expect.poll(() => balanceOf(page, 1)).toBeCloseTo(payee + 12.5, 8)
    await expect.poll(() => balanceOf(page, 0)).toBeLessThan(payer - 12.5)
    await expect.poll(async () => (await readDiary(page)).steps).toEqual(expect.arrayContaining([1, 2, 3]))
    await page.getByTestId('activity').getByText('ours').first().waitFor()

    await page.getByRole('button', { name: 'Drop the connection' }).click()
    await expect.poll(async () => (await readDiary(page)).connection).toContain('reconnecting')
    await mine()
    await connected(page)
    await expect.poll(() => tally(page)).toMatch(/faults 1\s+events lost 0\s+doubled 0\s+balances equal to the node's/)
    expect(await balanceOf(page, 1)).toBeCloseTo(payee + 12.5, 8)

    expect(sockets.at(-1)).toBe(`${new RegExp(`${encoding} (\\S+)`).exec(stage.demo.greeting)?.[1]}/`)
    await page.screenshot({ path: `test-results/demo-${encoding}.png`, fullPage: true })
    expect(complaints).toEqual([])
    await page.close()
  })
})

/** How long the WASM file waits for live data, in ms. */
const PATIENCE = 2_000

it('shows live data before the WASM file is asked for, unless that takes longer than it waits', async () => {
  const { page } = await stage.visit()
  const askedFor = () =>
    page.evaluate(() => performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.wasm'))?.startTime)
  await expect.poll(askedFor).toBeDefined()
  await expect.poll(async () => (await readDiary(page)).painted).toBeDefined()
  const { painted } = await readDiary(page)
  expect(Math.min(painted!, PATIENCE)).toBeLessThan((await askedFor())!)
  await page.close()
})

it('sends by keyboard alone', async () => {
  const { page, complaints } = await stage.visit()
  await connected(page)
  const payee = await balanceOf(page, 1)
  const amount = page.getByLabel('Amount')
  await tabTo(page, () => amount.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('3')
  await page.getByRole('button', { name: 'Send 3 KAS' }).and(page.locator(':enabled')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByTestId('payment-1').locator('[data-test-reached="2"]').waitFor()
  await mine()
  await expect.poll(() => balanceOf(page, 1)).toBeCloseTo(payee + 3, 8)
  expect(complaints).toEqual([])
  await page.close()
})

/** Presses Tab until `isThere`; a page that cannot be walked through fails. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 100; step++) {
    await page.keyboard.press('Tab')
    if (await isThere()) return
  }
  throw new Error('Tab never came there')
}
