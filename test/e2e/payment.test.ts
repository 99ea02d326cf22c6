import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readPageLog, takeScreenshot } from './browser.js'
import { setupDemo } from './demo-harness.js'

const harness = setupDemo({ blockInterval: 0 })

/** The balance in an account's row, in KAS, once it is shown. */
const balanceOf = async (page: Page, index: number): Promise<number> => {
  const text = await page.getByTestId(`account-${index}`).locator('.balance').filter({ hasText: /\d/ }).innerText()
  return Number(/[\d\s.]+/.exec(text)?.[0].replaceAll(/\s/g, '') ?? NaN)
}
const tally = (page: Page): Promise<string> => page.getByTestId('tally').innerText()

/** Mines enough blocks for the mempool transactions to be accepted; the network does not mine by itself. */
const mine = (): Promise<unknown> => harness.demo.devnode.mine(3)

/** Chooses the code that derives keys and signs; another one than the current one reloads the page. */
async function chooseSdk(page: Page, name: string): Promise<void> {
  const choice = page.getByRole('group', { name: 'Keys and signatures' }).getByRole('radio', { name })
  if (!(await choice.isChecked())) await Promise.all([page.waitForEvent('load'), choice.check({ force: true })])
}

const connected = (page: Page) => page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()

describe.each([
  { encoding: 'Borsh', sdk: 'WASM' },
  { encoding: 'JSON', sdk: 'light' },
])('a payment over $encoding, signed by $sdk', ({ encoding, sdk }) => {
  it('updates both balances, and stays after a reconnect', async () => {
    const { page, problems, sockets } = await harness.visit('', { sdk: 'wasm' })
    await chooseSdk(page, sdk)
    await connected(page) // browsers warn about a socket that is closed while it connects
    await page.getByRole('radio', { name: encoding }).check({ force: true })
    await connected(page)
    await expect.poll(() => balanceOf(page, 0)).toBeGreaterThan(0)
    const [payer, payee] = await Promise.all([balanceOf(page, 0), balanceOf(page, 1)])

    await page.getByLabel('Amount').fill('12.5')
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).click()
    await expect.poll(async () => (await readPageLog(page)).steps).toEqual(expect.arrayContaining([1, 2]))
    await mine() // after the page has shown it in the mempool
    await expect.poll(() => balanceOf(page, 1)).toBeCloseTo(payee + 12.5, 8)
    await expect.poll(() => balanceOf(page, 0)).toBeLessThan(payer - 12.5)
    await expect.poll(async () => (await readPageLog(page)).steps).toEqual(expect.arrayContaining([1, 2, 3]))
    await page.getByTestId('activity').getByText('ours').first().waitFor()

    await page.getByRole('button', { name: 'Drop the connection' }).click()
    await expect.poll(async () => (await readPageLog(page)).connection).toContain('reconnecting')
    await mine()
    await connected(page)
    await expect.poll(() => tally(page)).toMatch(/faults 1\s+events lost 0\s+doubled 0\s+balances equal to the node's/)
    await expect.poll(() => balanceOf(page, 1)).toBeCloseTo(payee + 12.5, 8)

    const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(files.filter((name) => name.endsWith('.wasm'))).toHaveLength(sdk === 'WASM' ? 1 : 0)
    const { borsh, json } = harness.demo.devnode.urls
    expect(sockets.at(-1)).toBe(`${encoding === 'Borsh' ? borsh : json}/`)
    await takeScreenshot(page, `demo-${encoding}`)
    expect(problems).toEqual([])
  })
})

/** Maximum delay of the WASM request for live data, ms. */
const WASM_DELAY = 2_000

it('requests the WASM file after live data is shown, or after the maximum delay', async () => {
  const { page } = await harness.visit('', { sdk: 'wasm' })
  const wasmRequestTime = () =>
    page.evaluate(() => performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.wasm'))?.startTime)
  await expect.poll(wasmRequestTime).toBeDefined()
  await expect.poll(async () => (await readPageLog(page)).paintedAt).toBeDefined()
  const { paintedAt } = await readPageLog(page)
  expect(Math.min(paintedAt!, WASM_DELAY)).toBeLessThan((await wasmRequestTime())!)
})

it('sends by keyboard alone', async () => {
  const { page, problems } = await harness.visit()
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
  expect(problems).toEqual([])
})

/** Presses Tab until `isFocused` resolves to true; throws after 100 steps. */
async function tabTo(page: Page, isFocused: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 100; step++) {
    await page.keyboard.press('Tab')
    if (await isFocused()) return
  }
  throw new Error('Tab did not reach the element')
}
