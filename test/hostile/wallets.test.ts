// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { createWalletSession } from '../../src/streams/wallet/create-session.js'
import type { WalletSession } from '../../src/streams/wallet/wallet-session.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createPageWallets } from '../../src/wallets/page-wallets.js'
import { ADDRESS, OTHER_ADDRESS, TESTNET_ADDRESS, failure, outcome, useFakeTime, advance } from '../wallets/harness.js'
import { asyncScheduler } from 'rxjs'

useFakeTime()

let session: (WalletSession & { dispose(): void }) | undefined
afterEach(() => {
  session?.dispose()
  Reflect.deleteProperty(window, 'kasware')
  Reflect.deleteProperty(window, 'kastle')
})

/** A session on the page of the DOM, whose scripts are hostile. */
function openSession(): WalletSession {
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  session = createWalletSession({ wallets: createPageWallets(platform), platform })
  return session
}

const provider = () => ({ request: () => Promise.resolve([]) })

const announce = (info: object, announced: object = provider()): boolean =>
  window.dispatchEvent(new CustomEvent('kaspa:announceProvider', { detail: { info, provider: announced } }))

const namesIn = (opened: WalletSession): string[] => opened.state.discovered.map(({ name }) => name)

/** The last character changed: the checksum no longer fits. */
const MISTYPED = `${ADDRESS.slice(0, -1)}q`

describe('D7 a wallet account', () => {
  /** A wallet at `window.kasware` that exposes whatever address is set. */
  function installKasware(address: string, network = 'kaspa_mainnet') {
    const wallet = { address }
    Object.assign(window, {
      kasware: {
        requestAccounts: () => [wallet.address],
        getAccounts: () => [wallet.address],
        getNetwork: () => network,
        getPublicKey: () => '',
      },
    })
    return wallet
  }

  it.each([
    ['a wrong checksum', MISTYPED],
    ['a prefix of no network', ADDRESS.replace('kaspa:', 'kaspi:')],
    ['the prefix of another network and its own checksum', ADDRESS.replace('kaspa:', 'kaspatest:')],
    ['markup', `<img src=x onerror=alert(1)>${ADDRESS}`],
  ])('D7 is refused with %s, and never becomes state', async (_, address) => {
    installKasware(address)
    const opened = openSession()
    const seen = new Set<string | null>()
    opened.state$.subscribe((state) => seen.add(state.address))
    const error = await failure(opened.connect('walletA'))
    expect(error).toMatchObject({ operation: 'connect', code: 'unexpected-response' })
    expect([...seen]).toEqual([null])
  })

  it('D7 is not used if its prefix is of another network', async () => {
    installKasware(TESTNET_ADDRESS)
    const opened = openSession()
    expect(await failure(opened.connect('walletA'))).toMatchObject({ operation: 'connect', code: 'wrong-network' })
    expect(opened.state).toMatchObject({ status: 'wrong-network', address: null, network: null, balance: null })
  })

  it('D7 is no longer shown after the wallet changes it to an invalid one', async () => {
    const wallet = installKasware(ADDRESS)
    const opened = openSession()
    await outcome(opened.connect('walletA'))
    wallet.address = MISTYPED
    window.dispatchEvent(new Event('focus'))
    await advance()
    expect(opened.state).toMatchObject({ status: 'disconnected-by-wallet', address: null })
    wallet.address = OTHER_ADDRESS
    window.dispatchEvent(new Event('focus'))
    await advance()
    expect(opened.state).toMatchObject({ status: 'connected', address: OTHER_ADDRESS })
  })

  it('D7 is checked for announced wallets and for Kastle', async () => {
    const results: Record<string, unknown> = { kaspa_accounts: [MISTYPED], kaspa_networkId: 'mainnet' }
    const request = ({ method }: { method: string }) => Promise.resolve(results[method])
    Object.assign(window, {
      kastle: {
        connect: () => true,
        getAccount: () => ({ address: MISTYPED, publicKey: '' }),
        getNetwork: () => 'mainnet',
      },
    })
    const opened = openSession()
    announce({ name: 'Wallet', rdns: 'org.wallet' }, { request })
    const [discovered] = opened.state.discovered
    expect(await failure(opened.connect(discovered!))).toMatchObject({ code: 'unexpected-response' })
    expect(await failure(opened.connect('walletB'), 10_000)).toMatchObject({ code: 'unexpected-response' })
    expect(opened.state.address).toBeNull()
  })
})

describe('D8 announcements of a page', () => {
  const LATE = { name: 'Honest Wallet', rdns: 'org.honest' }

  it('D8 are at most 50', () => {
    const opened = openSession()
    for (let nth = 0; nth < 200; nth++) announce({ name: `Wallet ${nth}`, rdns: `org.wallet${nth}` })
    expect(namesIn(opened)).toHaveLength(50)
    expect(namesIn(opened)[0]).toBe('Wallet 0')
  })

  it.each<[string, (nth: number) => [object, object?]]>([
    ['duplicates of one name', (nth) => [{ name: 'Wallet', rdns: `org.wallet${nth}` }]],
    [
      'duplicates of one name in other letters',
      (nth) => [{ name: `W${'\u200b'.repeat(nth)}allet `, rdns: `org.wallet${nth}` }],
    ],
    ['announcements without a domain', (nth) => [{ name: `Wallet ${nth}`, uuid: `id-${nth}` }]],
  ])('D8 evict %s before a new domain is refused', async (_, toAnnouncement) => {
    const opened = openSession()
    for (let nth = 0; nth < 60; nth++) announce(...toAnnouncement(nth))
    announce(LATE)
    await advance() // a later frame
    expect(namesIn(opened)).toHaveLength(50)
    expect(namesIn(opened).at(-1)).toBe('Honest Wallet')
  })

  it('D8 evict duplicates of one provider before a new domain is refused', async () => {
    const opened = openSession()
    const one = provider()
    for (let nth = 0; nth < 60; nth++) announce({ name: `Wallet ${nth}`, rdns: `org.wallet${nth}` }, one)
    announce(LATE)
    await advance() // a later frame
    expect(namesIn(opened).at(-1)).toBe('Honest Wallet')
  })

  it('D8 refuse a duplicate and one without a domain at the limit', () => {
    const opened = openSession()
    for (let nth = 0; nth < 50; nth++) announce({ name: `Wallet ${nth}`, uuid: `id-${nth}` })
    announce({ name: 'Wallet 0', rdns: 'org.duplicate' })
    announce({ name: 'No domain', uuid: 'another' })
    expect(namesIn(opened)).toEqual(Array.from({ length: 50 }, (_, nth) => `Wallet ${nth}`))
  })
})

describe('D9 the name of an announced wallet', () => {
  const shownAs = (info: object): string[] => {
    const opened = openSession()
    announce(info)
    return namesIn(opened)
  }
  const rdns = 'org.example'

  it.each([
    ['\uff37\uff41\uff4c\uff4c\uff45\uff54', 'Wallet'],
    ['\u202eWallet\u202c', 'Wallet'],
    ['W\u200ba\u200dl\ufeffl\u2066et\u00ad', 'Wallet'],
    ['My\n\tWallet', 'MyWallet'],
    ['  My   Wallet ', 'My Wallet'],
    ['Кошелёк', 'Кошелёк'],
    ['カスパ Wallet 2', 'カスパ Wallet 2'],
  ])('D9 is normalised: %j', (name, shown) => {
    expect(shownAs({ name, rdns })).toEqual([shown])
  })

  it.each([
    ['W\u0430llet'],
    ['\u039aas Wallet'],
    ['Wallet \u0561'],
    ['\u{1d400}\u0430'],
    ['\u1d0b\u1d00s\u1d21\u1d00\u0280\u1d07'],
    ['K\u0251stle'],
  ])('D9 is replaced by the domain if its scripts are mixed, or letters phonetic: %j', (name) => {
    expect(shownAs({ name, rdns })).toEqual([rdns])
  })

  it('D9 is refused with mixed scripts and without a domain, or with a domain in other letters', () => {
    expect(shownAs({ name: 'W\u0430llet', uuid: 'id' })).toEqual([])
    expect(shownAs({ name: 'W\u0430llet', rdns: 'org.ex\u0430mple' })).toEqual([])
  })

  it.each([
    [{ name: 'KasWare', rdns }],
    [{ name: 'Kas\u200bWare', rdns }],
    [{ name: 'K\uff41stle', rdns }],
    [{ name: 'K\u00e4s\u0323Ware', rdns }],
    [{ name: 'KASTLE  Wallet', rdns }],
    [{ name: 'Kas-Ware Extension', rdns }],
    [{ name: 'Another', rdns: 'xyz.kasware' }],
    [{ name: 'Another', rdns: 'cc.Kastle' }],
    [{ name: 'Another', rdns: 'cc.kastle.wallet' }],
    [{ name: 'K\u0430stle', rdns: 'cc.kastle' }],
  ])('D9 cannot be that of a known wallet, nor its domain: %j', (info) => {
    expect(shownAs(info)).toEqual([])
  })

  it('D9 can contain that of a known wallet', () => {
    expect(shownAs({ name: 'Kastler', rdns: 'org.kastler' })).toEqual(['Kastler'])
  })
})
