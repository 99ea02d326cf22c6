import { describe, expect, it } from 'vitest'
import { createFakeAnnouncedWallet } from '../../src/testing/wallets/announced/fake.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import type { TestPage } from '../../src/testing/wallets/test-page.js'
import { ADDRESS, createScene, failure, inFakeTime, outcome, pass } from './scene.js'

inFakeTime()

const explode = (): never => {
  throw new Error('Hands off')
}

/** An object that throws at whoever looks into it. */
const thorny = (): object => new Proxy({}, { get: explode, has: explode, getPrototypeOf: explode })

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const announce = (page: TestPage, detail: unknown): boolean =>
  page.dispatchEvent(new CustomEvent('kaspa:announceProvider', { detail }))

const provider = { request: () => Promise.resolve([]) }

describe('what else stands in the page does not keep a wallet from being found', () => {
  it.each<[string, (page: TestPage) => unknown]>([
    ['a name that throws when it is read', (page) => Object.defineProperty(page, 'kastle', { get: explode })],
    ['an object that throws when it is looked into', (page) => Object.assign(page, { kastle: thorny() })],
    ['an object that was taken back', (page) => Object.assign(page, { kastle: revoked() })],
  ])('%s', async (_, prepare) => {
    const { page, visit } = createScene()
    prepare(page)
    createFakeWalletA({ page }).install({ after: 500 })
    const session = visit()
    await pass()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ installed: ['walletA'], status: 'connected', address: ADDRESS })
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'Wallet'],
    ['no provider', { info: { name: 'Wallet', rdns: 'org.wallet' } }],
    ['no name', { info: { rdns: 'org.wallet' }, provider }],
    ['a blank name', { info: { name: ' \n', rdns: 'org.wallet' }, provider }],
    ['an endless name', { info: { name: 'x'.repeat(100_000), rdns: 'org.wallet' }, provider }],
    ['a name that is none', { info: { name: { toString: () => 'Wallet' }, rdns: 'org.wallet' }, provider }],
    ['thorns', thorny()],
    ['thorns as a description', { info: thorny(), provider }],
    ['thorns as a provider', { info: { name: 'Wallet', rdns: 'org.wallet' }, provider: thorny() }],
    ['a provider that was taken back', { info: { name: 'Wallet', rdns: 'org.wallet' }, provider: revoked() }],
  ])('an announcement of %s', async (_, detail) => {
    const { page, visit } = createScene()
    const session = visit()
    announce(page, detail)
    createFakeAnnouncedWallet({ page }).install()
    await pass()
    expect(session.state.discovered.map(({ name }) => name)).toEqual(['Example Wallet'])
  })

  it('more announcements than there are wallets in the world: the first are listed', async () => {
    const { page, visit } = createScene()
    const session = visit()
    for (let nth = 0; nth < 1_000; nth++) {
      announce(page, { info: { name: `Wallet ${nth}`, rdns: `org.wallet${nth}` }, provider })
    }
    await pass()
    expect(session.state.discovered.length).toBeLessThanOrEqual(50)
    expect(session.state.discovered[0]).toMatchObject({ name: 'Wallet 0' })
  })
})

describe('the picture of a wallet that announces itself', () => {
  it.each([
    ['javascript:alert(1)', null],
    ['data:text/html,<script>alert(1)</script>', null],
    ['//example.org/pixel.png', null],
    [`data:image/png;base64,${'A'.repeat(2_000_000)}`, null],
    [{}, null],
    ['data:image/svg+xml,%3Csvg/%3E', 'data:image/svg+xml,%3Csvg/%3E'],
    ['DATA:image/PNG;base64,AAAA', 'DATA:image/PNG;base64,AAAA'],
  ])('as %.40s', (icon, shown) => {
    const { page, visit } = createScene()
    const session = visit()
    announce(page, { info: { name: 'Wallet', rdns: 'org.wallet', icon }, provider })
    expect(session.state.discovered).toMatchObject([{ icon: shown }])
  })
})

describe('a wallet whose object', () => {
  const accounts = { getAccounts: () => [ADDRESS], getNetwork: () => 'kaspa_mainnet', requestAccounts: () => [ADDRESS] }

  it('is frozen is connected to', async () => {
    const { page, visit } = createScene()
    Object.defineProperty(page, 'kasware', { value: Object.freeze({ ...accounts }) })
    const session = visit()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })

  it('throws where its events or its methods are looked for fails as any other does', async () => {
    const { page, visit } = createScene()
    const own = {
      ...accounts,
      get on() {
        return explode()
      },
      get signMessage() {
        return explode()
      },
    }
    Object.defineProperty(page, 'kasware', { value: own })
    const session = visit()
    await outcome(session.connect('walletA'))
    expect(await failure(session.signMessage('x'))).toMatchObject({ operation: 'signMessage', code: 'unsupported' })
  })
})
