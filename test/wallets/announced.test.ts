import { describe, expect, it } from 'vitest'
import { createFakeAnnouncedWallet } from '../../src/testing/wallets/announced/fake.js'
import type { WalletStatus } from '../../src/streams/wallet/state.js'
import { ADDRESS, OTHER_ADDRESS, createScene, inFakeTime, outcome, pass } from './scene.js'

inFakeTime()

/** An announced wallet in use, whose road to its node a test can break. */
async function connected() {
  const { page, visit } = createScene()
  const wallet = createFakeAnnouncedWallet({ page })
  wallet.install()
  const session = visit()
  await outcome(session.connect({ ...wallet.info, id: `announced:${wallet.info.rdns}` }))
  await pass()
  const seen: WalletStatus[] = []
  session.state$.subscribe(({ status }) => seen.push(status))
  return { wallet, session, seen }
}

describe('an announced wallet that loses its node', () => {
  it('still shows its account: that is the wallet’s own to tell', async () => {
    const { wallet, session, seen } = await connected()
    wallet.loseNode()
    await pass()
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(seen).toEqual(['connected'])
  })

  it('keeps its account too where it tells of none meanwhile', async () => {
    const { wallet, session, seen } = await connected()
    wallet.failNext('kaspa_accounts', { code: 4900, message: 'The provider is disconnected.' })
    wallet.selectAccount(0) // an occasion to look
    await pass(5_000)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(seen).toEqual(['connected'])
  })

  it('may be asked for its account, and is connected to once it has found its node', async () => {
    const { page, visit } = createScene()
    const wallet = createFakeAnnouncedWallet({ page })
    wallet.install()
    const session = visit()
    wallet.failNext('kaspa_accounts', { code: 4900, message: 'The provider is disconnected.' })
    await outcome(session.connect({ ...wallet.info, id: `announced:${wallet.info.rdns}` }))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })

  it('is looked at anew when it has found it again', async () => {
    const { wallet, session } = await connected()
    wallet.loseNode()
    await pass()
    const looks = wallet.calls.length
    wallet.findNode()
    await pass()
    expect(wallet.calls.slice(looks).map(({ method }) => method)).toContain('kaspa_accounts')
    expect(session.state.status).toBe('connected')
  })

  it('says of a payment that it has lost it, and pays when it has found it again', async () => {
    const { wallet, session } = await connected()
    wallet.loseNode()
    await expect(outcome(session.sendKaspa(OTHER_ADDRESS, 100n))).rejects.toMatchObject({ cause: { code: 4900 } })
    expect(wallet.prompts.shown).toBe(1)
    wallet.findNode()
    expect(await outcome(session.sendKaspa(OTHER_ADDRESS, 100n))).toMatch(/^[0-9a-f]{64}$/)
  })
})
