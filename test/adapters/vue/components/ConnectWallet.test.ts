// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import { createFakeAnnouncedWallet } from '../../../../src/testing/wallets/announced/fake.js'
import { createTestPage } from '../../../../src/testing/wallets/test-page.js'
import { createFakeWalletA, type FakeWalletAOptions } from '../../../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB, type FakeWalletBOptions } from '../../../../src/testing/wallets/wallet-b/fake.js'
import { mountConnectWallet, type Screen } from './mount-connect-wallet.js'

const PERMITTED = { permissions: ['http://localhost'] }
const QUICK = { latency: 0, memory: 'none' } as const

let screen: Screen | undefined
afterEach(() => {
  screen?.unmount()
  screen = undefined
  localStorage.clear() // what the session remembers of a test
})

/** A page with KasWare in it, and the component. */
function withWalletA(options: FakeWalletAOptions = {}, ...rest: [object?, Record<string, unknown>?]) {
  const page = createTestPage()
  const wallet = createFakeWalletA({ ...QUICK, checkIn: 0, page, ...options })
  wallet.install()
  screen = mountConnectWallet(page, ...rest)
  return { wallet, screen }
}

function withWalletB(options: FakeWalletBOptions = {}, ...rest: [object?]) {
  const page = createTestPage()
  const wallet = createFakeWalletB({ ...QUICK, page, arrival: { order: 'event first', gap: 0 }, ...options })
  screen = mountConnectWallet(page, ...rest)
  wallet.install()
  return { wallet, screen }
}

describe('the list', () => {
  it('offers the wallets that are there first, and says where to get the others', async () => {
    const { screen } = withWalletB()
    await screen.press('Connect wallet')
    await screen.sees(/Kastle\s*Installed.*KasWare\s*Not installed/)
    const link = screen.find('a.vc-link')
    expect([link?.textContent, link?.getAttribute('href')]).toEqual(['Get KasWare', 'https://kasware.xyz'])
  })

  it('says so where no wallet is there, and shows one that comes late', async () => {
    const page = createTestPage()
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.sees('No wallet was found in this browser')
    createFakeWalletA({ ...QUICK, page }).install()
    await screen.sees(/KasWare\s*Installed/)
  })

  it('names a wallet once that is there by its own and announces itself too', async () => {
    const page = createTestPage()
    createFakeWalletA({ ...QUICK, page }).install()
    createFakeAnnouncedWallet({ ...QUICK, page, info: { name: 'KasWare', rdns: 'xyz.kasware' } }).install()
    createFakeAnnouncedWallet({ ...QUICK, page, info: { name: 'Kastle', rdns: 'cc.kastle' } }).install()
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.sees(/KasWare\s*Installed.*Kastle\s*Installed.*Kastle\s*Not installed/)
    expect(screen.text()?.match(/KasWare/g)).toHaveLength(1)
  })

  it('shows wallets that announce themselves, with their own picture', async () => {
    const page = createTestPage()
    createFakeAnnouncedWallet({ ...QUICK, page }).install()
    screen = mountConnectWallet(page)
    await screen.press('Connect wallet')
    await screen.sees('Example Wallet')
    expect(screen.find('img.vc-icon')?.getAttribute('src')).toMatch(/^data:image/)
  })
})

describe('connecting', () => {
  it('closes the dialog, tells it, and shows the address on the button', async () => {
    const { screen } = withWalletA()
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => screen.text()).toBeNull()
    expect(screen.heard()).toBe('Connected to KasWare')
    expect(screen.trigger().textContent).toBe('kaspa:qqd6e…0lqeh')
  })

  it('waits with the user, and can be given up', async () => {
    const { screen, wallet } = withWalletA({ prompts: 'wait' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('Answer in the window of KasWare')
    expect(screen.trigger().textContent).toBe('Connecting …')
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    await screen.press('Cancel')
    await screen.sees('Installed')
    expect(screen.find('[role=alert]')).toBeNull()
  })

  it('says what to do where the wallet has no account yet', async () => {
    const { screen } = withWalletA({ state: { status: 'empty' } })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('Create or choose one there')
  })

  it('says once that the user declined, not whenever the dialog is opened again', async () => {
    const { screen } = withWalletA({ prompts: 'reject' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('You declined the request in the wallet.')
    await screen.press('Close')
    await screen.press('Connect wallet')
    await screen.sees('KasWare')
    expect(screen.text()).not.toContain('You declined')
  })

  it('says that the user declined after the dialog was closed', async () => {
    const { screen, wallet } = withWalletA({ prompts: 'wait' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    await screen.press('Close')
    wallet.prompts.open[0]?.answer('reject')
    await expect.poll(() => screen.trigger().textContent).toBe('Connect wallet')
    await screen.press('Connect wallet')
    await screen.sees('You declined the request in the wallet.')
  })

  it('says that the user declined, and offers the list again', async () => {
    const { screen } = withWalletA({ prompts: 'reject' })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('You declined the request in the wallet.')
    expect(screen.find('[role=alert]')).not.toBeNull()
    await screen.sees('Installed')
  })
})

describe('the account', () => {
  it('shows address, balance and network, and lets go of the wallet', async () => {
    const { screen, wallet } = withWalletA({ state: PERMITTED })
    wallet.setBalance(123_456_789_000n, 50_000_000n)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.sees('1\u202f234.56789 KAS0.5 KAS more on its way')
    await screen.sees('Mainnet')
    await screen.press('Disconnect')
    await expect.poll(() => screen.heard()).toBe('Wallet disconnected')
    expect(wallet.state.permissions).toEqual([])
  })

  it('says that wallet B does not tell its balance', async () => {
    const { screen } = withWalletB()
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await screen.press('kaspa:')
    await screen.sees('This wallet does not tell its balance')
  })

  it('copies the address and says so', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { screen } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.press('Copy address')
    await expect.poll(() => screen.heard()).toBe('Address copied')
    expect(screen.find('.vc-copy')?.getAttribute('title')).toBe('Address copied')
    expect(writeText).toHaveBeenCalledWith('kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh')
  })

  it('says so where the browser does not let the page copy', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('No', 'NotAllowedError'))
    const { screen } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.press('Copy address')
    await expect.poll(() => screen.heard()).toMatch('Not copied')
    expect(screen.find('.vc-copy')?.getAttribute('title')).toMatch('Not copied')
  })

  it('says which wallet it is of', async () => {
    const { screen } = withWalletB({ state: { permissions: ['0@localhost'] } })
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await screen.press('kaspa:')
    await screen.sees('WalletKastle')
  })

  it('reads from left to right, address and amount, in whatever language the page is', async () => {
    const { screen } = withWalletA({ state: PERMITTED })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.press('kaspa:')
    await screen.sees('1\u202f200 KAS')
    expect(['.vc-address', '.vc-amount'].map((part) => screen.find(part)?.getAttribute('dir'))).toEqual(['ltr', 'ltr'])
  })
})

describe('a wallet on another network', () => {
  const ELSEWHERE = { state: { ...PERMITTED, network: 'testnet-10' } }

  it('keeps the dialog open and is switched', async () => {
    const { screen, wallet } = withWalletA(ELSEWHERE)
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await screen.sees('KasWare is on Testnet 10. This page works on Mainnet.')
    expect(screen.trigger().textContent).toBe('Wrong network')
    await screen.press('Switch to Mainnet')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    expect(wallet.state.network).toBe('mainnet')
  })

  it('is left alone where any network will do', async () => {
    const { screen } = withWalletA(ELSEWHERE, { network: null })
    await screen.press('Connect wallet')
    await screen.press('KasWare')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspatest:/)
  })
})

describe('a wallet out of reach', () => {
  it('says that it is locked, and unlocks it', async () => {
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

  it('says that another account was selected, and asks for that one', async () => {
    const { screen, wallet } = withWalletB()
    await screen.press('Connect wallet')
    await screen.press('Kastle')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:/)
    wallet.selectAccount(1)
    await expect.poll(() => screen.trigger().textContent).toBe('Wallet disconnected')
    screen.trigger().click()
    await screen.sees('Kastle shows no account to this page any more.')
    await screen.press('Connect again')
    await expect.poll(() => screen.trigger().textContent).toMatch(/^kaspa:qp6r0/)
  })
})

describe('every part is a slot', () => {
  it('draws what it is given instead', async () => {
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

  it('speaks another language', async () => {
    const { screen } = withWalletA({}, { texts: { connect: 'Wallet verbinden', installed: 'Vorhanden' } })
    await screen.press('Wallet verbinden')
    await screen.sees(/KasWare\s*Vorhanden/)
  })
})

it('leaves no listener behind when the app ends', async () => {
  const { screen, wallet } = withWalletA()
  await screen.press('Connect wallet')
  await screen.press('KasWare')
  await expect.poll(() => wallet.listeners).toBeGreaterThan(0)
  screen.unmount()
  await expect.poll(() => wallet.listeners).toBe(0)
})
