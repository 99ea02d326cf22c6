import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { FULL } from '../full.js'
import { chooseLight, open, readPageLog, takeScreenshot } from './browser.js'
import { setupDemo, startDemo } from './demo-harness.js'

const harness = setupDemo()

/** Chromium logs an error for a failed WebSocket connection; a page cannot suppress it. */
const isFailedConnection = (problem: string): boolean => problem.startsWith('WebSocket connection to ')

it('has no missing and no duplicate events after each fault, with each button pressed twice', async () => {
  const { page, problems } = await harness.visit('', { motion: 'no-preference' })
  const connected = () => page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const send = page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled'))
  const tally = () => page.getByTestId('tally').innerText()
  await connected()
  await send.click()

  const faults = async () => Number(/faults (\d+)/.exec(await tally())?.[1])
  for (const name of ['Drop the connection', 'Reorg 3 deep', 'Restart the node', 'Drop the next reply']) {
    const before = await faults()
    await page.getByRole('button', { name }).dblclick()
    const panel = page.getByRole('region', { name: 'Break it' }) // a command that fails says why
    await expect.poll(async () => ((await faults()) > before ? 'counted' : panel.innerText())).toBe('counted')
    await expect.poll(tally).toMatch(/balances equal to the node's/)
  }
  await expect.poll(async () => (await readPageLog(page)).connection).toContain('reconnecting')
  await connected()
  await send.click() // its reply is dropped: the payment is found in the mempool
  const steps = page.getByTestId('payment-2').locator('[data-test-reached="3"], [data-test-reached="4"]')
  await steps.waitFor()
  await expect.poll(tally).toMatch(/faults [4-8]\s+events lost 0\s+doubled 0\s+balances equal/)
  const { announcedAt } = await readPageLog(page)
  const spans = announcedAt.slice(2).map((time, index) => time - announcedAt[index]!)
  // once a second, with tolerance: a busy page may paint one announcement late
  expect(Math.min(...spans)).toBeGreaterThan(1_000)
  expect(problems.filter((problem) => !isFailedConnection(problem))).toEqual([])
})

it.runIf(FULL)('performs a reorg of three blocks right after the start, and announces it', async () => {
  const fresh = await startDemo({ blockInterval: 0 })
  const { page, problems } = await open(harness.browser, fresh.url)
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reorg 3 deep' }).click()
  await expect.poll(() => page.getByTestId('tally').innerText()).toMatch(/faults 1\s/)
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Reorg: 3 chain blocks replaced')
  expect(problems).toEqual([])
  await page.close()
  await fresh.stop()
})

it.runIf(FULL)('follows a token that is minted, sent, and taken back by a reorg, in both widths', async () => {
  const { page, problems } = await harness.visit('', { width: 1_280 })
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const panel = page.locator('#tokens')
  const amountOf = (account: number) => panel.getByTestId(`tokens-${account}`).locator('td').first().innerText()
  const amounts = async () => [await amountOf(0), await amountOf(1)]
  await panel.getByRole('button', { name: 'Mint 1 000 to account 0' }).click()
  await expect.poll(amounts).toEqual(['1\u2009000', '0'])
  await panel.getByRole('button', { name: 'Send 100 to account 1' }).click()
  await expect.poll(amounts).toEqual(['900', '100'])
  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await isTooWide()).toBe(false)
    await takeScreenshot(page, `tokens-${width}`)
  }
  await panel.getByRole('button', { name: 'Reorg it away' }).click()
  await expect.poll(amounts).toEqual(['1\u2009000', '0'])
  await expect.poll(() => page.getByTestId('tally').innerText()).toMatch(/balances equal to the node's/)
  expect(problems).toEqual([])
})

it('marks a payment as reverted by a reorg, with its sender, and counts no missing events', async () => {
  const { page, problems } = await harness.visit()
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
  const activity = page.getByTestId('activity')
  await activity.getByText('ours').first().waitFor()
  await activity.getByText('Account 0 → Account 1').first().waitFor()
  await page.getByRole('button', { name: 'Revert a payment' }).click()
  const reverted = activity.locator('li.reverted')
  await reverted.filter({ hasText: 'Account 0 → Account 1' }).first().waitFor()
  await expect.poll(() => reverted.count()).toBe(0)
  await expect.poll(() => page.getByTestId('tally').innerText()).toMatch(/events lost 0\s+doubled 0\s+balances equal/)
  expect(problems).toEqual([])
})

it.runIf(FULL)('shows unconfirmed and immature amounts below a balance', async () => {
  const fresh = await startDemo({ blockInterval: 0 })
  const { page } = await open(harness.browser, fresh.url)
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const unconfirmed = page.getByTestId('account-1').getByTestId('unconfirmed')
  await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
  await unconfirmed.getByText('12.5').waitFor()
  await page.getByRole('button', { name: 'Mine 10' }).click()
  await page.getByTestId('account-0').getByTestId('immature').waitFor()
  await unconfirmed.waitFor({ state: 'detached' })
  await takeScreenshot(page, 'demo-figures')
  await page.close()
  await fresh.stop()
})

it('ends each payment truthfully after lost replies and reverts, with sends in between', async () => {
  const { page, problems } = await harness.visit()
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  const send = page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled'))
  const payment = (number: number) => page.getByTestId(`payment-${number}`)
  const isAccepted = (number: number) => payment(number).locator('[data-test-status="accepted"]').waitFor()
  const isDoubleSpent = (number: number) => payment(number).locator('[data-test-status="double-spent"]').waitFor()

  const statusesOf = async (number: number) => (await readPageLog(page)).statuses[number] ?? []
  const isReverted = (number: number) => expect.poll(() => statusesOf(number)).toContain('conflicting')

  for (const first of [1, 3]) {
    await send.click()
    await isAccepted(first)
    await page.getByRole('button', { name: 'Drop the next reply' }).click()
    await send.click()
    await isAccepted(first + 1)
    await page.getByRole('button', { name: 'Revert a payment' }).click()
    await isReverted(first + 1)
  }
  await Promise.all([isDoubleSpent(2), isDoubleSpent(4)])
  await Promise.all([isAccepted(1), isAccepted(3)])
  for (const number of [2, 4]) {
    const statuses = await statusesOf(number)
    expect(statuses).toContain('accepted')
    expect(statuses.slice(-2)).toEqual(['conflicting', 'double-spent'])
  }
  for (const number of [1, 2, 3, 4]) {
    const text = await payment(number).innerText()
    expect(text.includes('another one has spent its UTXOs')).toBe(number % 2 === 0)
    expect(text).not.toMatch(/already accepted/)
  }
  await expect.poll(() => page.getByTestId('tally').innerText()).toMatch(/balances equal to the node's/)
  expect(problems).toEqual([])
})

it.runIf(FULL)('says why a payment was not reverted while the node restarts', async () => {
  const { page } = await harness.visit()
  await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
  await page.getByTestId('payment-1').locator('[data-test-status="accepted"]').waitFor()
  await page.evaluate(pressWhileReconnecting)
  const revert = page.locator('.command').filter({ has: page.getByRole('button', { name: 'Revert a payment' }) })
  await revert.locator('.problem').waitFor()
  expect(await revert.locator('.problem').innerText()).toMatch(
    /There is no connection to a node: The connection to ws:\/\/\S+ was lost: .+\. Await connect\(\)/,
  )
})

/** Restarts the node, and presses the other button in the task in which the page shows that it is reconnecting. */
function pressWhileReconnecting(): void {
  const press = (name: string): void =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)?.click()
  const state = document.querySelector('[data-test=connection]')
  const observer = new MutationObserver(() => {
    if (!state?.textContent.trim().startsWith('reconnecting')) return
    observer.disconnect()
    press('Revert a payment')
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  press('Restart the node')
}

it('shares one connection between tabs, also after the tab that opened it was closed', async () => {
  const context = await harness.browser.newContext({ viewport: { width: 1280, height: 900 } })
  await chooseLight(context)
  const openTab = async () => {
    const page = await context.newPage()
    await page.goto(harness.demo.url)
    return page
  }
  const connection = (page: Page, text: string) =>
    page.getByTestId('connection').getByText(text, { exact: true }).waitFor()
  const score = async (page: Page) => Number((await page.getByTestId('daa-score').innerText()).replaceAll(/\D/g, ''))

  const first = await openTab()
  await connection(first, 'connected')
  await first.getByRole('group', { name: 'Share between tabs' }).getByText('On').click()
  await connection(first, 'connected, shared by 1 tab')
  const second = await openTab()
  await connection(second, 'connected, shared by 2 tabs')
  await connection(first, 'connected, shared by 2 tabs')
  await takeScreenshot(second, 'shared-tabs')
  await first.close()
  await connection(second, 'connected, shared by 1 tab')
  const before = await score(second)
  await expect.poll(() => score(second)).toBeGreaterThan(before)
  await context.close()
})
