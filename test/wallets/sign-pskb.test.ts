import { describe, expect, it } from 'vitest'
import { createFakeAnnouncedWallet, type FakeAnnouncedWalletOptions } from '../../src/testing/wallets/announced/fake.js'
import { WALLETS, createHarness, failure, outcome, useFakeTime } from './harness.js'

useFakeTime()

/** An empty bundle: its content is for who combines it. */
const BUNDLE = 'PSKB5b5d'
const SIGNED = 'PSKB5b7b7d5d'

async function createConnected(options: FakeAnnouncedWalletOptions = {}) {
  const { page, openSession } = createHarness()
  const wallet = createFakeAnnouncedWallet({ page, signPskb: () => SIGNED, ...options })
  wallet.install()
  const session = openSession()
  await outcome(session.connect({ ...wallet.info, id: `announced:${wallet.info.rdns}` }))
  return { wallet, session }
}

describe('signPskb', () => {
  it('has an announced wallet sign the text, and returns its own', async () => {
    const { wallet, session } = await createConnected()
    expect(session.state.canSignPskb).toBe(true)
    expect(await outcome(session.signPskb(BUNDLE))).toBe(SIGNED)
    expect(wallet.calls.at(-1)).toMatchObject({ method: 'kaspa_signPskb', args: [[BUNDLE]] })
  })

  it.each(['', 'PSKB', 'PSKB5b5', 'PSKT5b5d', `PSKB${'5b'.repeat(2 ** 19)}`, 5, undefined])(
    'rejects %.20s before any window',
    async (text) => {
      const { wallet, session } = await createConnected()
      const error = await failure(session.signPskb(text as string))
      expect(error).toMatchObject({ operation: 'signPskb', code: 'invalid-argument', argument: 'text' })
      expect(wallet.prompts.shown).toBe(1)
    },
  )

  it.each([
    ['its draft allows no script of several keys', 4100, 'unsupported', /several keys.*`proposal\.signAsync`/],
    ['it has no such method', 4200, 'unsupported', /no such method/],
    ['the user rejects it', 4001, 'rejected', /rejected/],
  ] as const)('rejects with the reason where %s', async (_, code, kind, hint) => {
    const { wallet, session } = await createConnected()
    wallet.failNext('kaspa_signPskb', { code, message: 'No' })
    const error = await failure(session.signPskb(BUNDLE))
    expect(error).toMatchObject({ operation: 'signPskb', code: kind })
    expect(error.hint).toMatch(hint)
    expect(error.outcome).toBeUndefined()
  })

  it('does not change what 4100 of other methods means', async () => {
    const { wallet, session } = await createConnected()
    wallet.failNext('kaspa_signMessage', { code: 4100, message: 'No' })
    expect(await failure(session.signMessage('Hello'))).toMatchObject({ code: 'not-connected' })
  })

  it.each(['[]', 'PSKBzz', '', '{}'])('takes no other text for a bundle: %s', async (text) => {
    const { session } = await createConnected({ signPskb: () => text })
    expect(await failure(session.signPskb(BUNDLE))).toMatchObject({ code: 'failed' })
  })

  it('is absent where the wallet names its methods, and not this one', async () => {
    const { wallet, session } = await createConnected({ standard: 'KIP-12' })
    expect(session.state.canSignPskb).toBe(false)
    expect(await failure(session.signPskb(BUNDLE))).toMatchObject({ code: 'unsupported' })
    expect(wallet.prompts.shown).toBe(1)
  })

  it.each(['walletA', 'walletB'] as const)('is absent of %s', async (kind) => {
    const { page, openSession } = createHarness()
    WALLETS[kind].create({ page }).install()
    const session = openSession()
    await outcome(session.connect(kind))
    expect(session.state.canSignPskb).toBe(false)
    expect(await failure(session.signPskb(BUNDLE))).toMatchObject({ code: 'unsupported' })
  })
})
