import { asyncScheduler, lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createTestPage } from '../../src/testing/wallets/test-page.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { createTestWallets } from '../../src/testing/wallets/wallets-port.js'
import { turn } from '../turn.js'

/** An engine without a framework, in a page with KasWare. */
function createScene() {
  const page = createTestPage()
  const kasware = createFakeWalletA({ page, latency: 0, checkIn: 0 })
  kasware.install()
  const looks = vi.spyOn(page, 'addEventListener')
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  const engine = createChainEngine({ network: 'simnet', ports: { wallets: createTestWallets(page), platform } })
  return { page, kasware, looks, engine }
}

describe('the wallet of an engine', () => {
  it('is not looked for before somebody listens or asks', async () => {
    const { engine, looks } = createScene()
    expect(engine.wallet.state.status).toBe('disconnected')
    await turn()
    expect(looks).not.toHaveBeenCalled()
    engine.wallet.state$.subscribe()
    await expect.poll(() => engine.wallet.state.installed).toEqual(['walletA'])
    await engine.dispose()
  })

  it('tells what becomes of it to whoever comes, and completes with the engine', async () => {
    const { engine, kasware } = createScene()
    const told = lastValueFrom(engine.wallet.state$.pipe(toArray()))
    await engine.wallet.connect('walletA')
    expect(engine.wallet.state).toMatchObject({ status: 'connected', provider: 'walletA' })
    await engine.dispose()
    const statuses = (await told).map(({ status }) => status)
    expect([...new Set(statuses)]).toEqual(['disconnected', 'connecting', 'connected'])
    expect(kasware.listeners).toBe(0)
  })

  it('is left before it is asked for again, also where nobody awaits that', async () => {
    const { engine, kasware } = createScene()
    await engine.wallet.connect('walletA')
    const left = engine.wallet.disconnect()
    await Promise.all([left, engine.wallet.connect('walletA')])
    expect(engine.wallet.state.status).toBe('connected')
    expect(kasware.prompts.shown).toBe(2) // the permission was taken back in between
    await engine.dispose()
  })

  it('is the same for everybody, and refuses what comes after the end', async () => {
    const { engine } = createScene()
    expect(engine.wallet).toBe(engine.wallet)
    await engine.dispose()
    const error: unknown = await engine.wallet.connect('walletA').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ operation: 'connect', code: 'cancelled', cause: { code: 'disposed' } })
    await expect(engine.wallet.disconnect()).resolves.toBeUndefined()
  })
})
