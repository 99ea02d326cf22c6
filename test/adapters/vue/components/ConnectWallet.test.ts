// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import { createFakeAnnouncedWallet } from '../../../../src/testing/wallets/announced/fake.js'
import { createTestPage } from '../../../../src/testing/wallets/page.js'
import { createFakeWalletA, type FakeWalletAOptions } from '../../../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB, type FakeWalletBOptions } from '../../../../src/testing/wallets/wallet-b/fake.js'
import { ENGLISH } from '../../../../src/adapters/vue/components/connect-wallet/texts.js'
import { TRIGGER_TEXTS } from '../../../../src/adapters/vue/components/connect-wallet/trigger.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { fixtures } from '../../../../src/testing/fixtures/fixtures.js'
import { createScriptedNode } from '../../../../src/testing/scripted-node.js'
import { LIMIT } from '../../../limits.js'
import { GERMAN } from './german.js'
import { mountConnectWallet, type Screen } from './mount-connect-wallet.js'

const TESTNET_ADDRESS = 'kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn'
const PERMITTED = { permissions: ['http://localhost'] }
const QUICK = { latency: 0, memory: 'none' } as const

const toEntry = (address: string): UtxoEntry =>
  fixtures.utxo({ address, outpoint: { transactionId: 'ab'.repeat(32), index: 0 }, amount: 7_700_000_000n })

let screen: Screen | undefined
afterEach(() => {
  screen?.unmount()
  screen = undefined
  localStorage.clear() // removes the remembered wallet of the previous test
})

/** The component on a page with KasWare installed. */
function withWalletA(options: FakeWalletAOptions = {}, ...others: [object?, Record<string, unknown>?]) {
  const page = createTestPage()
  const wallet = createFakeWalletA({ ...QUICK, checkIn: 0, page, ...options })
  wallet.install()
  screen = mountConnectWallet(page, ...others)
  return { wallet, screen }
}

function withWalletB(options: FakeWalletBOptions = {}, ...others: [object?]) {
  const page = createTestPage()
  const arrival = { order: 'event first', gap: 0 } as const
  const wallet = createFakeWalletB({ ...QUICK, timeout: LIMIT, page, arrival, ...options })
  screen = mountConnectWallet(page, ...others)
  wallet.install()
  return { wallet, screen }
}

describe('the list', () => {
  it('has a drawing for each built-in wallet, no letters', async () => {
    const { screen } = withWalletB()
    await screen.press('Connect wallet')
    await screen.sees(/^[^]*Kastle\s*Installed/)
    expect(screen.find('.vc-option:not(.vc-option-missing) .vc-icon svg path')).not.toBeNull()
    expect(screen.find('.vc-option-missing .vc-icon svg path')).not.toBeNull()
  })

  it('lists installed wallets first, and links to the others', async () => {
    const { screen } = withWalletB()
    await screen.press('Connect wallet')
    await screen.sees(/Kastle\s*Installed.*KasWare\s*Not installed/)
    const link = screen.find('a.vc-link')
    expect([link?.textContent, link?.getAttribute('href')]).toEqual(['Get KasWare', 'https://kasware.xyz'])
  })

  it('shows a notice without wallets, and adds a wallet injected later', async () => {
    const page = createTestPage()
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.sees('No wallet was found in this browser')
    createFakeWalletA({ ...QUICK, page }).install()
    await screen.sees(/KasWare\s*Installed/)
  })

  it('lists a wallet once that is both built in and announced', async () => {
    const page = createTestPage()
    createFakeWalletA({ ...QUICK, page }).install()
    createFakeAnnouncedWallet({ ...QUICK, page, info: { name: 'KasWare', rdns: 'xyz.kasware' } }).install()
    createFakeAnnouncedWallet({ ...QUICK, page, info: { name: 'Kastle', rdns: 'cc.kastle' } }).install()
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.sees(/KasWare\s*Installed.*Kastle\s*Not installed/)
    expect(screen.text()?.match(/KasWare/g)).toHaveLength(1)
  })

  it('lists announced wallets with their icon', async () => {
    const page = createTestPage()
    createFakeAnnouncedWallet({ ...QUICK, page }).install()
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.sees('Example Wallet')
    expect(screen.find('img.vc-icon')?.getAttribute('src')).toMatch(/^data:image/)
  })
})

describe('connecting', () => {
  it('closes the dialog, announces the connection, and shows the address on the button', async () => {
    const { screen } = withWalletA()
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => screen.text()).toBeNull()
    expect(screen.announcement()).toBe('Connected to KasWare')
    expect(screen.trigger().textContent).toBe('kaspa:qqd6e…0lqeh')
  })

  it('shows the pending prompt, and can be cancelled', async () => {
    const { screen, wallet } = withWalletA({ prompts: 'wait' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('Confirm in KasWare')
    expect(screen.trigger().textContent).toBe('Connecting …')
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    await screen.press('Cancel')
    await screen.sees('Installed')
    expect(screen.find('[role=alert]')).toBeNull()
  })

  it('shows what to do if the wallet has no account', async () => {
    const { screen } = withWalletA({ state: { status: 'empty' } })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('Create or choose one there')
  })

  it('shows a rejection once, not after the dialog is reopened', async () => {
    const { screen } = withWalletA({ prompts: 'reject' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('You declined the request in the wallet.')
    await screen.press('Close')
    await screen.press('Connect wallet')
    await screen.sees('KasWare')
    expect(screen.text()).not.toContain('You declined')
  })

  it('shows a rejection that arrived after the dialog was closed', async () => {
    const { screen, wallet } = withWalletA({ prompts: 'wait' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    await screen.press('Close')
    wallet.prompts.open[0]?.respond('reject')
    await expect.poll(() => screen.trigger().textContent).toBe('Connect wallet')
    await screen.press('Connect wallet')
    await screen.sees('You declined the request in the wallet.')
  })

  it('shows a rejection by the user as information, not as an alarm', async () => {
    const { screen } = withWalletA({ prompts: 'reject' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('You declined the request in the wallet.')
    expect([screen.find('[role=alert]'), screen.find('.vc-information')?.getAttribute('role')]).toEqual([
      null,
      'status',
    ])
    await screen.sees('Installed')
  })
})

describe('the account', () => {
  it('shows address, balance and network, and disconnects', async () => {
    const { screen, wallet } = withWalletA({ state: PERMITTED })
    wallet.setBalance(123_456_789_000n, 50_000_000n)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.sees('1\u202f234.56789 KAS0.5 KAS unconfirmed')
    await screen.sees('Mainnet')
    await screen.press('Disconnect')
    await expect.poll(() => screen.announcement()).toBe('Wallet disconnected')
    expect(wallet.state.permissions).toEqual([])
  })

  it('shows the balance that Kastle reports, without a connection to a node', async () => {
    const { screen } = withWalletB()
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await screen.press('kaspa:')
    await screen.sees('Balance2\u202f000 KAS')
  })

  it('shows the tracked balance with a connection to a node of the same network', async () => {
    const page = createTestPage()
    createFakeWalletA({ ...QUICK, checkIn: 0, page, state: { ...PERMITTED, network: 'simnet' } }).install()
    const node = createScriptedNode({
      responses: {
        getUtxosByAddresses: ({ addresses }) => ({ entries: addresses.map(toEntry) }),
        getMempoolEntriesByAddresses: () => ({ entries: [] }),
      },
    })
    const options = { network: 'simnet', url: 'ws://node', autoConnect: true, ports: { node } } as const
    screen = mountConnectWallet(page, {}, {}, options)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspasim:')
    await screen.sees(/Balance77 /)
  })

  it('copies the address and announces it', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { screen } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.press('Copy address')
    await expect.poll(() => screen.announcement()).toBe('Address copied')
    expect(screen.find('.vc-copy')?.getAttribute('title')).toBe('Address copied')
    expect(writeText).toHaveBeenCalledWith('kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh')
  })

  it('announces that the browser denied clipboard access', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('No', 'NotAllowedError'))
    const { screen } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.press('Copy address')
    await expect.poll(() => screen.announcement()).toMatch('Not copied')
    expect(screen.find('.vc-copy')?.getAttribute('title')).toMatch('Not copied')
  })

  it('shows the wallet name', async () => {
    const { screen } = withWalletB({ state: { permissions: ['0@localhost'] } })
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await screen.press('kaspa:')
    await screen.sees('WalletKastle')
  })

  it('renders address and amount left to right', async () => {
    const { screen } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.sees('1\u202f200 KAS')
    expect(['.vc-address', '.vc-amount'].map((part) => screen.find(part)?.getAttribute('dir'))).toEqual(['ltr', 'ltr'])
  })
})

describe('a wallet on another network', () => {
  const ON_TESTNET = { state: { ...PERMITTED, network: 'testnet-10' } }

  it('keeps the dialog open and can be switched', async () => {
    const { screen, wallet } = withWalletA(ON_TESTNET)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('KasWare is on Testnet 10. This page works on Mainnet.')
    expect(screen.trigger().textContent).toBe('Wrong network')
    await screen.press('Switch to Mainnet')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    expect(wallet.state.network).toBe('mainnet')
  })

  it('shows a spinner while the switch is pending, and stays connected after Cancel', async () => {
    const { screen, wallet } = withWalletA(ON_TESTNET)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('KasWare is on Testnet 10.')
    wallet.prompts.respondWith('wait')
    await screen.press('Switch to Mainnet')
    await screen.sees('Confirm in KasWare')
    expect(screen.find('.vc-spinner')).not.toBeNull()
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    await screen.press('Cancel')
    await screen.sees('Switch to Mainnet')
    expect([screen.find('.vc-spinner'), screen.find('[role=alert]')]).toEqual([null, null])
    expect(wallet.state.permissions).toHaveLength(1)
  })

  it('is accepted if any network is allowed', async () => {
    const { screen } = withWalletA(ON_TESTNET, { network: null })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspatest:/)
  })
})

describe('a prompt of the connected wallet', () => {
  it('is shown with Cancel as the main button, which aborts it and keeps the account', async () => {
    const { screen, wallet } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    wallet.prompts.respondWith('wait')
    const signing = screen.wallet().signMessage('x')
    const rejection = expect(signing).rejects.toMatchObject({ operation: 'signMessage', code: 'aborted' })
    screen.trigger().click()
    await screen.sees('Confirm in KasWare')
    expect([...screen.findAll('.vc-button')].map(({ textContent }) => textContent)).toEqual(['Cancel'])
    expect(screen.find('.vc-primary')?.textContent).toBe('Cancel')
    expect(screen.text()).toMatch(/^Your wallet/)
    await screen.press('Cancel')
    await rejection
    await screen.sees('Disconnect')
  })
})

describe('an unavailable wallet', () => {
  it('shows that the wallet is locked, and unlocks it', async () => {
    const { screen, wallet } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    wallet.lock()
    await expect.poll(() => screen.trigger().textContent).toBe('Wallet locked')
    screen.trigger().click()
    await screen.sees('KasWare is locked.')
    await screen.press('Unlock')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
  })

  it('shows that another account was selected, and connects it', async () => {
    const { screen, wallet } = withWalletB()
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    wallet.selectAccount(1)
    await expect.poll(() => screen.trigger().textContent).toBe('Wallet disconnected')
    screen.trigger().click()
    await screen.sees('This site is no longer connected to Kastle.')
    await screen.press('Connect again')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:qp6r0/)
  })
})

describe('a wallet with the address of another network', () => {
  it('is shown as on the wrong network, says to open the wallet, and recovers by itself', async () => {
    const { screen, wallet } = withWalletB()
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    wallet.behavior.address = 'stale'
    wallet.switchNetwork('testnet-10')
    await expect.poll(() => screen.trigger().textContent).toBe('Wrong network')
    screen.trigger().click()
    await screen.sees('The address of Kastle is of another network. Open Kastle, so that it updates.')
    expect(screen.text()).not.toContain('Balance')
    wallet.updateAddress()
    await expect.poll(() => screen.text()).toContain('Balance')
  })

  it('is on the wrong network by its prefix where it reports none', async () => {
    const page = createTestPage()
    const account = {
      requestAccounts: () => Promise.resolve([TESTNET_ADDRESS]),
      getAccounts: () => Promise.resolve([TESTNET_ADDRESS]),
    }
    Object.assign(page, { kasware: account })
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('KasWare is on another network. This page works on Mainnet.')
    expect(screen.trigger().textContent).toBe('Wrong network')
  })
})

describe('slots and texts', () => {
  it('replace the default parts', async () => {
    const { screen } = withWalletA(
      {},
      {},
      {
        trigger: ({ label, open }: { label: string; open: () => void }) =>
          h('button', { class: 'vc-trigger', onClick: open }, `My own: ${label}`),
        wallet: ({ option }: { option: { name: string } }) => `[${option.name}]`,
        footer: () => 'By connecting you agree to nothing.',
      },
    )
    await screen.press('My own: Connect wallet')
    await screen.sees('[KasWare][Kastle]By connecting you agree to nothing.')
  })

  it('are complete in a second language, set for the whole app', async () => {
    const page = createTestPage()
    createFakeWalletA({ ...QUICK, checkIn: 0, page, state: { ...PERMITTED, network: 'testnet-10' } }).install()
    screen = mountConnectWallet(page, { texts: { cancel: 'Doch nicht' } }, {}, { texts: GERMAN })
    await screen.press('Wallet verbinden')
    await screen.sees(/Wallet wählen.*KasWare\s*Installiert.*Kastle\s*Nicht installiert/)
    await screen.press('KasWare')
    await screen.sees('KasWare nutzt Testnet 10. Diese Seite nutzt Mainnet.')
    await screen.sees(/Adresse.*Guthaben.*Netzwerk.*Trennen/)
    expect(screen.trigger().textContent).toBe('Falsches Netzwerk')
    const english = { ...ENGLISH, ...TRIGGER_TEXTS }
    expect(Object.keys(GERMAN).sort()).toEqual(Object.keys(english).sort())
    expect(Object.keys(GERMAN.problems).sort()).toEqual(Object.keys(english.problems).sort())
  })

  it('replaces texts', async () => {
    const { screen } = withWalletA({}, { texts: { connect: 'Wallet verbinden', installed: 'Vorhanden' } })
    await screen.press('Wallet verbinden')
    await screen.sees(/KasWare\s*Vorhanden/)
  })
})

it('removes all listeners when the app is unmounted', async () => {
  const { screen, wallet } = withWalletA()
  await screen.press('Connect wallet')
  await screen.press('KasWare')
  await expect.poll(() => wallet.listeners).toBeGreaterThan(0)
  screen.unmount()
  await expect.poll(() => wallet.listeners).toBe(0)
})
