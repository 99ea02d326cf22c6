import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_ACTIONS } from '../../docs/.vitepress/theme/live/examples.js'
import { violations } from '../e2e/axe.js'
import { contentWidth, serveSite, THEMES, WIDTHS } from './site.js'

const DOCS = resolve(import.meta.dirname, '../../docs')

const site = serveSite()

/** A live example in its page. */
interface Shown {
  readonly page: Page
  /** What the component renders. */
  readonly output: Locator
  /** Presses a button beside or within the example. */
  press(name: string): Promise<void>
  /** Waits until the component shows a text. */
  shows(text: RegExp): Promise<void>
  /** Waits until the component has shown a text at any time since the start, also for an instant. */
  showed(text: RegExp): Promise<void>
}

/** What is done with each example, and what it then shows. */
const DRIVES: Readonly<Record<string, (example: Shown) => Promise<void>>> = {
  async ConnectWallet({ page, press }) {
    await press('Connect wallet')
    await page.getByRole('dialog').getByText('KasWare').first().waitFor()
  },
  ReceivePayment: ({ shows }) => shows(/1 SKAS/),
  async useBalance({ press, shows }) {
    await shows(/1050 KAS/)
    await press('Receive 5 KAS')
    await shows(/1055 KAS/)
    await press('Send 1 KAS')
    await shows(/1053\.99\d* KAS/)
  },
  async useBlockListener({ press, output }) {
    await press('Mine 3 parallel blocks')
    await expect.poll(() => output.locator('li').count()).toBeGreaterThan(3)
  },
  useChain: ({ shows }) => shows(/Keys are available/),
  async useChainEngine({ press, output }) {
    const reorg = async (): Promise<string> => {
      await press('Reorg of 3 blocks') // again where the subscription was not placed yet
      return output.innerText()
    }
    await expect.poll(reorg).toMatch(/^[1-9]\d* transactions were reverted/)
  },
  async useChainRest({ press, shows }) {
    await press('Read the balance')
    await shows(/1050 KAS/)
  },
  async useContract({ press, shows }) {
    await press('Deploy')
    await shows(/Count 0, fresh/)
    await press('Increment')
    await shows(/Count 1, /)
  },
  useCrypto: ({ shows }) => shows(/A new address: kaspasim:q/),
  async useDiagnosis({ press, shows }) {
    await press('Check the connection')
    await shows(/ok: /)
  },
  async useInfiniteRestQuery({ press, output }) {
    await expect.poll(() => output.locator('li').count()).toBe(20)
    await press('Older')
    await expect.poll(() => output.locator('li').count()).toBeGreaterThan(20)
  },
  async useNetwork({ press, shows }) {
    await shows(/simnet ?, DAA score \d+/)
    await press('devnet')
    await shows(/devnet ?, DAA score \d+/)
  },
  async usePaymentRequest({ press, shows }) {
    await shows(/Pay 1 KAS, \d+ s left/)
    await press('Send 1 KAS')
    await shows(/^(seen|paid|confirmed)/)
  },
  async usePayouts({ output }) {
    await expect.poll(() => output.locator('ul').count()).toBe(1)
  },
  async useRestQuery({ press, shows }) {
    await shows(/105000000000 sompi/)
    await press('Receive 5 KAS')
    await press('Refresh')
    await shows(/105500000000 sompi/)
  },
  async useRpc({ press, shows, showed }) {
    await shows(/^connected/)
    await press('Restart the node')
    await showed(/reconnecting/)
    await shows(/^connected/)
  },
  async useRpcEvent({ press, output }) {
    await press('Mine 3 parallel blocks')
    await expect.poll(() => output.locator('li').count()).toBeGreaterThan(2)
  },
  async useRpcQuery({ press, shows }) {
    await shows(/105000000000 sompi/)
    await press('Receive 5 KAS')
    await press('Refresh')
    await shows(/105500000000 sompi/)
  },
  useSharing: ({ shows }) => shows(/Pay from one tab at a time \(off\)/),
  async useTokens({ press, shows }) {
    await press('Mint 1,000')
    await shows(/: 1000, pending 0/)
    await press('Transfer 10')
    await shows(/: 990, pending 0[^]*: 10, pending 0/)
    await press('Reorg without the last call')
    await shows(/: 1000, pending 0/)
  },
  async useTransaction({ press, shows }) {
    await press('Pay 12.5 KAS')
    await shows(/[0-9a-f]{64}, for \d+ sompi/)
  },
  async useTransactionListener({ press, output, shows }) {
    await press('Send 1 KAS')
    await expect.poll(() => output.locator('li').count()).toBeGreaterThan(1)
    await press('Pause')
    await shows(/Resume/)
  },
  async useTransactionStatus({ press, shows, showed }) {
    await shows(/accepted by/)
    await press('Send 1 KAS')
    await showed(/^mempool/)
    await shows(/accepted by [0-9a-f]{64}/)
  },
  async 'paid-api'({ press, shows }) {
    await press('Request')
    await shows(/Requested: 402 0\.5 KAS/)
    await press('Buy')
    await shows(/Bought: 200 \{"quote":"Nothing lost"\}/)
    await press('Send the last payment again')
    await shows(/Sent again: 402 \{"error":"already_served"\}/)
  },
  async treasury({ press, shows }) {
    await press('Open the account')
    await shows(/2000000000 sompi/)
    await press('Ann proposes')
    await shows(/The text: PSKB/)
    await press('Bob opens')
    await shows(/Bob[\s\S]*\(you\)\s*Not signed[\s\S]*Carol/)
    await press('Bob signs')
    await shows(/Bob[\s\S]*\(you\)\s*Signed[\s\S]*Carol/)
    await press('Carol opens')
    await shows(/Carol[\s\S]*The account pays/)
    await press('Carol signs')
    await shows(/All signatures are there/)
    await press('Carol submits')
    await shows(/14\d{8} sompi/)
  },
  async useTransfers({ press, shows, output }) {
    await press('Receive 5 KAS')
    await shows(/5 KAS/)
    await press('Older')
    await expect.poll(() => output.locator('li').count()).toBeGreaterThan(25)
  },
  async useUtxo({ press, shows }) {
    await shows(/1050 KAS in \d+ entries/)
    await press('Receive 5 KAS')
    await shows(/1055 KAS in \d+ entries/)
  },
  useVueChain: ({ shows }) => shows(/simnet: connected/),
  async useWallet({ press, shows }) {
    await press('Connect')
    await shows(/kaspasim:q[\s\S]*Disconnect/)
    await press('Pay 1 KAS')
    await shows(/The payment is accepted\./)
  },
  async 'your-first-contract'({ press, shows }) {
    await press('Deploy')
    await shows(/The count is 0, fresh/)
    await press('Ann adds 1')
    await shows(/The count is 1, fresh[\s\S]*0: increment by 1/)
    await press('Both at once')
    await shows(/The count is 4, fresh[\s\S]* was late/)
    await press('Reorg without the last call')
    await shows(/The count is [23], /)
  },
}

const pages = [
  ...['components', 'composables'].flatMap((folder) =>
    readdirSync(resolve(DOCS, folder)).map((file) => ({ folder: `/${folder}`, name: file.replace(/\.md$/, '') })),
  ),
  { folder: '/recipes', name: 'paid-api' },
  { folder: '', name: 'treasury' },
  { folder: '', name: 'your-first-contract' },
]

it('has a live example, and a drive of it, for every page of a composable or component, and guides', () => {
  const names = pages.map(({ name }) => name).sort()
  expect(Object.keys(EXAMPLE_ACTIONS).sort()).toEqual(names)
  expect(Object.keys(DRIVES).sort()).toEqual(names)
})

describe.each(WIDTHS)('at %i pixels', (width) => {
  it.each(pages)('runs the live example of $name', async ({ folder, name }) => {
    const { page, problems } = await site.visit(`${folder}/${name}.html`, width)
    await DRIVES[name]?.(await show(page))
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page), colorScheme).toEqual([])
    }
    expect(await contentWidth(page)).toBeLessThanOrEqual(width)
    expect(problems).toEqual([])
    await page.close()
  })
})

it('shows why an action failed', async () => {
  const { page } = await site.visit('/composables/useBalance.html')
  const { output, press, shows } = await show(page)
  await press('Send 1 KAS') // loads the keys, so that the next payment calls the node at once
  await shows(/unconfirmed/)
  await output.evaluate(clickBoth, ['Drop the connection', 'Send 1 KAS'] as const)
  await expect.poll(() => page.getByRole('alert').innerText()).not.toBe('')
  await page.close()
})

/** Clicks two buttons in one task of the page: nothing is reconnected in between. */
function clickBoth(output: Element, names: readonly [string, string]): void {
  const buttons = [...(output.closest('section')?.querySelectorAll('button') ?? [])]
  for (const name of names) buttons.find(({ textContent }) => textContent.trim() === name)?.click()
}

/** The example of a page, scrolled to and started. */
async function show(page: Page): Promise<Shown> {
  const section = page.getByTestId('live-example')
  await section.scrollIntoViewIfNeeded()
  await section.getByTestId('status').getByText('connected', { exact: true }).waitFor()
  const output = section.getByTestId('output')
  await output.evaluate(recordTexts)
  const texts = (): Promise<string> => page.evaluate(() => JSON.stringify(window.shownTexts))
  const history = async (): Promise<readonly string[]> => JSON.parse(await texts()) as string[]
  return {
    page,
    output,
    press: (name) => section.getByRole('button', { name, exact: true }).click(),
    shows: (text) => expect.poll(() => output.innerText()).toMatch(text),
    showed: (text) => expect.poll(async () => (await history()).some((shown) => text.test(shown))).toBe(true),
  }
}

declare global {
  interface Window {
    shownTexts: string[]
  }
}

/** Runs in the page: records what the example shows. */
function recordTexts(output: Element): void {
  const record = (): unknown => window.shownTexts.push(output.textContent.trim())
  window.shownTexts = []
  record()
  new MutationObserver(record).observe(output, { subtree: true, childList: true, characterData: true })
}
