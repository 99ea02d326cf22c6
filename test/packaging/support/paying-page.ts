import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Devnode } from '../../../src/devnode/index.js'

/**
 * Messages of Chromium, Vite and Vue that are no problem of the page; a busy machine may reset a socket, which is
 * dialled again.
 */
const NOISE =
  /\[vite\] connect|Download the Vue Devtools|<Suspense> is an experimental|^Feature flags __VUE|^WebSocket connection to/

/** A page of a fixture with its problems: warnings and errors of the console, uncaught exceptions. */
export interface FixturePage {
  readonly page: Page
  readonly problems: readonly string[]
  /** URLs of the requests of the page. */
  readonly requested: readonly string[]
}

export async function openFixture(browser: Browser, url: string): Promise<FixturePage> {
  const page = await browser.newPage()
  const problems: string[] = []
  const requested: string[] = []
  page.on('console', (message) => {
    const isProblem = message.type() === 'warning' || message.type() === 'error'
    if (isProblem && !NOISE.test(message.text())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(url)
  return { page, problems, requested }
}

/** The query of a page that pays from one account of devnode to another. Each payment has its own accounts. */
export function paymentQuery(devnode: Devnode, payer: number): string {
  const [from, to] = [devnode.accounts[2 * payer]!, devnode.accounts[2 * payer + 1]!]
  return String(new URLSearchParams({ key: from.privateKeyHex, from: from.address, to: to.address }))
}

/** Waits until the DAA score of a page advances, pays, and waits until the payment is accepted. */
export async function expectLiveAndPaid({ page }: FixturePage): Promise<void> {
  const score = async (): Promise<number> => Number(await page.textContent('#score'))
  await expect.poll(score).toBeGreaterThan(0)
  const first = await score()
  await expect.poll(score).toBeGreaterThan(first)
  await page.click('#pay') // enabled once the UTXOs are known
  const outcome = async (): Promise<string> =>
    `${await page.textContent('#status')}${await page.textContent('#failure')}`
  await expect.poll(outcome).toMatch(/^(accepted|confirmed)$/)
}
