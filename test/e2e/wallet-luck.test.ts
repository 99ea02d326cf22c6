import { describe, expect, it } from 'vitest'
import { FIRST, SECOND, failure, onStage } from './wallet-stage.js'

const { visit } = onStage()

describe('while the wallet asks its user', () => {
  it('another account is selected: what was signed is not handed out as the first one’s', async () => {
    const scene = await visit({ a: {} })
    await scene.attempt('connect', 'walletA')
    await scene.page.evaluate(() => window.a.prompts.answerWith('wait'))
    const signing = scene.attempt('signMessage', 'whose?')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await scene.page.evaluate(() => window.a.selectAccount(1))
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('approve'))
    expect(await signing).toMatchObject({ operation: 'signMessage', message: 'Wallet operation "signMessage" failed' })
    await scene.becomes({ address: SECOND })
    await scene.end()
  })

  it('the network is changed: what the user then says still holds', async () => {
    const scene = await visit({ a: {} })
    await scene.attempt('connect', 'walletA')
    await scene.page.evaluate(() => window.a.prompts.answerWith('wait'))
    const paying = scene.attempt('sendKaspa', SECOND, '100000000n')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await scene.page.evaluate(() => window.a.switchNetwork('testnet-10'))
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('reject'))
    expect(await paying).toMatchObject({ operation: 'sendKaspa', code: 'rejected' })
    await scene.becomes({ network: 'testnet-10' })
    await scene.end()
  })

  it('the page is loaded again: nothing hangs, and nothing is asked anew', async () => {
    const scene = await visit({ b: {} })
    await scene.attempt('connect', 'walletB')
    await scene.page.evaluate(() => {
      window.b.prompts.answerWith('wait')
      void window.attempt('signMessage', 'lost')
    })
    await scene.page.waitForFunction(() => window.b.prompts.open.length === 1)
    await scene.page.reload()
    await scene.becomes({ status: 'connected', address: FIRST })
    expect(await scene.page.evaluate(() => window.b.prompts.shown)).toBe(0)
    await scene.end()
  })
})

describe('surroundings that do not help', () => {
  it('a page that cannot keep anything works as one that was never visited', async () => {
    const scene = await visit({ a: { memory: 'none' } })
    await scene.context.addInitScript(() => {
      const refuse = (): never => {
        throw new DOMException('Denied', 'SecurityError')
      }
      Object.defineProperty(window, 'localStorage', { get: refuse })
    })
    await scene.page.reload()
    expect(await scene.attempt('connect', 'walletA')).toEqual({ resolved: null })
    expect(await scene.state()).toMatchObject({ status: 'connected', address: FIRST })
    expect(await scene.attempt('disconnect')).toEqual({ resolved: null })
    await scene.end()
  })

  it('a hidden tab: what is asked there is answered when it is seen', async () => {
    const scene = await visit({ a: {} })
    await scene.attempt('connect', 'walletA')
    await scene.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const signing = scene.attempt('signMessage', 'unseen')
    await scene.page.waitForFunction(() => window.a.calls.some(({ method }) => method === 'signMessage'))
    expect(await scene.page.evaluate(() => window.a.prompts.shown)).toBe(1) // that of the connection
    await scene.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await signing).toHaveProperty('resolved')
    await scene.end()
  })

  it('a wallet of another maker that stands under a known name', async () => {
    const scene = await visit()
    await scene.context.addInitScript(() => Object.assign(window, { kasware: { hello: 'world' }, kastle: 'none' }))
    await scene.page.reload()
    expect(await scene.attempt('connect', 'walletA')).toMatchObject({ code: 'not-installed' })
    expect((await scene.state()).installed).toEqual([false, false])
    await scene.end()
  })
})

describe('answers that make no sense', () => {
  it.each([
    ['sendKaspa', { operation: 'sendKaspa', code: 'unknown-outcome' }],
    ['signMessage', { operation: 'signMessage' }],
  ])('to %s are an error that carries what came', async (operation, expected) => {
    const scene = await visit({ a: {} })
    await scene.attempt('connect', 'walletA')
    await scene.page.evaluate((method) => {
      Object.assign(window.a.provider, { [method]: () => Promise.resolve('<html>Bad gateway</html>') })
    }, operation)
    const args = operation === 'sendKaspa' ? [SECOND, '100000000n'] : ['x']
    expect(await scene.attempt(operation, ...args)).toMatchObject(expected)
    await scene.end()
  })

  it('a balance that cannot be had is none, and spoils nothing', async () => {
    const scene = await visit({ a: {} })
    await scene.page.evaluate(() => window.a.failNext('getBalance', { code: -32603, message: 'no node' }))
    expect(await scene.attempt('connect', 'walletA')).toEqual({ resolved: null })
    expect(await scene.state()).toMatchObject({ status: 'connected', balance: null, error: null })
    await scene.end()
  })
})

describe('two wallets at once', () => {
  it('take turns: the earlier one stays until the other has answered', async () => {
    const scene = await visit({ a: {}, b: {} })
    await scene.attempt('connect', 'walletA')
    await scene.page.evaluate(() => window.b.prompts.answerWith('reject'))
    expect(await scene.attempt('connect', 'walletB')).toMatchObject({ code: 'rejected' })
    expect(await scene.state()).toMatchObject({ provider: 'walletA', status: 'connected' })
    await scene.page.evaluate(() => window.b.prompts.answerWith('approve'))
    await scene.attempt('connect', 'walletB')
    expect(await scene.state()).toMatchObject({ provider: 'walletB', balance: null })
    await expect.poll(() => scene.page.evaluate(() => window.a.listeners)).toBe(0)
    await scene.end()
  })

  it('are asked one at a time', async () => {
    const scene = await visit({ a: { prompts: 'wait' }, b: {} })
    const first = scene.attempt('connect', 'walletA')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    expect(await scene.attempt('connect', 'walletB')).toMatchObject({ ...failure('connect'), code: 'busy' })
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('approve'))
    expect(await first).toEqual({ resolved: null })
    await scene.end()
  })
})
