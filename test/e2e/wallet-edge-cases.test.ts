import { describe, expect, it } from 'vitest'
import { FIRST, SECOND, failure, setupWalletPage } from './wallet-fixture.js'

const { visit } = setupWalletPage()

describe('while a prompt is open', () => {
  it('rejects a signature after another account was selected', async () => {
    const harness = await visit({ a: {} })
    await harness.attempt('connect', 'walletA')
    await harness.page.evaluate(() => window.a.prompts.respondWith('wait'))
    const signing = harness.attempt('signMessage', 'a message')
    await harness.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await harness.page.evaluate(() => window.a.selectAccount(1))
    await harness.page.evaluate(() => window.a.prompts.open[0]?.respond('approve'))
    expect(await signing).toMatchObject({ operation: 'signMessage', message: 'Wallet operation "signMessage" failed' })
    await harness.waitForState({ address: SECOND })
  })

  it('applies the user’s decision after a change of the network', async () => {
    const harness = await visit({ a: {} })
    await harness.attempt('connect', 'walletA')
    await harness.page.evaluate(() => window.a.prompts.respondWith('wait'))
    const paying = harness.attempt('sendKaspa', SECOND, '100000000n')
    await harness.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await harness.page.evaluate(() => window.a.switchNetwork('testnet-10'))
    await harness.page.evaluate(() => window.a.prompts.open[0]?.respond('reject'))
    expect(await paying).toMatchObject({ operation: 'sendKaspa', code: 'rejected' })
    await harness.waitForState({ network: 'testnet-10' })
  })

  it('reconnects after a reload without repeating the prompt', async () => {
    const harness = await visit({ b: {} })
    await harness.attempt('connect', 'walletB')
    await harness.page.evaluate(() => {
      window.b.prompts.respondWith('wait')
      void window.attempt('signMessage', 'a message')
    })
    await harness.page.waitForFunction(() => window.b.prompts.open.length === 1)
    await harness.page.reload()
    await harness.waitForState({ status: 'connected', address: FIRST })
    expect(await harness.page.evaluate(() => window.b.prompts.shown)).toBe(0)
  })
})

describe('a payment whose prompt is open at a reload', () => {
  it('is listed afterwards, shown by the dialog, and ends when dismissed', async () => {
    const harness = await visit({ a: {} })
    const { page } = harness
    await harness.attempt('connect', 'walletA')
    await page.evaluate((to) => {
      window.a.prompts.respondWith('wait')
      void window.attempt('sendKaspa', to, '150000000n')
    }, SECOND)
    await page.waitForFunction(() => window.a.prompts.open.length === 1)
    expect((await harness.state()).interrupted).toEqual([])
    await page.reload()
    await harness.waitForState({ status: 'connected' })
    expect((await harness.state()).interrupted).toMatchObject([
      { wallet: 'walletA', from: FIRST, outputs: [{ address: SECOND, amount: '150000000' }] },
    ])
    await page.click('.vc-trigger')
    await page.getByText(`A payment of 1.5 KAS to ${SECOND} was begun in KasWare`).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await harness.waitForState({ interrupted: [] })
    await page.reload()
    await harness.waitForState({ status: 'connected', interrupted: [] })
  })

  it('is not listed after the wallet has returned its id', async () => {
    const harness = await visit({ a: {} })
    await harness.attempt('connect', 'walletA')
    expect(await harness.attempt('sendKaspa', SECOND, '150000000n')).toHaveProperty('resolved')
    await harness.page.reload()
    await harness.waitForState({ status: 'connected', interrupted: [] })
  })
})

describe('restricted environments', () => {
  it('connects on a page without storage', async () => {
    const harness = await visit({ a: { memory: 'none' } })
    await harness.context.addInitScript(() => {
      const refuse = (): never => {
        throw new DOMException('Denied', 'SecurityError')
      }
      Object.defineProperty(window, 'localStorage', { get: refuse })
    })
    await harness.page.reload()
    expect(await harness.attempt('connect', 'walletA')).toEqual({ resolved: null })
    expect(await harness.state()).toMatchObject({ status: 'connected', address: FIRST })
    expect(await harness.attempt('disconnect')).toEqual({ resolved: null })
  })

  it('completes a prompt of a hidden tab once it is visible', async () => {
    const harness = await visit({ a: {} })
    await harness.attempt('connect', 'walletA')
    await harness.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const signing = harness.attempt('signMessage', 'unseen')
    await harness.page.waitForFunction(() => window.a.calls.some(({ method }) => method === 'signMessage'))
    expect(await harness.page.evaluate(() => window.a.prompts.shown)).toBe(1) // that of the connection
    await harness.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await signing).toHaveProperty('resolved')
  })

  it('ignores an unrelated object under the name of a wallet', async () => {
    const harness = await visit()
    await harness.context.addInitScript(() => Object.assign(window, { kasware: { hello: 'world' }, kastle: 'none' }))
    await harness.page.reload()
    expect(await harness.attempt('connect', 'walletA')).toMatchObject({ code: 'not-installed' })
    expect((await harness.state()).installed).toEqual([false, false])
  })
})

describe('invalid responses', () => {
  it.each([
    ['sendKaspa', { operation: 'sendKaspa', code: 'unknown-outcome' }],
    ['signMessage', { operation: 'signMessage' }],
  ])('to %s reject', async (operation, expected) => {
    const harness = await visit({ a: {} })
    await harness.attempt('connect', 'walletA')
    await harness.page.evaluate((method) => {
      Object.assign(window.a.provider, { [method]: () => Promise.resolve('<html>Bad gateway</html>') })
    }, operation)
    const args = operation === 'sendKaspa' ? [SECOND, '100000000n'] : ['x']
    expect(await harness.attempt(operation, ...args)).toMatchObject(expected)
  })

  it('a failed balance request results in no balance, and keeps the connection', async () => {
    const harness = await visit({ a: {} })
    await harness.page.evaluate(() => window.a.failNext('getBalance', { code: -32603, message: 'no node' }))
    expect(await harness.attempt('connect', 'walletA')).toEqual({ resolved: null })
    expect(await harness.state()).toMatchObject({ status: 'connected', balance: null, error: null })
  })
})

describe('two wallets', () => {
  it('keep the first connected until the second has accepted', async () => {
    const harness = await visit({ a: {}, b: {} })
    await harness.attempt('connect', 'walletA')
    await harness.page.evaluate(() => window.b.prompts.respondWith('reject'))
    expect(await harness.attempt('connect', 'walletB')).toMatchObject({ code: 'rejected' })
    expect(await harness.state()).toMatchObject({ provider: 'walletA', status: 'connected' })
    await harness.page.evaluate(() => window.b.prompts.respondWith('approve'))
    await harness.attempt('connect', 'walletB')
    expect(await harness.state()).toMatchObject({ provider: 'walletB', balance: null })
    await expect.poll(() => harness.page.evaluate(() => window.a.listeners)).toBe(0)
  })

  it('show one prompt at a time', async () => {
    const harness = await visit({ a: { prompts: 'wait' }, b: {} })
    const first = harness.attempt('connect', 'walletA')
    await harness.page.waitForFunction(() => window.a.prompts.open.length === 1)
    expect(await harness.attempt('connect', 'walletB')).toMatchObject({ ...failure('connect'), code: 'busy' })
    await harness.page.evaluate(() => window.a.prompts.open[0]?.respond('approve'))
    expect(await first).toEqual({ resolved: null })
  })
})
