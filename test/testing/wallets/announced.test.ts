import { describe, expect, it, vi } from 'vitest'
import {
  createFakeAnnouncedWallet,
  type FakeAnnouncedWalletOptions,
} from '../../../src/testing/wallets/announced/fake.js'
import { createTestPage } from '../../../src/testing/wallets/page.js'

const ORIGIN = 'http://localhost'
const PERMITTED = { permissions: [ORIGIN] }
const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'

const create = (options: FakeAnnouncedWalletOptions = {}) => createFakeAnnouncedWallet({ latency: 0, ...options })

describe('an announcement', () => {
  it.each([
    ['KCC-12', 'kaspa:announceProvider'],
    ['KIP-12', 'kaspa:provider'],
  ] as const)('of %s is dispatched on install and on request, and is frozen', (standard, event) => {
    const page = createTestPage()
    const announcements: unknown[] = []
    page.addEventListener(event, (announcement) => announcements.push((announcement as CustomEvent<unknown>).detail))
    const wallet = create({ page, standard })
    wallet.install()
    page.dispatchEvent(new Event('kaspa:requestProvider'))
    expect(announcements).toHaveLength(2)
    expect(announcements[1]).toMatchObject({ info: { name: 'Example Wallet', rdns: 'org.example.wallet' } })
    expect(Object.isFrozen(announcements[1])).toBe(true)
    expect((announcements[1] as { provider: unknown }).provider).toBe(wallet.provider)
  })
})

describe('its accounts', () => {
  it('are exposed to a permitted site and hidden while locked', async () => {
    const wallet = create()
    expect(await wallet.provider.request({ method: 'kaspa_accounts' })).toEqual([])
    expect(await wallet.provider.request({ method: 'kaspa_requestAccounts' })).toEqual([ADDRESS])
    const onAccountsChanged = vi.fn()
    wallet.provider.on('accountsChanged', onAccountsChanged)
    wallet.lock()
    expect(onAccountsChanged).toHaveBeenCalledWith([])
    expect(await wallet.provider.request({ method: 'kaspa_accounts' })).toEqual([])
  })

  it('are not requested by two prompts at once', async () => {
    const wallet = create({ prompts: 'wait' })
    void wallet.provider.request({ method: 'kaspa_requestAccounts' })
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    await expect(wallet.provider.request({ method: 'kaspa_requestAccounts' })).rejects.toMatchObject({ code: -32002 })
  })
})

describe('amounts', () => {
  const pay = (amount: unknown) =>
    create({ state: PERMITTED }).provider.request({
      method: 'kaspa_sendTransaction',
      params: [{ outputs: [{ address: ADDRESS, amount }] }],
    })

  it('are decimal strings of sompi of any size', async () => {
    expect(await pay('9007199254740993')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are rejected as numbers', async () => {
    await expect(pay(20_000_000)).rejects.toMatchObject({ code: -32602 })
  })
})

it('rejects with an Error that has a code', async () => {
  const { provider } = create({ state: PERMITTED, prompts: 'reject' })
  await expect(provider.request({ method: 'kaspa_signMessage', params: ['x', ADDRESS] })).rejects.toMatchObject({
    code: 4001,
  })
  await expect(provider.request({ method: 'kaspa_nope' })).rejects.toMatchObject({ code: 4200 })
})

it('switches to any known network and rejects others', async () => {
  const wallet = create({ state: PERMITTED })
  expect(await wallet.provider.request({ method: 'wallet_switchNetwork', params: { networkId: 'simnet' } })).toBe(null)
  expect(await wallet.provider.request({ method: 'kaspa_networkId' })).toBe('simnet')
  await expect(
    wallet.provider.request({ method: 'wallet_switchNetwork', params: { networkId: 'testnet' } }),
  ).rejects.toMatchObject({ code: 4902 })
})
