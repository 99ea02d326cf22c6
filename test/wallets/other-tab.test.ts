import { describe, expect, it, vi } from 'vitest'
import { createWalletSession } from '../../src/streams/wallet/create-session.js'
import type { TestPlatform } from '../../src/testing/platform.js'
import { createPageWallets } from '../../src/wallets/page-wallets.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { OTHER_ADDRESS, createHarness, useFakeTime } from './harness.js'

useFakeTime()

/** A tab with a connected KasWare, whose prompts wait from then on; its storage is that of `other`. */
async function openTab(name: number, other?: TestPlatform) {
  const { page, platform } = createHarness()
  const shared = { ...platform, storage: (other ?? platform).storage, random: () => name }
  const fake = createFakeWalletA({ page, latency: 0, checkIn: 0 })
  fake.install()
  const session = createWalletSession({ wallets: createPageWallets(shared, page), platform: shared })
  const connected = session.connect('walletA')
  await vi.advanceTimersByTimeAsync(1_000)
  await connected
  fake.prompts.respondWith('wait')
  return { fake, platform, session }
}

describe('a KasWare prompt that another tab of the site replaces', () => {
  it('ends a payment as unknown-outcome 30 s after that is noticed, and lists it', async () => {
    const first = await openTab(1)
    const second = await openTab(2, first.platform)
    const paying = first.session.sendKaspa(OTHER_ADDRESS, 100_000_000n).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(first.session.state.pending).toBe('sendKaspa')
    const [prompt] = first.fake.prompts.open
    if (prompt !== undefined) first.fake.prompts.abandon(prompt) // its promise never settles
    const signing = second.session.signMessage('a message').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(first.session.state.pending).toBe('sendKaspa')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await paying).toMatchObject({
      code: 'unknown-outcome',
      outcome: 'unknown',
      details: "Another page called the wallet, which closed this page's window",
    })
    expect(first.session.state.interrupted).toHaveLength(1)
    expect(second.session.state.pending).toBe('signMessage')
    second.session.abort()
    await signing
    first.session.dispose()
    second.session.dispose()
  })

  it('ends a signature as aborted', async () => {
    const first = await openTab(1)
    const second = await openTab(2, first.platform)
    const signing = first.session.signMessage('a message').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    const paying = second.session.sendKaspa(OTHER_ADDRESS, 100_000_000n).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(36_000)
    expect(await signing).toMatchObject({ code: 'aborted' })
    first.session.dispose()
    second.session.dispose()
    await paying
  })
})
