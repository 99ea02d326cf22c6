/** The example `treasury` in Chromium: two cosigners, and a service that is killed between each two steps. */
import vue from '@vitejs/plugin-vue'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { accountKeys, KAS } from '../cosigning/cosigners.js'
import { MNEMONICS } from '../cosigning/texts.js'
import { launch } from './browser.js'
import { freePort } from '../free-port.js'
import { startExample, type ExampleProcess } from './example-process.js'

const ROOT = resolve(import.meta.dirname, '../..')
const { keys, value } = accountKeys({ threshold: 2, count: 3 })

describe('examples/treasury in Chromium', () => {
  let folder: string
  let devnode: Devnode
  let browser: Browser
  let port: number
  let service: ExampleProcess

  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, '.cache/treasury-'))
    const root = join(folder, 'source') // outside the example's package.json: imports the built library
    await cp(join(ROOT, 'examples/treasury/page'), root, { recursive: true })
    await build({
      configFile: false,
      logLevel: 'error',
      root,
      plugins: [vue()],
      define: { __VUE_CHAIN_WASM__: 'false' },
      build: { outDir: join(folder, 'page'), assetsInlineLimit: 0 },
    })
    devnode = await createDevnode({ blockInterval: 100 })
    await devnode.fund(value.addressAt({ cosigner: 0, change: false, index: 0 }), 20n * KAS)
    browser = await launch()
    port = await freePort()
    service = await start()
  })
  afterAll(async () => {
    await service.kill()
    await browser.close()
    await devnode.close()
    await rm(folder, { recursive: true })
  })

  async function start(): Promise<ExampleProcess> {
    const env = { PORT: String(port), PAGE: join(folder, 'page'), DATA: join(folder, 'texts.json') }
    const program = startExample('treasury', env)
    await program.printed('Listening')
    return program
  }

  async function restart(): Promise<void> {
    await service.kill()
    service = await start()
  }

  async function openPage(name: string, own: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    const link = new URLSearchParams({ name, network: 'simnet', node: devnode.urls.borsh, own })
    link.set('account', value.descriptor)
    await page.goto(`http://127.0.0.1:${port}/#${link.toString()}`)
    return page
  }

  const press = async (page: Page, name: string, status: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(status).waitFor()
  }

  it('pays with the signatures of two pages, over a service that is killed between their steps', async () => {
    const to = devnode.accounts[0]!.address
    const ann = await openPage('Ann', keys[0]!)
    await ann.getByText('20 SKAS').waitFor()
    await ann.getByLabel('To', { exact: true }).fill(to)
    await ann.getByLabel('KAS', { exact: true }).fill('5')
    await press(ann, 'Propose', 'Proposed.')
    await ann.getByLabel('Mnemonic').fill(MNEMONICS[0])
    await press(ann, 'Sign', 'Signed.')
    expect(await ann.getByLabel('Mnemonic').inputValue()).toBe('')
    await ann.getByRole('img', { name: 'The text of this payment' }).waitFor()

    await service.kill()
    await ann.getByText('The service is not reached.').waitFor()
    await ann.getByRole('button', { name: 'Pass on' }).click()
    await ann.getByText('Failed to fetch').waitFor()
    service = await start()
    await press(ann, 'Pass on', 'Passed on.')
    await press(ann, 'Pass on', 'Passed on.')
    await restart()

    const bob = await openPage('Bob', keys[1]!)
    await bob.getByText('No. 1').waitFor()
    expect(await bob.getByText('No. 2').count()).toBe(0)
    await press(bob, 'Open no. 1', 'Verified.')
    await bob.getByLabel('Mnemonic').fill(MNEMONICS[1])
    await press(bob, 'Sign', 'Signed.')
    await restart()
    await press(bob, 'Pass on', 'Passed on.')
    await restart()

    await press(ann, 'Open no. 2', 'Verified.')
    await press(ann, 'Submit', 'Submitted: ')
    await press(bob, 'Submit', 'Submitted: ')
    const ids = await Promise.all([ann, bob].map((page) => page.locator('#status').textContent()))
    expect(ids[0]).toBe(ids[1])
    await bob.locator('#balance', { hasText: '14.99' }).waitFor()
    const paid = () => devnode.expected.transfers([to]).filter(({ amount }) => amount === 5n * KAS)
    await expect.poll(() => paid().length).toBe(1) // the balance is without it as soon as the mempool has it
  })
})
