import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFakeAnnouncedWallet } from '../../src/testing/wallets/announced/fake.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import type { TestPage } from '../../src/testing/wallets/page.js'
import { ADDRESS, createHarness, failure, useFakeTime, outcome, advance } from './harness.js'

useFakeTime()

const throwError = (): never => {
  throw new Error('Access denied')
}

/** An object that throws on every access. */
const throwingProxy = (): object => new Proxy({}, { get: throwError, has: throwError, getPrototypeOf: throwError })

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const announce = (page: TestPage, detail: unknown): boolean =>
  page.dispatchEvent(new CustomEvent('kaspa:announceProvider', { detail }))

const provider = { request: () => Promise.resolve([]) }

describe('other objects in the page do not prevent wallet detection', () => {
  it.each<[string, (page: TestPage) => unknown]>([
    ['a property that throws when read', (page) => Object.defineProperty(page, 'kastle', { get: throwError })],
    ['an object that throws on every access', (page) => Object.assign(page, { kastle: throwingProxy() })],
    ['a revoked proxy', (page) => Object.assign(page, { kastle: revoked() })],
  ])('%s', async (_, prepare) => {
    const { page, openSession } = createHarness()
    prepare(page)
    createFakeWalletA({ page }).install({ after: 500 })
    const session = openSession()
    await advance()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ installed: ['walletA'], status: 'connected', address: ADDRESS })
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a string', 'Wallet'],
    ['no provider', { info: { name: 'Wallet', rdns: 'org.wallet' } }],
    ['no name', { info: { rdns: 'org.wallet' }, provider }],
    ['a blank name', { info: { name: ' \n', rdns: 'org.wallet' }, provider }],
    ['a name above the length limit', { info: { name: 'x'.repeat(100_000), rdns: 'org.wallet' }, provider }],
    ['a name that is no string', { info: { name: { toString: () => 'Wallet' }, rdns: 'org.wallet' }, provider }],
    ['an object that throws on every access', throwingProxy()],
    ['an info that throws on every access', { info: throwingProxy(), provider }],
    [
      'a provider that throws on every access',
      { info: { name: 'Wallet', rdns: 'org.wallet' }, provider: throwingProxy() },
    ],
    ['a revoked provider', { info: { name: 'Wallet', rdns: 'org.wallet' }, provider: revoked() }],
  ])('an announcement of %s', async (_, detail) => {
    const { page, openSession } = createHarness()
    const session = openSession()
    announce(page, detail)
    createFakeAnnouncedWallet({ page }).install()
    await advance()
    expect(session.state.discovered.map(({ name }) => name)).toEqual(['Example Wallet'])
  })

  it('limits the number of announcements to the first 50', async () => {
    const { page, openSession } = createHarness()
    const session = openSession()
    for (let nth = 0; nth < 1_000; nth++) {
      announce(page, { info: { name: `Wallet ${nth}`, rdns: `org.wallet${nth}` }, provider })
    }
    await advance()
    expect(session.state.discovered.length).toBeLessThanOrEqual(50)
    expect(session.state.discovered[0]).toMatchObject({ name: 'Wallet 0' })
  })
})

describe('P6: beyond the first 50, an announcement costs constant work', () => {
  const COUNT = 2_000

  /**
   * How often names are normalised and compared, and how often the page's wallets change, while `infoOf` is announced.
   */
  async function workOf(infoOf: (nth: number) => object) {
    const { page, openSession } = createHarness()
    const session = openSession()
    for (let nth = 0; nth < 50; nth++) announce(page, { info: { name: `No domain ${nth}` }, provider: { ...provider } })
    const compared = vi.spyOn(String.prototype, 'toLowerCase')
    const normalised = vi.spyOn(String.prototype, 'normalize')
    onTestFinished(() => {
      compared.mockRestore()
      normalised.mockRestore()
    })
    let changes = 0
    session.state$.subscribe(() => changes++)
    for (let nth = 0; nth < COUNT; nth++) announce(page, { info: infoOf(nth), provider: { ...provider } })
    await advance(1_000)
    return { session, changes, steps: compared.mock.calls.length + normalised.mock.calls.length }
  }

  it.each<[string, (nth: number) => object]>([
    ['with a domain of its own', (nth) => ({ name: `Wallet ${nth}`, rdns: `org.wallet${nth}` })],
    ['without a domain', (nth) => ({ name: `Wallet ${nth}` })],
    ['with a taken name', (nth) => ({ name: 'No domain 1', rdns: `org.wallet${nth}` })],
    ['with one id', () => ({ name: 'Wallet', rdns: 'org.wallet' })],
  ])('%s', async (_, infoOf) => {
    const { changes, steps } = await workOf(infoOf)
    expect(steps).toBeLessThanOrEqual(COUNT * 12)
    expect(changes).toBeLessThanOrEqual(5)
  })

  it('none at all once every place is taken by a wallet with a domain', async () => {
    const { session } = await workOf((nth) => ({ name: `Wallet ${nth}`, rdns: `org.wallet${nth}` }))
    expect(session.state.discovered.filter(({ name }) => name.startsWith('Wallet'))).toHaveLength(50)
  })
})

describe('the icon of an announced wallet', () => {
  it.each([
    ['javascript:alert(1)', null],
    ['data:text/html,<script>alert(1)</script>', null],
    ['//example.org/pixel.png', null],
    [`data:image/png;base64,${'A'.repeat(2_000_000)}`, null],
    [{}, null],
    ['data:image/svg+xml,%3Csvg/%3E', 'data:image/svg+xml,%3Csvg/%3E'],
    ['DATA:image/PNG;base64,AAAA', 'DATA:image/PNG;base64,AAAA'],
  ])('is validated: %.40s', (icon, shown) => {
    const { page, openSession } = createHarness()
    const session = openSession()
    announce(page, { info: { name: 'Wallet', rdns: 'org.wallet', icon }, provider })
    expect(session.state.discovered).toMatchObject([{ icon: shown }])
  })
})

describe('a wallet whose object', () => {
  const accounts = { getAccounts: () => [ADDRESS], getNetwork: () => 'kaspa_mainnet', requestAccounts: () => [ADDRESS] }

  it('is frozen can be connected', async () => {
    const { page, openSession } = createHarness()
    Object.defineProperty(page, 'kasware', { value: Object.freeze({ ...accounts }) })
    const session = openSession()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })

  it('throws on access to events or methods fails as unsupported', async () => {
    const { page, openSession } = createHarness()
    const own = {
      ...accounts,
      get on() {
        return throwError()
      },
      get signMessage() {
        return throwError()
      },
    }
    Object.defineProperty(page, 'kasware', { value: own })
    const session = openSession()
    await outcome(session.connect('walletA'))
    expect(await failure(session.signMessage('x'))).toMatchObject({ operation: 'signMessage', code: 'unsupported' })
  })
})
