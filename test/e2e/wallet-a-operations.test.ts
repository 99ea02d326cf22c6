import { describe, expect, it } from 'vitest'
import type { Scene, SceneOptions } from './wallet-scene.js'
import { FIRST, ON_TESTNET, SECOND, TRANSACTION_ID, connectTo, failure, onStage } from './wallet-stage.js'

const REJECTED = { code: 4001, message: 'User rejected the request.' }

const { visit } = onStage()
const connected = (a: SceneOptions['a'] = {}): Promise<Scene> => connectTo('walletA', visit({ a }))
const shown = ({ page }: Scene): Promise<number> => page.evaluate(() => window.a.prompts.shown)

/** Waits until the wallet has answered one more call, and with it every earlier one. */
const answered = ({ page }: Scene, method: 'getVersion' | 'getAccounts'): Promise<unknown> =>
  page.evaluate((name) => window.a.provider[name](), method)

describe('switching the network from the page', () => {
  it('resolves once the account of that network is there', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => (window.a.answers.accountsLag = 300))
    expect(await scene.attempt('switchNetwork', 'testnet-10')).toEqual({ resolved: null })
    expect(await scene.state()).toMatchObject({
      network: 'testnet-10',
      address: ON_TESTNET,
    })
    await scene.end()
  })

  it('is refused before the wallet is asked where it has no such network', async () => {
    const scene = await connected()
    const before = await shown(scene)
    expect(await scene.attempt('switchNetwork', 'simnet')).toMatchObject(failure('switchNetwork'))
    expect(await shown(scene)).toBe(before)
    await scene.end()
  })

  it('that the user declines leaves everything as it was', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.prompts.answerWith('close'))
    expect(await scene.attempt('switchNetwork', 'testnet-10')).toMatchObject({ code: 'rejected', cause: REJECTED })
    expect(await scene.state()).toMatchObject({ network: 'mainnet', address: FIRST, status: 'connected' })
    await scene.end()
  })
})

describe('paying through walletA', () => {
  it.each(['id', 'json', 'object'] as const)('gives the id where the wallet answers with %s', async (form) => {
    const scene = await connected()
    await scene.page.evaluate((send) => (window.a.answers.send = send), form)
    const outcome = await scene.attempt('sendKaspa', SECOND, '100000000n', { priorityFee: '1000n', payload: 'BEEF' })
    expect(outcome).toEqual({ resolved: TRANSACTION_ID })
    const sent = await scene.page.evaluate(() => window.a.calls.filter(({ method }) => method === 'sendKaspa'))
    expect(sent[0]?.args).toEqual([SECOND, 100_000_000, { priorityFee: 1000, payload: 'beef' }])
    await scene.end()
  })

  it('refuses what cannot be meant before the wallet is asked', async () => {
    const scene = await connected()
    const senseless = [
      ['9007199254740992n', {}],
      ['0n', {}],
      ['-1n', {}],
      ['1n', { priorityFee: '9007199254740992n' }],
      ['1n', { payload: 'abc' }],
      ['1n', { payload: '0xab' }],
    ]
    for (const [amount, options] of senseless) {
      expect(await scene.attempt('sendKaspa', SECOND, amount, options)).toMatchObject(failure('sendKaspa'))
    }
    const elsewhere = 'kaspatest:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvf8wm4lf9'
    expect(await scene.attempt('sendKaspa', elsewhere, '100000000n')).toMatchObject(failure('sendKaspa'))
    const calls = await scene.page.evaluate(() => window.a.calls.map(({ method }) => method))
    expect(calls).not.toContain('sendKaspa')
    await scene.end()
  })

  it('lets the largest number through that is exact', async () => {
    const scene = await connected()
    expect(await scene.attempt('sendKaspa', SECOND, '9007199254740991n')).toHaveProperty('resolved')
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (answer) => {
    const scene = await connected()
    await scene.page.evaluate((policy) => window.a.prompts.answerWith(policy), answer)
    const outcome = await scene.attempt('sendKaspa', SECOND, '100000000n')
    expect(outcome).toEqual({ ...failure('sendKaspa'), code: 'rejected', cause: REJECTED })
    expect(await scene.state()).toMatchObject({ status: 'connected', error: 'rejected' })
    await scene.end()
  })
})

describe('signing with walletA', () => {
  it.each(['hex', 'base64'] as const)('gives what verifyMessage takes, from %s', async (form) => {
    const scene = await connected()
    await scene.page.evaluate((signature) => (window.a.answers.signature = signature), form)
    const outcome = await scene.attempt('signMessage', '日本語 \n ü')
    expect(outcome).toMatchObject({ resolved: { signature: expect.stringMatching(/^[0-9a-f]{128}$/) as string } })
    const signed = (outcome as { resolved: unknown }).resolved
    expect(await scene.page.evaluate(`verify(${JSON.stringify(signed)})`)).toBe(true)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (answer) => {
    const scene = await connected()
    await scene.page.evaluate((policy) => window.a.prompts.answerWith(policy), answer)
    expect(await scene.attempt('signMessage', 'x')).toEqual({
      ...failure('signMessage'),
      code: 'rejected',
      cause: REJECTED,
    })
    await scene.end()
  })
})

describe('while a window is open', () => {
  it('a second question is refused at once, and the first is still answered', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.prompts.answerWith('wait'))
    const first = scene.attempt('signMessage', 'first')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    expect(await scene.attempt('sendKaspa', SECOND, '100000000n')).toMatchObject({ code: 'busy' })
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('approve'))
    expect(await first).toHaveProperty('resolved')
    await scene.end()
  })

  it('letting go of the wallet ends the wait, and a late answer changes nothing', async () => {
    const scene = await visit({ a: { prompts: 'wait' } })
    const connecting = scene.attempt('connect', 'walletA')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await scene.attempt('disconnect')
    expect(await connecting).toMatchObject({ ...failure('connect'), code: 'cancelled' })
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('approve'))
    await answered(scene, 'getVersion') // asked later, so the earlier answer has come
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
    await scene.end()
  })

  it('a payment that is given up has an unknown outcome', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.prompts.answerWith('wait'))
    const paying = scene.attempt('sendKaspa', SECOND, '100000000n')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await scene.attempt('disconnect')
    expect(await paying).toMatchObject({ ...failure('sendKaspa'), code: 'unknown-outcome' })
    await scene.end()
  })
})

it('drops an answer that comes after letting go', async () => {
  const scene = await connected()
  await scene.page.evaluate(() => {
    Object.assign(window, { release: window.a.holdNext('getAccounts') })
    window.a.selectAccount(1)
  })
  await scene.attempt('disconnect')
  await scene.page.evaluate('release()')
  await answered(scene, 'getVersion')
  expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
  await scene.end()
})

it('leaves no listener behind after ten rounds of connecting and letting go', async () => {
  const scene = await visit({ a: {} })
  for (let round = 0; round < 10; round++) {
    await scene.attempt('connect', 'walletA')
    await scene.attempt('disconnect')
  }
  await expect.poll(() => scene.page.evaluate(() => window.a.listeners)).toBe(0)
  await scene.end()
})
