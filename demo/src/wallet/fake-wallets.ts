import type { FakeAnnouncedWallet, FakeWalletA, FakeWalletB } from 'vue-chain/testing'
import { shallowReactive } from 'vue'

/** Wallets that the page can fake. */
export const FAKE_WALLETS = [
  { kind: 'walletA', name: 'KasWare' },
  { kind: 'walletB', name: 'Kastle' },
  { kind: 'announced', name: 'Example Wallet' },
] as const

export type FakeWalletKind = (typeof FAKE_WALLETS)[number]['kind']

export type FakeWallet = FakeWalletA | FakeWalletB | FakeAnnouncedWallet

const KEY = 'vue-chain-demo-fake-wallets'
const GLOBALS: Partial<Record<FakeWalletKind, string>> = { walletA: 'kasware', walletB: 'kastle' }

/** Installed fakes by kind. */
export const fakes = shallowReactive(new Map<FakeWalletKind, FakeWallet>())

/** Whether the wallet of this id is a fake. */
export const isFake = (id: string): boolean =>
  [...fakes].some(([kind, wallet]) => id === ('info' in wallet ? `announced:${wallet.info.rdns}` : kind))

/** Whether the real extension is installed. */
const isExtensionInstalled = (kind: FakeWalletKind): boolean => {
  const name = GLOBALS[kind]
  return name !== undefined && name in window && !fakes.has(kind)
}

/** Installs the fakes of the last visit. */
export function restoreFakes(): void {
  for (const { kind } of FAKE_WALLETS) if (savedKinds().includes(kind)) void installFake(kind)
}

/** Installs a fake; like an extension it can be removed only with a reload. */
export async function installFake(kind: FakeWalletKind): Promise<void> {
  if (fakes.has(kind) || isExtensionInstalled(kind)) return
  const make = await import('vue-chain/testing')
  const state = { network: 'testnet-10' }
  const wallet = {
    walletA: () => make.createFakeWalletA({ prompts: 'wait', state }),
    walletB: () => make.createFakeWalletB({ prompts: 'wait', state }),
    announced: () => make.createFakeAnnouncedWallet({ prompts: 'wait', state }),
  }[kind]()
  wallet.install()
  fakes.set(kind, wallet)
  saveKinds([...fakes.keys()])
}

/** Removes a fake and reloads the page. */
export function removeFake(kind: FakeWalletKind): void {
  saveKinds(savedKinds().filter((other) => other !== kind))
  location.reload()
}

const savedKinds = (): readonly string[] => (localStorage.getItem(KEY) ?? '').split(' ')
const saveKinds = (kinds: readonly string[]): void => localStorage.setItem(KEY, kinds.join(' ').trim())
