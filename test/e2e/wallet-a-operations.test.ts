import { describe, expect, it } from 'vitest'
import type { Harness, HarnessOptions } from './wallet-harness.js'
import { FIRST, ON_TESTNET, SECOND, TRANSACTION_ID, connectTo, failure, setupWalletPage } from './wallet-fixture.js'

const REJECTED = { code: 4001, message: 'User rejected the request.' }

const { visit } = setupWalletPage()
const connected = (a: HarnessOptions['a'] = {}): Promise<Harness> => connectTo('walletA', visit({ a }))
const shown = ({ page }: Harness): Promise<number> => page.evaluate(() => window.a.prompts.shown)

/** Waits for the response to another call, and so for all earlier ones. */
const flushCalls = ({ page }: Harness, method: 'getVersion' | 'getAccounts'): Promise<unknown> =>
  page.evaluate((name) => window.a.provider[name](), method)

describe('switching the network from the page', () => {
  it('resolves once the account of that network is known', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => (window.a.behavior.accountsLag = 300))
    expect(await harness.attempt('switchNetwork', 'testnet-10')).toEqual({ resolved: null })
    expect(await harness.state()).toMatchObject({
      network: 'testnet-10',
      address: ON_TESTNET,
    })
  })

  it('rejects an unsupported network without a prompt', async () => {
    const harness = await connected()
    const before = await shown(harness)
    expect(await harness.attempt('switchNetwork', 'simnet')).toMatchObject(failure('switchNetwork'))
    expect(await shown(harness)).toBe(before)
  })

  it('keeps the state when the user declines', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.prompts.respondWith('close'))
    expect(await harness.attempt('switchNetwork', 'testnet-10')).toMatchObject({ code: 'rejected', cause: REJECTED })
    expect(await harness.state()).toMatchObject({ network: 'mainnet', address: FIRST, status: 'connected' })
  })
})

describe('paying through walletA', () => {
  it.each(['id', 'json', 'object'] as const)('resolves to the id from a response of the form %s', async (form) => {
    const harness = await connected()
    await harness.page.evaluate((send) => (window.a.behavior.send = send), form)
    const outcome = await harness.attempt('sendKaspa', SECOND, '100000000n', { priorityFee: '1000n', payload: 'BEEF' })
    expect(outcome).toEqual({ resolved: TRANSACTION_ID })
    const sent = await harness.page.evaluate(() => window.a.calls.filter(({ method }) => method === 'sendKaspa'))
    expect(sent[0]?.args).toEqual([SECOND, 100_000_000, { priorityFee: 1000, payload: 'beef' }])
  })

  it('rejects invalid amounts, options and addresses without a wallet call', async () => {
    const harness = await connected()
    const invalid = [
      ['9007199254740992n', {}],
      ['0n', {}],
      ['-1n', {}],
      ['1n', { priorityFee: '9007199254740992n' }],
      ['1n', { payload: 'abc' }],
      ['1n', { payload: '0xab' }],
    ]
    for (const [amount, options] of invalid) {
      expect(await harness.attempt('sendKaspa', SECOND, amount, options)).toMatchObject(failure('sendKaspa'))
    }
    const onTestnet = 'kaspatest:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvf8wm4lf9'
    expect(await harness.attempt('sendKaspa', onTestnet, '100000000n')).toMatchObject(failure('sendKaspa'))
    const calls = await harness.page.evaluate(() => window.a.calls.map(({ method }) => method))
    expect(calls).not.toContain('sendKaspa')
  })

  it('accepts the largest safe integer', async () => {
    const harness = await connected()
    expect(await harness.attempt('sendKaspa', SECOND, '9007199254740991n')).toHaveProperty('resolved')
  })

  it.each(['reject', 'close'] as const)('rejects on the user’s %s', async (response) => {
    const harness = await connected()
    await harness.page.evaluate((policy) => window.a.prompts.respondWith(policy), response)
    const outcome = await harness.attempt('sendKaspa', SECOND, '100000000n')
    expect(outcome).toEqual({ ...failure('sendKaspa'), code: 'rejected', cause: REJECTED })
    expect(await harness.state()).toMatchObject({ status: 'connected', error: 'rejected' })
  })
})

describe('signing with walletA', () => {
  it.each(['hex', 'base64'] as const)('resolves to a signature for verifyMessage, from %s', async (form) => {
    const harness = await connected()
    await harness.page.evaluate((signature) => (window.a.behavior.signature = signature), form)
    const outcome = await harness.attempt('signMessage', '日本語 \n ü')
    expect(outcome).toMatchObject({ resolved: { signature: expect.stringMatching(/^[0-9a-f]{128}$/) as string } })
    const signed = (outcome as { resolved: unknown }).resolved
    expect(await harness.page.evaluate(`verify(${JSON.stringify(signed)})`)).toBe(true)
  })

  it.each(['reject', 'close'] as const)('rejects on the user’s %s', async (response) => {
    const harness = await connected()
    await harness.page.evaluate((policy) => window.a.prompts.respondWith(policy), response)
    expect(await harness.attempt('signMessage', 'x')).toEqual({
      ...failure('signMessage'),
      code: 'rejected',
      cause: REJECTED,
    })
  })
})

describe('while a prompt is open', () => {
  it('rejects a second operation as busy, and completes the first', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.prompts.respondWith('wait'))
    const first = harness.attempt('signMessage', 'first')
    await harness.page.waitForFunction(() => window.a.prompts.open.length === 1)
    expect(await harness.attempt('sendKaspa', SECOND, '100000000n')).toMatchObject({ code: 'busy' })
    await harness.page.evaluate(() => window.a.prompts.open[0]?.respond('approve'))
    expect(await first).toHaveProperty('resolved')
  })

  it('disconnect aborts the pending operation, and a late response changes nothing', async () => {
    const harness = await visit({ a: { prompts: 'wait' } })
    const connecting = harness.attempt('connect', 'walletA')
    await harness.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await harness.attempt('disconnect')
    expect(await connecting).toMatchObject({ ...failure('connect'), code: 'aborted' })
    await harness.page.evaluate(() => window.a.prompts.open[0]?.respond('approve'))
    await flushCalls(harness, 'getVersion') // called later, so the earlier response has arrived
    expect(await harness.state()).toMatchObject({ status: 'disconnected', address: null })
  })

  it('an aborted payment has an unknown outcome', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.prompts.respondWith('wait'))
    const paying = harness.attempt('sendKaspa', SECOND, '100000000n')
    await harness.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await harness.attempt('disconnect')
    expect(await paying).toMatchObject({ ...failure('sendKaspa'), code: 'unknown-outcome' })
  })
})

it('ignores a response after a disconnect', async () => {
  const harness = await connected()
  await harness.page.evaluate(() => {
    Object.assign(window, { release: window.a.delayNext('getAccounts') })
    window.a.selectAccount(1)
  })
  await harness.attempt('disconnect')
  await harness.page.evaluate('release()')
  await flushCalls(harness, 'getVersion')
  expect(await harness.state()).toMatchObject({ status: 'disconnected', address: null })
})

it('leaves no listener after ten connects and disconnects', async () => {
  const harness = await visit({ a: {} })
  for (let round = 0; round < 10; round++) {
    await harness.attempt('connect', 'walletA')
    await harness.attempt('disconnect')
  }
  await expect.poll(() => harness.page.evaluate(() => window.a.listeners)).toBe(0)
})
