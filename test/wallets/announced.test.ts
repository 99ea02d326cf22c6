import { describe, expect, it } from 'vitest'
import { createFakeAnnouncedWallet } from '../../src/testing/wallets/announced/fake.js'
import type { WalletStatus } from '../../src/streams/wallet/wallet-session.js'
import { ADDRESS, OTHER_ADDRESS, createHarness, useFakeTime, outcome, advance } from './harness.js'

useFakeTime()

/** A connected announced wallet whose node connection a test can drop. */
async function createConnected() {
  const { page, openSession } = createHarness()
  const wallet = createFakeAnnouncedWallet({ page })
  wallet.install()
  const session = openSession()
  await outcome(session.connect({ ...wallet.info, id: `announced:${wallet.info.rdns}` }))
  await advance()
  const seen: WalletStatus[] = []
  session.state$.subscribe(({ status }) => seen.push(status))
  return { wallet, session, seen }
}

describe('an announced wallet with an unreachable node', () => {
  it('still exposes its account', async () => {
    const { wallet, session, seen } = await createConnected()
    wallet.disconnectNode()
    await advance()
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(seen).toEqual(['connected'])
  })

  it('keeps its account if a read fails meanwhile', async () => {
    const { wallet, session, seen } = await createConnected()
    wallet.failNext('kaspa_accounts', { code: 4900, message: 'The provider is disconnected.' })
    wallet.selectAccount(0) // a hint to refresh
    await advance(5_000)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(seen).toEqual(['connected'])
  })

  it('prompts for its account, and connects after the node is reachable again', async () => {
    const { page, openSession } = createHarness()
    const wallet = createFakeAnnouncedWallet({ page })
    wallet.install()
    const session = openSession()
    wallet.failNext('kaspa_accounts', { code: 4900, message: 'The provider is disconnected.' })
    await outcome(session.connect({ ...wallet.info, id: `announced:${wallet.info.rdns}` }))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })

  it('is refreshed after the node is reachable again', async () => {
    const { wallet, session } = await createConnected()
    wallet.disconnectNode()
    await advance()
    const callCount = wallet.calls.length
    wallet.reconnectNode()
    await advance()
    expect(wallet.calls.slice(callCount).map(({ method }) => method)).toContain('kaspa_accounts')
    expect(session.state.status).toBe('connected')
  })

  it('rejects a payment, and pays after the node is reachable again', async () => {
    const { wallet, session } = await createConnected()
    wallet.disconnectNode()
    await expect(outcome(session.sendKaspa(OTHER_ADDRESS, 100n))).rejects.toMatchObject({ cause: { code: 4900 } })
    expect(wallet.prompts.shown).toBe(1)
    wallet.reconnectNode()
    expect(await outcome(session.sendKaspa(OTHER_ADDRESS, 100n))).toMatch(/^[0-9a-f]{64}$/)
  })
})
