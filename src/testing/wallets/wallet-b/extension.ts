import type { Prompts, PromptKind } from '../prompts.js'
import type { AccountStateSource } from '../account-state.js'
import type { WalletNode } from '../node/wallet-node.js'
import type { PageWindow } from '../page.js'
import { toReply } from './transport.js'

/** Variants of Kastle's behavior. Can be changed at any time. */
export interface KastleBehavior {
  /** The number of chained transactions per payment, as for many small UTXOs. @default 1 */
  transactions: number
  /** The public key's encoding: hot wallets use the first, hardware wallets the second. @default 'compressed' */
  publicKey: 'compressed' | 'uncompressed'
  /**
   * After a network switch the wallet has the new address, or the old one until `updateAddress`, as while the wallet is
   * open in a tab of its own. @default 'prompt'
   */
  address: 'prompt' | 'stale'
  /** `fresh` for the first connect of a profile, which emits other events. @default 'known' */
  settings: 'known' | 'fresh'
}

/** The state that Kastle's methods use. */
export interface Kastle {
  readonly accountState: AccountStateSource
  readonly behavior: KastleBehavior
  readonly notifier: KastleNotifier
  readonly prompts: Prompts
  readonly profile: KastleProfile
  /** The page's host, without the scheme, as Kastle identifies a site. */
  readonly host: string
  /** Of the selected account, in sompi. */
  balance: bigint
  /** The network of the current address; behind `accountState` while addresses are stale. */
  addressNetwork: string
  readonly node: WalletNode
}

/** Kastle permits a site per account. */
export const permissionOf = ({ accountState, host }: Kastle): string => `${accountState.state.account}@${host}`

export const isConnected = (kastle: Kastle): boolean =>
  kastle.accountState.state.permissions.includes(permissionOf(kastle))

export const addressOf = ({ accountState, addressNetwork }: Kastle): string =>
  accountState.account.addressOn(addressNetwork)

/** Sompi of the selected account. */
export async function balanceOf(kastle: Kastle): Promise<bigint> {
  const otherwise = { confirmed: kastle.balance, unconfirmed: 0n }
  return (await kastle.node.balance(addressOf(kastle), otherwise)).confirmed
}

/** Throws if no wallet has been created. */
export function requireWallet({ accountState }: Kastle): void {
  if (accountState.state.status === 'empty') throw notInitialized()
}

/** Throws if the selected account has not permitted the site. */
export function requireConnection(kastle: Kastle): void {
  requireWallet(kastle)
  if (!isConnected(kastle)) throw notConnected()
}

/** Prompts the user; approval also unlocks the wallet. Rejects unless approved. */
export async function approve({ prompts, accountState }: Kastle, kind: PromptKind, detail?: unknown): Promise<void> {
  if ((await prompts.request(kind, detail)) !== 'approve') throw userDenied()
  if (accountState.state.status === 'locked') accountState.update({ status: 'unlocked' })
}

/** Ms from the network event to the account event. */
const LAG = 20

/**
 * Switches the network. By default the address changes before the event; with `stale` the event has the old address,
 * which stays until `updateAddress`.
 */
export function changeNetwork(kastle: Kastle, network: string): void {
  const { accountState, notifier, behavior } = kastle
  accountState.update({ network })
  if (behavior.address === 'prompt') kastle.addressNetwork = network
  notifier.noise()
  notifier.network(network)
  setTimeout(() => {
    notifier.account(isConnected(kastle) ? addressOf(kastle) : null)
  }, LAG)
}

/** Kastle's rejection: a message. The page script turns it into an `Error` without a code. */
export class KastleError extends Error {}

export const userDenied = (): KastleError => new KastleError('User denied')
const notConnected = (): KastleError => new KastleError('Host not connected')
const notInitialized = (): KastleError => new KastleError('Extension is not initialized')

/** A version of Kastle with its methods and behavior. */
export type KastleProfile = '2.36' | '2.47' | '2.59' | 'next'

interface ProfileFeatures {
  /** The result of `getVersion`. */
  readonly version: string
  /** Methods that the version lacks. */
  readonly missing: readonly string[]
  /** How the relay signals that it is ready. */
  readonly readySignal: 'message' | 'event'
  /** A payment of several transactions: sends only the first, or rejects. */
  readonly chainedPayment: 'first only' | 'refused'
  /** Whether `request({ method, params })` is supported. */
  readonly objectRequest: 'ignored' | 'understood'
}

const profile = (differences: Partial<ProfileFeatures> = {}): ProfileFeatures => ({
  version: '2.59.0+extension',
  missing: [],
  readySignal: 'event',
  chainedPayment: 'first only',
  objectRequest: 'ignored',
  ...differences,
})

export const PROFILES: Readonly<Record<KastleProfile, ProfileFeatures>> = {
  '2.36': /*#__PURE__*/ profile({
    version: '2.36.0+extension',
    readySignal: 'message',
    missing: ['on', 'removeListener', 'getVersion', 'getNetwork', 'getBalance', 'getUtxoEntries', 'buildTransaction'],
  }),
  '2.47': /*#__PURE__*/ profile({ version: '2.47.0+extension', readySignal: 'message', missing: ['getVersion'] }),
  '2.59': /*#__PURE__*/ profile(),
  next: /*#__PURE__*/ profile({
    version: '2.60.0+extension',
    chainedPayment: 'refused',
    objectRequest: 'understood',
  }),
}

/** Kastle's events to a page as messages, mixed with those of its EVM provider. */
export interface KastleNotifier {
  /** The selected account's address; null if it has not permitted the site. */
  account(address: string | null): void
  network(network: string): void
  /** Whether the selected account has permitted the site. */
  host(connected: boolean): void
  /** Unrelated messages of the EVM provider. */
  noise(): void
}

export function createNotifier(page: PageWindow): KastleNotifier {
  const post = (id: string, response: unknown): void => page.postMessage(toReply({ id, response }), '*')
  return {
    account: (address) => post('kas:account_changed', address),
    network: (network) => post('kas:network_changed', network),
    host: (connected) => post('kas:host_connected', connected),
    noise: () => {
      post('chainChanged', '0x3173b')
      post('accountsChanged', [])
    },
  }
}
