import { asyncScheduler, lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createTestPage, createTestWallets } from '../../src/testing/wallets/page.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { turn } from '../turn.js'

/** An engine without a framework, in a page with wallet A. */
function createHarness() {
  const page = createTestPage()
  const walletA = createFakeWalletA({ page, latency: 0, checkIn: 0 })
  walletA.install()
  const addEventListener = vi.spyOn(page, 'addEventListener')
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  const engine = createChainEngine({ network: 'simnet', ports: { wallets: createTestWallets(page), platform } })
  onTestFinished(() => engine.dispose())
  return { page, walletA, addEventListener, engine }
}

describe('the wallet of an engine', () => {
  it('is not detected before the first subscription or operation', async () => {
    const { engine, addEventListener } = createHarness()
    expect(engine.wallet.state.status).toBe('disconnected')
    await turn()
    expect(addEventListener).not.toHaveBeenCalled()
    engine.wallet.state$.subscribe()
    await expect.poll(() => engine.wallet.state.installed).toEqual(['walletA'])
  })

  it('emits its states to every subscriber, and completes with the engine', async () => {
    const { engine, walletA } = createHarness()
    const states = lastValueFrom(engine.wallet.state$.pipe(toArray()))
    await engine.wallet.connect('walletA')
    expect(engine.wallet.state).toMatchObject({ status: 'connected', provider: 'walletA' })
    await engine.dispose()
    const statuses = (await states).map(({ status }) => status)
    expect([...new Set(statuses)]).toEqual(['disconnected', 'connecting', 'connected'])
    expect(walletA.listeners).toBe(0)
  })

  it('disconnects before a following connect(), without awaiting disconnect()', async () => {
    const { engine, walletA } = createHarness()
    await engine.wallet.connect('walletA')
    const disconnected = engine.wallet.disconnect()
    await Promise.all([disconnected, engine.wallet.connect('walletA')])
    expect(engine.wallet.state.status).toBe('connected')
    expect(walletA.prompts.shown).toBe(2) // disconnect() revoked the permission
  })

  it('is one object per engine, and rejects operations after dispose()', async () => {
    const { engine } = createHarness()
    expect(engine.wallet).toBe(engine.wallet)
    await engine.dispose()
    const error: unknown = await engine.wallet.connect('walletA').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ operation: 'connect', code: 'disposed', cause: { code: 'disposed' } })
    await expect(engine.wallet.disconnect()).resolves.toBeUndefined()
  })
})
