import { describe, expect, it } from 'vitest'
import { violations } from '../e2e/axe.js'
import { contentWidth, serveSite, THEMES } from './site.js'

const site = serveSite()

/** Pages with a generated or a live part, each with a text that only its generated part has. */
const PAGES = [
  ['/composables/useBalance.html', 'useBalance(addresses: MaybeRefOrGetter<AddressesArgument>, options?: UtxoOptions)'],
  ['/transfers.html', 'followTransfers(options: FollowTransfersOptions): TransferBatches'],
  ['/functions.html', 'The balance of the given addresses or account, which may change.'],
  ['/kaspa-in-five-minutes.html', 'Your UTXOs'],
  ['/api/index.html', 'the engine without Vue, its streams, the REST client'],
  ['/recipes/testnet-coins.html', 'Get testnet coins'],
  ['/assistants.html', 'vue-chain mcp'],
] as const

const views = [390, 1280].flatMap((width) => THEMES.map((theme) => [width, theme] as const))

describe.each(views)('at %i pixels in %s', (width, theme) => {
  it.each(PAGES)('shows %s without violations, and no wider than the window', async (path, text) => {
    const { page, problems } = await site.visit(path, width, theme)
    await expect.poll(() => page.getByRole('main').innerText()).toContain(text)
    expect(await violations(page)).toEqual([])
    expect(await contentWidth(page)).toBeLessThanOrEqual(width)
    await page.screenshot({ path: `test-results/page${path.replaceAll('/', '-')}-${theme}-${width}.png` })
    expect(problems).toEqual([])
    await page.close()
  })
})

it('shows options and results of a function with types, defaults and links', async () => {
  const { page } = await site.visit('/composables/useBalance.html')
  const reference = page.getByRole('main')
  await reference.getByRole('row', { name: /mempoolInterval\?? number 10000 Ms between/ }).waitFor()
  await reference.getByRole('row', { name: /freshness ComputedRef<Freshness> Whether/ }).waitFor()
  await reference.getByText('src/adapters/vue/composables/useBalance.ts').waitFor()
  await reference.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('heading', { name: /Function: useBalance/ }).waitFor()
  await page.close()
})

it('filters the functions by task and by what they do', async () => {
  const { page } = await site.visit('/functions.html')
  const items = page.locator('.vp-doc h2 + ul > li:visible')
  const all = await items.count()
  expect(all).toBeGreaterThan(60)
  const filter = page.getByTestId('function-filter')
  const found = async () => (await filter.fill('sign in'), items.allInnerTexts())
  await expect.poll(async () => (await found()).length).toBeLessThan(all / 10) // of others, whose text has both words
  const signIn = ['createSignInMessage', 'verifySignInMessage'].map((name): unknown => expect.stringContaining(name))
  expect(await found()).toEqual(expect.arrayContaining(signIn))
  await page.getByText(`${await items.count()} functions`, { exact: true }).waitFor()
  await filter.fill('balance')
  await expect.poll(() => items.count()).toBeGreaterThan(3)
  await filter.fill('')
  await expect.poll(() => items.count()).toBe(all)
  await page.close()
})

it('explains the words of Kaspa on a network in the page', async () => {
  const { page, problems } = await site.visit('/kaspa-in-five-minutes.html')
  const network = page.getByTestId('live-network')
  const figures = network.getByTestId('figures')
  await expect.poll(() => figures.innerText()).toMatch(/Balance\s+1006 KAS/)
  await network.getByRole('button', { name: 'Receive 5 KAS' }).click()
  await expect.poll(() => figures.innerText()).toMatch(/Balance\s+1011 KAS/)
  await network.getByRole('button', { name: 'Send 1 KAS' }).click()
  await expect.poll(() => figures.innerText()).toMatch(/Balance\s+1009\.99\d* KAS/)
  await network.getByRole('button', { name: 'Reorg of 3 blocks' }).click()
  await expect.poll(() => network.locator('rect.removed').count()).toBeGreaterThan(2)
  expect(await network.getByRole('alert').innerText()).toBe('')
  expect(problems).toEqual([])
  await page.close()
})
