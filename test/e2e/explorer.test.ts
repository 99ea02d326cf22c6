import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DAY, setupDemo } from './demo-harness.js'

const harness = setupDemo({ past: DAY })

/** The account's address from the meta element of the page. */
const addressOf = (page: Page, index: number): Promise<string> =>
  page.evaluate((at) => {
    const head = document.querySelector<HTMLMetaElement>('meta[name=devnode]')?.content ?? '{}'
    return (JSON.parse(head) as { accounts: { address: string }[] }).accounts[at]?.address ?? ''
  }, index)

/** Chromium logs an error for a 404 response; a page cannot suppress it. */
const isNotFound = (problem: string): boolean => problem.includes('404 (Not Found)')

/** Fills in the search box and presses Enter. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByTestId('search').fill(text)
  await page.keyboard.press('Enter')
}

/** Pays an account from the faucet, on a separate page. */
async function payFromFaucet(account: number): Promise<void> {
  const { page } = await harness.visit()
  await page.getByTestId(`account-${account}`).getByRole('button').first().click()
  const paid = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: /^Faucet/ }).click()
  await paid
}

const toNumber = (figure: string): number => Number(figure.replace(/\D/g, ''))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const routeOf = (page: Page): string => new URL(page.url()).hash
const subjectOf = (page: Page): Promise<string> => page.getByTestId('subject').innerText()

describe('the explorer', () => {
  it('shows a payment made over RPC, and links transaction, address and block', async () => {
    const { page, problems } = await harness.visit()
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
    const ours = page.getByTestId('activity').locator('li').filter({ hasText: 'ours' })
    const id = (await ours.first().getByRole('link').first().getAttribute('title')) ?? ''
    await ours.getByTitle(id).first().click()

    await page.getByTestId('status').getByText('accepted', { exact: true }).waitFor()
    expect([routeOf(page), await subjectOf(page)]).toEqual([`#/explorer/transaction/${id}`, id])
    const to = page.getByRole('region', { name: 'Outputs' })
    await to.getByRole('row').filter({ hasText: '12.5 KAS' }).getByRole('link').click()
    await expect.poll(() => subjectOf(page)).toBe(await addressOf(page, 1))
    await page.getByRole('link', { name: id.slice(0, 6) }).click()

    await page.getByRole('definition').getByRole('link').first().click()
    await page.getByText('Selected parent').waitFor()
    expect(routeOf(page)).toMatch(/^#\/explorer\/block\/[0-9a-f]{64}$/)
    await page.goBack()
    await expect.poll(() => subjectOf(page)).toBe(id)
    expect(problems).toEqual([])
  })

  it('moves nothing when the figures of the network arrive', async () => {
    const { page, problems } = await harness.visit()
    let arrive = (): void => undefined
    const held = new Promise<void>((resolve) => (arrive = resolve))
    await page.route(/\/info\/|\/transactions\/count\//, (route) => held.then(() => route.continue()))
    const tops = () =>
      page
        .locator('section')
        .evaluateAll((panels) => panels.map((panel) => Math.round(panel.getBoundingClientRect().y)))
    await page.getByRole('link', { name: 'Explorer', exact: true }).click()
    await page.getByRole('heading', { name: 'Hash rate' }).waitFor()
    const before = await tops()
    arrive()
    await page
      .getByText(/^\d+ figures/)
      .nth(2)
      .waitFor()
    expect(before.length).toBeGreaterThan(5)
    expect(await tops()).toEqual(before)
    expect(problems).toEqual([])
  })

  it('finds an address, a transaction and a block by one search box, and names its kind', async () => {
    const { page, problems } = await harness.visit('#/explorer')
    const hint = page.getByTestId('search-hint')
    const block =
      (await page
        .getByRole('region', { name: 'Table of the last chain blocks' })
        .getByRole('link')
        .first()
        .getAttribute('title')) ?? ''
    const address = await addressOf(page, 5)
    await page.getByTestId('search').fill(address)
    await expect.poll(() => hint.innerText()).toBe('An address.')
    await page.keyboard.press('Enter')
    await page.getByTestId('balance').getByText('KAS').waitFor()
    const id =
      (await page
        .getByRole('region', { name: /^Transactions of/ })
        .getByRole('link')
        .first()
        .getAttribute('title')) ?? ''

    await search(page, id.toUpperCase())
    await page.getByTestId('status').waitFor()
    expect([routeOf(page), await hint.innerText()]).toEqual([`#/explorer/transaction/${id}`, 'A transaction id.'])
    await search(page, ` ${block} `)
    await page.getByText('Selected parent').waitFor()
    expect([routeOf(page), await hint.innerText()]).toEqual([`#/explorer/block/${block}`, 'A block hash.'])
    await search(page, 'ab'.repeat(32))
    await page.getByTestId('not-found').waitFor()
    expect(problems.filter((problem) => !isNotFound(problem))).toEqual([])
  })

  it.each([
    ['kaspasim:qqqq', /^Invalid address/],
    ['kaspa:qq2pfqdlzxq76cd2qf03lecg76xtqxxze8twkuvuek2t8ahlv9fssgcml7rl2', /another network; this page uses simnet/],
    ['ab'.repeat(31), /^A hash has 64 hex digits, not 62\.$/],
    ['not a hash', /^Neither an address nor a hash/],
  ])('rejects the search text %s without a request', async (text, problem) => {
    const { page, problems } = await harness.visit(`#/explorer/${encodeURIComponent(text)}`)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await expect.poll(() => page.getByTestId('search-hint').innerText()).toMatch(problem)
    await page.getByTestId('search').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByTestId('search').getAttribute('aria-invalid')).toBe('true')
    expect(requested.filter((url) => /\/(addresses|transactions|blocks)\//.test(url))).toEqual([])
    expect(problems).toEqual([])
  })

  it('pages through the transactions of an address by keyboard', async () => {
    const { page, problems } = await harness.visit()
    await page.goto(`${harness.demo.url}#/explorer/${await addressOf(page, 5)}`)
    const table = page.getByRole('region', { name: /^Transactions of/ })
    const first = await table.innerText()
    await page.getByRole('button', { name: 'Older' }).and(page.locator(':enabled')).press('Enter')
    await page.getByText('page 2', { exact: true }).waitFor()
    expect(await table.innerText()).not.toBe(first)
    await page.getByRole('button', { name: 'Newer' }).press('Space')
    await page.getByText('page 1', { exact: true }).waitFor()
    await table.getByRole('link').first().press('Enter')
    await page.getByTestId('status').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
    expect(problems).toEqual([])
  })

  it('restores the page of the list on going back, and scrolls other routes to the top', async () => {
    const { page, problems } = await harness.visit('', { width: 360 })
    await page.goto(`${harness.demo.url}#/explorer/${await addressOf(page, 5)}`)
    await page.getByRole('button', { name: 'Older' }).and(page.locator(':enabled')).click()
    await page.getByText('page 2', { exact: true }).waitFor()
    const table = page.getByRole('region', { name: /^Transactions of/ })
    const last = await table.getByRole('link').last().getAttribute('title')
    await table.getByRole('link').last().click()
    await page.getByTestId('status').waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await page.getByText('page 2', { exact: true }).waitFor()
    await expect.poll(() => table.getByRole('link').last().getAttribute('title')).toBe(last)
    expect(problems).toEqual([])
  })

  it('shows a payment to the open address without a reload', async () => {
    const { page, problems } = await harness.visit()
    await page.goto(`${harness.demo.url}#/explorer/${await addressOf(page, 3)}`)
    await page.getByText('None yet.').waitFor()
    await payFromFaucet(3)
    await page
      .getByRole('region', { name: /^Transactions of/ })
      .getByRole('link')
      .first()
      .waitFor()
    expect(problems).toEqual([])
  })

  it('updates the payment chart after a payment', async () => {
    const { page, problems } = await harness.visit('#/explorer')
    await page.getByText(/^\d+ figures, \d+ to \d+ a day$/).press('Enter') // a click misses it where panels above grow
    const days = page.getByRole('region', { name: 'Payments, a day, as a table' }).getByRole('row')
    const paid = async () => sum((await days.locator('td:last-child').allInnerTexts()).map(toNumber))
    const before = await paid()
    const { accounts, fund } = harness.demo.devnode
    await fund(accounts[3]!.address, 100_000_000n)
    await expect.poll(paid).toBeGreaterThan(before)
    expect(problems).toEqual([])
  })

  it('shows that a block was not found, and refetches', async () => {
    const { page } = await harness.visit(`#/explorer/block/${'ab'.repeat(32)}`)
    await page.getByText('Block not found in the indexer.').waitFor()
    const requested = page.waitForRequest(/\/blocks\/(ab)+/)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await requested
    expect(await page.locator('main').innerText()).not.toContain('REST request')
  })

  it('retries a failed request by a button', async () => {
    const { page } = await harness.visit('#/explorer')
    await page.route(/\/info\/hashrate\/history/, (route) => route.fulfill({ status: 400, body: '{}' }))
    await page.reload()
    const panel = page.getByRole('region', { name: 'Hash rate', exact: true })
    await panel.getByText('The server rejected the request').waitFor()
    await page.unroute(/\/info\/hashrate\/history/)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.locator('canvas').waitFor()
  })

  it('draws each series as a chart with its figures as a table', async () => {
    const { page, problems } = await harness.visit('#/explorer')
    const chart = page.getByRole('img', { name: /^Payments, an hour: \d+ to \d+$/ })
    await chart.locator('canvas').waitFor()
    const summary = page.getByText(/^\d+ figures, \d+ to \d+ an hour$/)
    await summary.press('Enter')
    const rows = page.getByRole('region', { name: 'Payments, an hour, as a table' }).getByRole('row')
    // about 24; fewer at the beginning of a month
    const figures = async () => Number.parseInt(await summary.innerText())
    await expect.poll(async () => (await rows.count()) - (await figures())).toBe(1) // an hour may end in between
    await page.goto(`${harness.demo.url}#/explorer/${await addressOf(page, 6)}`)
    await page
      .getByRole('img', { name: /^Balance, KAS: 1\s\d{3} to 1\s\d{3}$/ })
      .locator('canvas')
      .waitFor()
    expect(problems).toEqual([])
  })
})
