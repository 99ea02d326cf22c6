import type { FakeAnnouncedWallet, FakeWalletA, FakeWalletB } from 'vue-chain/testing'
import { shallowReactive } from 'vue'

/** The wallets that this page can pretend are installed. */
export const PRETENDABLE = [
  { kind: 'walletA', name: 'KasWare' },
  { kind: 'walletB', name: 'Kastle' },
  { kind: 'announced', name: 'Example Wallet' },
] as const

export type PretendKind = (typeof PRETENDABLE)[number]['kind']

export type Pretended = FakeWalletA | FakeWalletB | FakeAnnouncedWallet

const KEY = 'vue-chain-demo-pretend'
const GLOBALS: Partial<Record<PretendKind, string>> = { walletA: 'kasware', walletB: 'kastle' }

/** The wallets that are pretended to be there, by their kind. */
export const pretended = shallowReactive(new Map<PretendKind, Pretended>())

/** Whether the wallet of this id is one that is pretended. */
export const isPretended = (id: string): boolean =>
  [...pretended].some(([kind, wallet]) => id === ('info' in wallet ? `announced:${wallet.info.rdns}` : kind))

/** Whether the real extension is there, so that nothing needs to be pretended. */
const isReal = (kind: PretendKind): boolean => {
  const name = GLOBALS[kind]
  return name !== undefined && name in window && !pretended.has(kind)
}

/** Takes up what was pretended on the last visit. */
export function pretendAsBefore(): void {
  for (const { kind } of PRETENDABLE) if (remembered().includes(kind)) void pretend(kind)
}

/** Puts a fake into the page. Like the real ones it cannot be taken out again but by a reload. */
export async function pretend(kind: PretendKind): Promise<void> {
  if (pretended.has(kind) || isReal(kind)) return
  const make = await import('vue-chain/testing')
  const state = { network: 'testnet-10' }
  const wallet = {
    walletA: () => make.createFakeWalletA({ prompts: 'wait', state }),
    walletB: () => make.createFakeWalletB({ prompts: 'wait', state }),
    announced: () => make.createFakeAnnouncedWallet({ prompts: 'wait', state }),
  }[kind]()
  wallet.install()
  pretended.set(kind, wallet)
  remember([...pretended.keys()])
}

/** Removes it as one removes an extension: the page has to be loaded again. */
export function stopPretending(kind: PretendKind): void {
  remember(remembered().filter((other) => other !== kind))
  location.reload()
}

const remembered = (): readonly string[] => (localStorage.getItem(KEY) ?? '').split(' ')
const remember = (kinds: readonly string[]): void => localStorage.setItem(KEY, kinds.join(' ').trim())
