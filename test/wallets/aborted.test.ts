import { describe, expect, it } from 'vitest'
import type { TestPageState } from '../../src/testing/wallets/page.js'
import { OTHER_ADDRESS, WALLETS, begin, createHarness, failure, useFakeTime, outcome, advance } from './harness.js'

useFakeTime()

const PROMPTING_METHODS = ['requestAccounts', 'connect', 'kaspa_requestAccounts', 'switchNetwork', 'signAndBroadcastTx']

/** A page with a wallet of high latency. */
function open(kind: keyof typeof WALLETS, initial: Partial<TestPageState> = {}) {
  const harness = createHarness(initial)
  const { id, create } = WALLETS[kind]
  const wallet = create({ page: harness.page, latency: 300 })
  wallet.install()
  const session = harness.openSession()
  const connect = () => session.connect({ id, name: kind, icon: null, rdns: null })
  const prompts = () => wallet.calls.map(({ method }) => method).filter((method) => PROMPTING_METHODS.includes(method))
  return { ...harness, wallet, session, connect, prompts }
}

describe('an operation aborted before its prompt opens no prompt', () => {
  it.each(['walletA', 'walletB'] as const)('connect to %s while the page is loading', async (kind) => {
    const { page, session, connect, prompts } = open(kind, { readyState: 'loading' })
    const connecting = begin(connect())
    await advance()
    await outcome(session.disconnect())
    expect(await failure(connecting)).toMatchObject({ operation: 'connect', code: 'aborted' })
    page.setState({ readyState: 'interactive' })
    page.setState({ readyState: 'complete' })
    await advance(5_000)
    expect(prompts()).toEqual([])
  })

  it('connect to a wallet while it is read', async () => {
    const { session, connect, prompts } = open('announced')
    const connecting = begin(connect())
    await advance(100)
    await outcome(session.disconnect())
    expect(await failure(connecting)).toMatchObject({ code: 'aborted' })
    await advance(5_000)
    expect(prompts()).toEqual([])
  })

  it('the retry of a KasWare connect before its check-in', async () => {
    const { wallet, session, connect, prompts } = open('walletA')
    wallet.failNext('requestAccounts', { code: 4100, message: 'The requested account has not been authorized' })
    const connecting = begin(connect())
    await advance(500)
    await outcome(session.disconnect())
    await failure(connecting)
    await advance(5_000)
    expect(prompts()).toEqual(['requestAccounts'])
  })

  it('a payment that Kastle is building', async () => {
    const { session, connect, prompts } = open('walletB')
    await outcome(connect(), 5_000)
    const paying = begin(session.sendKaspa(OTHER_ADDRESS, 50_000_000n))
    await advance(100)
    await outcome(session.disconnect())
    await failure(paying)
    await advance(5_000)
    expect(prompts()).toEqual(['connect'])
  })

  it("a network switch while KasWare's network is read", async () => {
    const { session, connect, prompts } = open('walletA')
    await outcome(connect(), 5_000)
    const switching = begin(session.switchNetwork('testnet-10'))
    await advance(100)
    await outcome(session.disconnect())
    expect(await failure(switching)).toMatchObject({ code: 'aborted' })
    await advance(5_000)
    expect(prompts()).toEqual(['requestAccounts'])
  })

  it.each(['walletA', 'walletB'] as const)('connect to %s when the session is disposed', async (kind) => {
    const { page, session, connect, prompts } = open(kind, { readyState: 'loading' })
    const connecting = begin(connect())
    await advance()
    session.dispose()
    await failure(connecting)
    page.setState({ readyState: 'complete' })
    await advance(5_000)
    expect(prompts()).toEqual([])
  })
})
