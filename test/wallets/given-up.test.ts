import { describe, expect, it } from 'vitest'
import type { TestPageState } from '../../src/testing/wallets/test-page.js'
import { OTHER_ADDRESS, WALLETS, begin, createScene, failure, inFakeTime, outcome, pass } from './scene.js'

inFakeTime()

const PROMPTING = ['requestAccounts', 'connect', 'kaspa_requestAccounts', 'switchNetwork', 'signAndBroadcastTx']

/** A page with a wallet that takes its time over every answer. */
function open(kind: keyof typeof WALLETS, initial: Partial<TestPageState> = {}) {
  const scene = createScene(initial)
  const { id, create } = WALLETS[kind]
  const wallet = create({ page: scene.page, latency: 300 })
  wallet.install()
  const session = scene.visit()
  const connect = () => session.connect({ id, name: kind, icon: null, rdns: null })
  const asked = () => wallet.calls.map(({ method }) => method).filter((method) => PROMPTING.includes(method))
  return { ...scene, wallet, session, connect, asked }
}

describe('what was given up before the wallet could be asked is not asked any more', () => {
  it.each(['walletA', 'walletB'] as const)('connecting to %s, whose page was still loading', async (kind) => {
    const { page, session, connect, asked } = open(kind, { readyState: 'loading' })
    const connecting = begin(connect())
    await pass()
    await outcome(session.disconnect())
    expect(await failure(connecting)).toMatchObject({ operation: 'connect', code: 'cancelled' })
    page.become({ readyState: 'interactive' })
    page.become({ readyState: 'complete' })
    await pass(5_000)
    expect(asked()).toEqual([])
  })

  it('connecting to a wallet that was still being looked at', async () => {
    const { session, connect, asked } = open('announced')
    const connecting = begin(connect())
    await pass(100)
    await outcome(session.disconnect())
    expect(await failure(connecting)).toMatchObject({ code: 'cancelled' })
    await pass(5_000)
    expect(asked()).toEqual([])
  })

  it('connecting to KasWare a second time, where the first was too early', async () => {
    const { wallet, session, connect, asked } = open('walletA')
    wallet.failNext('requestAccounts', { code: 4100, message: 'The requested account has not been authorized' })
    const connecting = begin(connect())
    await pass(500)
    await outcome(session.disconnect())
    await failure(connecting)
    await pass(5_000)
    expect(asked()).toEqual(['requestAccounts'])
  })

  it('a payment that Kastle was still building', async () => {
    const { session, connect, asked } = open('walletB')
    await outcome(connect(), 5_000)
    const paying = begin(session.sendKaspa(OTHER_ADDRESS, 50_000_000n))
    await pass(100)
    await outcome(session.disconnect())
    await failure(paying)
    await pass(5_000)
    expect(asked()).toEqual(['connect'])
  })

  it('a switch before which KasWare was still being asked for its names', async () => {
    const { session, connect, asked } = open('walletA')
    await outcome(connect(), 5_000)
    const switching = begin(session.switchNetwork('testnet-10'))
    await pass(100)
    await outcome(session.disconnect())
    expect(await failure(switching)).toMatchObject({ code: 'cancelled' })
    await pass(5_000)
    expect(asked()).toEqual(['requestAccounts'])
  })

  it.each(['walletA', 'walletB'] as const)('and neither when the page’s session ends, with %s', async (kind) => {
    const { page, session, connect, asked } = open(kind, { readyState: 'loading' })
    const connecting = begin(connect())
    await pass()
    session.dispose()
    await failure(connecting)
    page.become({ readyState: 'complete' })
    await pass(5_000)
    expect(asked()).toEqual([])
  })
})
