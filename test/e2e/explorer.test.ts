import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { raiseDemo } from './demo-stage.js'

const stage = raiseDemo()

/** The account's address, as the head of the page tells it. */
const addressOf = (page: Page, index: number): Promise<string> =>
  page.evaluate((at) => {
    const head = document.querySelector<HTMLMetaElement>('meta[name=devnode]')?.content ?? '{}'
    return (JSON.parse(head) as { accounts: { address: string }[] }).accounts[at]?.address ?? ''
  }, index)

/** What Chromium itself says when a server answers 404; no page can keep it from doing so. */
const isNotFound = (complaint: string): boolean => complaint.includes('404 (Not Found)')

/** Types into the one box, and presses Enter. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByTestId('search').fill(text)
  await page.keyboard.press('Enter')
}

/** Has the faucet pay an account, on a page of its own. */
async function askFaucet(account: number): Promise<void> {
  const { page } = await stage.visit()
  await page.getByTestId(`account-${account}`).getByRole('button').first().click()
  const paid = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: /^Ask the faucet/ }).click()
  await paid
  await page.close()
}

const toNumber = (figure: string): number => Number(figure.replace(/\D/g, ''))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const place = (page: Page): string => new URL(page.url()).hash
const subject = (page: Page): Promise<string> => page.getByTestId('subject').innerText()

describe('the explorer', () => {
  it('shows over REST what was paid over RPC, and leads from one thing to the next', async () => {
    const { page, complaints } = await stage.visit()
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
    const paid = page.getByTestId('activity').getByRole('link').first()
    await page.getByTestId('activity').getByText('ours').first().waitFor()
    const id = (await paid.getAttribute('title')) ?? ''
    await paid.click()

    await page.getByTestId('standing').getByText('accepted', { exact: true }).waitFor()
    expect([place(page), await subject(page)]).toEqual([`#/explorer/transaction/${id}`, id])
    const to = page.getByRole('region', { name: 'What it pays' })
    await to.getByRole('row').filter({ hasText: '12.5 KAS' }).getByRole('link').click()
    await expect.poll(() => subject(page)).toBe(await addressOf(page, 1))
    await page.getByRole('link', { name: id.slice(0, 6) }).click()

    await page.getByRole('definition').getByRole('link').first().click()
    await page.getByText('Selected parent').waitFor()
    expect(place(page)).toMatch(/^#\/explorer\/block\/[0-9a-f]{64}$/)
    await page.goBack()
    await expect.poll(() => subject(page)).toBe(id)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('finds an address, a transaction and a block by one box, and says which it is', async () => {
    const { page, complaints } = await stage.visit('#/explorer')
    const hint = page.getByTestId('search-hint')
    const block =
      (await page
        .getByRole('region', { name: 'Table of the last chain blocks' })
        .getByRole('link')
        .first()
        .getAttribute('title')) ?? ''
    const address = await addressOf(page, 5)
    await page.getByTestId('search').fill(address)
    expect(await hint.innerText()).toBe('An address.')
    await page.keyboard.press('Enter')
    await page.getByTestId('balance').getByText('KAS').waitFor()
    const id =
      (await page
        .getByRole('region', { name: /^Transactions of/ })
        .getByRole('link')
        .first()
        .getAttribute('title')) ?? ''

    await search(page, id.toUpperCase())
    await page.getByTestId('standing').waitFor()
    expect([place(page), await hint.innerText()]).toEqual([`#/explorer/transaction/${id}`, 'A transaction id.'])
    await search(page, ` ${block} `)
    await page.getByText('Selected parent').waitFor()
    expect([place(page), await hint.innerText()]).toEqual([`#/explorer/block/${block}`, 'A block hash.'])
    await search(page, 'ab'.repeat(32))
    await page.getByTestId('unknown').waitFor()
    expect(complaints.filter((complaint) => !isNotFound(complaint))).toEqual([])
    await page.close()
  })

  it.each([
    ['kaspasim:qqqq', /^This is no address/],
    ['kaspa:qq2pfqdlzxq76cd2qf03lecg76xtqxxze8twkuvuek2t8ahlv9fssgcml7rl2', /another network; here is simnet/],
    ['ab'.repeat(31), /^A hash has 64 hex digits, and these are 62\.$/],
    ['who am I', /^This is neither an address nor a hash/],
  ])('says what is wrong with %s, and asks nobody', async (text, problem) => {
    const { page, complaints } = await stage.visit(`#/explorer/${encodeURIComponent(text)}`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    expect(await page.getByTestId('search-hint').innerText()).toMatch(problem)
    await page.getByTestId('search').focus()
    await page.keyboard.press('Enter')
    expect(await page.getByTestId('search').getAttribute('aria-invalid')).toBe('true')
    expect(asked.filter((url) => /\/(addresses|transactions|blocks)\//.test(url))).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('turns the pages of an address by keyboard, forth and back', async () => {
    const { page, complaints } = await stage.visit()
    await page.goto(`${stage.demo.url}#/explorer/${await addressOf(page, 5)}`)
    const table = page.getByRole('region', { name: /^Transactions of/ })
    const first = await table.innerText()
    await page.getByRole('button', { name: 'Older' }).and(page.locator(':enabled')).press('Enter')
    await page.getByText('page 2', { exact: true }).waitFor()
    expect(await table.innerText()).not.toBe(first)
    await page.getByRole('button', { name: 'Newer' }).press('Space')
    await page.getByText('page 1', { exact: true }).waitFor()
    await table.getByRole('link').first().press('Enter')
    await page.getByTestId('standing').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('leads back to the page of the list that was left, and shows every other place from its top', async () => {
    const { page, complaints } = await stage.visit('', { width: 360 })
    await page.goto(`${stage.demo.url}#/explorer/${await addressOf(page, 5)}`)
    await page.getByRole('button', { name: 'Older' }).and(page.locator(':enabled')).click()
    await page.getByText('page 2', { exact: true }).waitFor()
    const table = page.getByRole('region', { name: /^Transactions of/ })
    const last = await table.getByRole('link').last().getAttribute('title')
    await table.getByRole('link').last().click()
    await page.getByTestId('standing').waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await page.getByText('page 2', { exact: true }).waitFor()
    await expect.poll(() => table.getByRole('link').last().getAttribute('title')).toBe(last)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows a payment to the address that is looked at, without being asked', async () => {
    const { page, complaints } = await stage.visit()
    await page.goto(`${stage.demo.url}#/explorer/${await addressOf(page, 3)}`)
    await page.getByText('None yet.').waitFor()
    await askFaucet(3)
    await page
      .getByRole('region', { name: /^Transactions of/ })
      .getByRole('link')
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('lets the bars grow with what is paid', async () => {
    const { page, complaints } = await stage.visit('#/explorer')
    await page.getByText(/^\d+ figures, \d+ to \d+ a day$/).click()
    const days = page.getByRole('region', { name: 'Payments, a day, as a table' }).getByRole('row')
    const paid = async () => sum((await days.locator('td:last-child').allInnerTexts()).map(toNumber))
    const before = await paid()
    await askFaucet(3)
    await expect.poll(paid).toBeGreaterThan(before)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('says in words that it knows no such block, and looks again', async () => {
    const { page } = await stage.visit(`#/explorer/block/${'ab'.repeat(32)}`)
    await page.getByText('The indexer knows no such block.').waitFor()
    const asked = page.waitForRequest(/\/blocks\/(ab)+/)
    await page.getByRole('button', { name: 'Look again' }).click()
    await asked
    expect(await page.locator('main').innerText()).not.toContain('REST request')
    await page.close()
  })

  it('asks again where the indexer failed, once it is told to', async () => {
    const { page } = await stage.visit('#/explorer')
    await page.route(/\/info\/hashrate\/history/, (route) => route.fulfill({ status: 400, body: '{}' }))
    await page.reload()
    const panel = page.getByRole('region', { name: 'Hash rate', exact: true })
    await panel.getByText('The server refuses the request').waitFor()
    await page.unroute(/\/info\/hashrate\/history/)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.locator('canvas').waitFor()
    await page.close()
  })

  it('draws what is a series, and has its figures as a table', async () => {
    const { page, complaints } = await stage.visit('#/explorer')
    const chart = page.getByRole('img', { name: /^Payments, an hour: \d+ to \d+$/ })
    await chart.locator('canvas').waitFor()
    const summary = page.getByText(/^\d+ figures, \d+ to \d+ an hour$/)
    await summary.click()
    const rows = page.getByRole('region', { name: 'Payments, an hour, as a table' }).getByRole('row')
    const figures = async () => Number.parseInt(await summary.innerText()) // 24 or so; fewer at the beginning of a month
    await expect.poll(async () => (await rows.count()) - (await figures())).toBe(1) // an hour may end in between
    await page.goto(`${stage.demo.url}#/explorer/${await addressOf(page, 6)}`)
    await page
      .getByRole('img', { name: /^Balance, KAS: 1\s\d{3} to 1\s\d{3}$/ })
      .locator('canvas')
      .waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
