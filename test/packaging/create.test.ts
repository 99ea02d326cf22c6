import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as runTool } from '../../create/src/run.js'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { freePort } from '../free-port.js'
import { isRequested } from './support/chosen.js'
import { checkApp, createApp, installApp, openWorkshop, type Workshop } from './support/create-app.js'
import { serveRegistry } from './support/create-registry.js'
import { openFixture } from './support/paying-page.js'
import { ROOT } from './support/folder.js'
import { run, serve, type Running } from './support/process.js'

/** Nuxt's bundler of servers, in a version that registries without the newest packages for this platform have too. */
const OVERRIDES = { rollup: '4.67.4' }

/** Of the wallet that the shop's customers pay to. */
const KPUB = vectors[1]!.kpub

/** Three commands, each of which starts a toolchain. */
const CHECKS = 600_000

let workshop: Workshop
let browser: Browser
let devnode: Devnode
const running: Running[] = []

/** Starts a script of an app at a free port of its own; resolves to its URL. */
async function start(app: string, command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const port = String(await freePort())
  const args = command.map((part) => (part === 'PORT' ? port : part))
  const url = `http://127.0.0.1:${port}/`
  running.push(await serve('npm', args, { cwd: app, env: { PORT: port, HOST: '127.0.0.1', ...env } }, url))
  return url
}

const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** An app that the sources of create-vue-chain write. */
async function createFromSources(cwd: string, template: string): Promise<string> {
  const print = (): void => undefined
  const context = { cwd, templates: join(ROOT, 'create/templates'), userAgent: undefined, prompts: undefined }
  expect(await runTool(['expected', '--template', template], { ...context, print, printError: print })).toBe(0)
  return join(cwd, 'expected')
}

const DEV = ['run', 'dev', '--', '--host', '127.0.0.1', '--port', 'PORT']
const PREVIEW = ['run', 'preview', '--', '--host', '127.0.0.1', '--port', 'PORT']

async function expectLive(page: Page): Promise<void> {
  const score = async (): Promise<number> => Number(await page.textContent('#score').catch(() => '0'))
  await expect.poll(() => page.textContent('#state')).toBe('connected')
  await expect.poll(score).toBeGreaterThan(0)
  const first = await score()
  await expect.poll(score).toBeGreaterThan(first)
}

/** A page in development is live, shows the account's balance, and pays from it. */
async function expectPaid(url: string): Promise<void> {
  const { page, problems } = await openFixture(browser, url)
  await expectLive(page)
  await expect.poll(() => page.textContent('#balance')).toContain('1000 KAS')
  expect(await page.inputValue('[name=to]')).toBe(devnode.accounts[1]!.address) // devnodes have the same accounts
  await page.fill('[name=amount]', '2.5')
  await page.click('form button')
  await expect.poll(() => page.textContent('main')).toMatch(/accepted, \d+ confirmation/)
  await expect.poll(() => page.textContent('#balance')).toContain('997.49')
  expect(problems).toEqual([])
  await page.close()
}

/** A built page that connects to the devnode of this test is live, and offers a browser wallet. */
async function expectLiveWithoutAccount(url: string): Promise<void> {
  const { page, problems } = await openFixture(browser, url)
  await expectLive(page)
  expect(await page.inputValue('[name=address]')).toBe('')
  expect(problems).toEqual([])
  await page.close()
}

describe.runIf(isRequested('create'))('create-vue-chain', () => {
  beforeAll(async () => {
    ;[workshop, browser, devnode] = await Promise.all([openWorkshop(), launch(), createDevnode()])
  })
  afterAll(async () => {
    await Promise.all(running.map(({ stop }) => stop()))
    await Promise.all([browser.close(), devnode.close()])
  })

  describe.each(['vue', 'vanilla'])('the template %s', (template) => {
    let app: string
    beforeAll(async () => {
      app = await createApp(workshop, `${template}-app`, template)
      await installApp(app)
    })

    it('passes its type check and its tests, and is built', () => checkApp(app), CHECKS)

    it('is live and pays in development', async () => expectPaid(await start(app, DEV)))

    it('is live as a build, on the network that is set in src/network.ts', async () => {
      const path = join(app, 'src/network.ts')
      const live = `{ network: 'simnet', url: '${devnode.urls.borsh}' }`
      const text = readFileSync(path, 'utf8').replace("{ network: 'testnet-10' }", live)
      expect(text).toContain(live)
      writeFileSync(path, text)
      await run('npm', ['run', 'build'], { cwd: app })
      await expectLiveWithoutAccount(await start(app, PREVIEW))
    })
  })

  describe('the template nuxt', () => {
    let app: string
    beforeAll(async () => {
      app = await createApp(workshop, 'nuxt-app', 'nuxt')
      await installApp(app, OVERRIDES)
    })

    it('passes its type check and its tests, and is built', () => checkApp(app), CHECKS)

    it('is live and pays in development', async () => expectPaid(await start(app, DEV)))

    it('is live as a build, on the network of the environment', async () => {
      const url = await start(app, ['run', 'preview'], {
        NUXT_PUBLIC_CHAIN_NETWORK: 'simnet',
        NUXT_PUBLIC_CHAIN_URL: devnode.urls.borsh,
        NUXT_PUBLIC_CHAIN_REST_URL: devnode.urls.rest,
      })
      expect(await (await fetch(url)).text()).toContain('kaspa-simnet has') // rendered by the server
      await expectLiveWithoutAccount(url)
    })
  })

  describe('the template service', () => {
    let app: string
    beforeAll(async () => {
      app = await createApp(workshop, 'service-app', 'service')
      await installApp(app)
    })

    const balanceAt = async (url: string): Promise<number> => {
      const { balance = '0' } = (await (await fetch(url)).json()) as { balance?: string }
      return Number(balance)
    }

    it('passes its type check and its tests, and is built', () => checkApp(app), CHECKS)

    it('stores what the customer pays in development', async () => {
      const url = `${await start(app, ['run', 'dev'])}addresses/${devnode.accounts[0]!.address}`
      await expect.poll(() => balanceAt(url)).toBeGreaterThan(1_000)
    })

    it('follows the node of the environment as a build', async () => {
      rmSync(join(app, 'data'), { recursive: true, force: true })
      const env = { NETWORK: 'simnet', NODE_URL: devnode.urls.borsh, CONFIRMATIONS: '0' }
      const { address } = devnode.accounts[2]!
      const url = `${await start(app, ['start'], env)}addresses/${address}`
      await fetch(url, { method: 'PUT' })
      await expect.poll(() => balanceAt(url)).toBe(1_000)
      await devnode.fund(address, 250_000_000n)
      await expect.poll(() => balanceAt(url)).toBe(1_002.5)
    })
  })

  describe('the template shop', () => {
    let app: string
    beforeAll(async () => {
      app = await createApp(workshop, 'shop-app', 'shop')
      await installApp(app)
    })

    it('passes its type check and its tests, and is built', () => checkApp(app), CHECKS)

    it('sells a file in development, and returns the payment', async () => {
      const url = await start(app, ['run', 'dev'])
      const { page, problems } = await openFixture(browser, url)
      await page.click('#buy')
      await page.waitForSelector('[role=img][aria-label^="Payment of 12.5 SKAS to kaspasim:"]')
      const id = new URL(page.url()).hash.slice(1)
      expect((await fetch(`${url}api/orders/${id}/file`)).status).toBe(402)
      await page.click('#pay')
      await page.waitForSelector('#file')
      expect(await (await fetch(`${url}api/orders/${id}/file`)).text()).toContain('Kaspa is')
      await page.reload()
      await page.waitForSelector('#file')
      expect(problems).toEqual([])
      await page.close()
      const to = devnode.accounts[2]!.address // devnodes have the same accounts
      const init = { method: 'POST', headers: { authorization: 'Bearer dev-token' } }
      const refund = async () => (await fetch(`${url}api/orders/${id}/refund?to=${to}`, init)).json()
      const refunded = await refund()
      expect(refunded).toEqual({ to, amount: '1250000000', payoutId: `refund/${id}/1` })
      expect(await refund()).toEqual(refunded)
    })

    it('follows the node of the environment as a build', async () => {
      const env = { NETWORK: 'simnet', NODE_URL: devnode.urls.borsh, PAGE_NODE_URL: devnode.urls.borsh, KPUB }
      const url = await start(app, ['start'], { ...env, CONFIRMATIONS: '1' })
      expect((await fetch(url)).headers.get('content-security-policy')).toContain(devnode.urls.borsh)
      const { page, problems } = await openFixture(browser, url)
      await page.click('#buy')
      await page.waitForSelector('[role=img][aria-label^="Payment of 12.5 SKAS to "]')
      const order = await fetch(`${url}api/orders/${new URL(page.url()).hash.slice(1)}`)
      const { request } = (await order.json()) as { request: { address: string; amount: string } }
      await devnode.fund(request.address, BigInt(request.amount))
      await page.waitForSelector('#file')
      expect(problems).toEqual([])
      await page.close()
    })
  })

  it('is found by `npm create vue-chain` in a registry', async () => {
    const registry = await serveRegistry('create-vue-chain', '0.1.0', workshop.tool)
    const cwd = mkdtempSync(join(tmpdir(), 'npm-create-'))
    const env = { npm_config_registry: registry.url, npm_config_cache: join(cwd, 'cache'), npm_config_yes: 'true' }
    const output = await run('npm', ['create', 'vue-chain@latest', 'app', '--', '--template', 'vanilla'], { cwd, env })
    expect(output).toContain('npm run dev')
    // no other package
    expect(new Set(registry.requested)).toEqual(new Set(['/create-vue-chain', '/create-vue-chain.tgz']))
    expect(filesOf(join(cwd, 'app'))).toEqual(filesOf(await createFromSources(cwd, 'vanilla')))
    registry.stop()
    rmSync(cwd, { recursive: true })
  })
})
