import { createFaults, type WalletFaults, createCallLog, type CallLog } from '../extension-calls.js'
import { currentPage, type Injection, type PageWindow } from '../page.js'
import { openWalletNode, stateOn, type WalletDevnode } from '../node/wallet-node.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import { openMemory, type MemoryKind, createAccountState, type AccountState } from '../account-state.js'
import { createProvider, deliverEvents, installPieces, type Arrival } from './install.js'
import {
  type Kastle,
  type KastleBehavior,
  createNotifier,
  type KastleProfile,
  type KastleNotifier,
  addressOf,
  isConnected,
  permissionOf,
  changeNetwork,
} from './extension.js'
import { type KastleProvider, openRelay } from './provider.js'
import { createTransport } from './transport.js'

export interface FakeWalletBOptions {
  /** The initial state if none is stored. @default unlocked, first account, mainnet, no site permitted */
  readonly state?: Partial<AccountState> | undefined
  /**
   * The network that the wallet pays on: `devnode`, or `{ engineOptions }` with the URL of one. Its first three
   * accounts are those of the wallet, whose initial network and balance it decides. @default none: nothing is sent,
   * every payment succeeds
   */
  readonly devnode?: WalletDevnode | undefined
  /** The response to prompts. @default 'approve' */
  readonly prompts?: PromptPolicy | undefined
  /** Ms per call. @default 5 */
  readonly latency?: number | undefined
  /** Ms after which a call without a response rejects; 180 000 in Kastle. @default 2000 */
  readonly timeout?: number | undefined
  /** @default '2.59' */
  readonly profile?: KastleProfile | undefined
  /** @default the event 20 ms before the object */
  readonly arrival?: Arrival | undefined
  /** Where permissions and other state are stored. @default 'page' in a browser, else 'none' */
  readonly memory?: MemoryKind | undefined
  /** @default `window`, or a test page if there is none */
  readonly page?: PageWindow | undefined
}

/** A fake of the browser extension Kastle, with controls for tests. */
export interface FakeWalletB extends CallLog, WalletFaults, WalletBControls {
  /** The object at `window.kastle`. */
  readonly provider: KastleProvider
  readonly prompts: Prompts
  readonly state: AccountState
  /** Variants of its behavior; can be changed at any time. */
  readonly behavior: KastleBehavior
  /** The number of registered listeners. */
  readonly listeners: number
  /** Injects the object and the relay into the page. @default 'now' */
  install(injection?: Injection): void
}

/** Creates the wallet; `install` injects it into the page. */
export function createFakeWalletB(options: FakeWalletBOptions = {}): FakeWalletB {
  const { latency = 5, timeout = 2000, profile = '2.59', page = currentPage() } = options
  const { arrival = { order: 'event first', gap: 20 } } = options
  const [callLog, faults] = [createCallLog(), createFaults()]
  const kastle = createKastle(options, profile, page)
  const provider = createProvider(profile, createTransport(page, timeout), callLog)
  deliverEvents(page, provider)
  return {
    ...callLog,
    ...faults,
    ...createControls(kastle),
    provider,
    prompts: kastle.prompts,
    behavior: kastle.behavior,
    get state() {
      return kastle.accountState.state
    },
    get listeners() {
      return [...provider.listenersOf.values()].reduce((sum, { size }) => sum + size, 0)
    },
    install: (injection = 'now') => {
      const pieces = { provider, openRelay: () => openRelay(page, kastle, faults, latency) }
      installPieces(page, profile, pieces, injection, arrival)
    },
  }
}

function createKastle(options: FakeWalletBOptions, profile: KastleProfile, page: PageWindow): Kastle {
  const accountState = createAccountState('fake-wallet-b', stateOn(options), openMemory(options.memory).site)
  return {
    accountState,
    behavior: { transactions: 1, publicKey: 'compressed', address: 'prompt', settings: 'known' },
    notifier: createNotifier(page),
    prompts: createPrompts(options.prompts),
    profile,
    host: page.location.host,
    balance: 200_000_000_000n,
    addressNetwork: accountState.state.network,
    node: openWalletNode(options.devnode),
  }
}

/** The user's actions in the wallet's own window, and external changes. */
export interface WalletBControls {
  /** Emits no event. */
  lock(): void
  /** Emits no event. */
  unlock(): void
  /** Selects another account, which may have no permission for the site. */
  selectAccount(index: number): void
  switchNetwork(network: string): void
  /** Replaces an address that is still of another network (`behavior.address`); emits no event. */
  updateAddress(): void
  /** Revokes the selected account's permission for this page's site. */
  forgetSite(): void
  /** In sompi; emits no event. */
  setBalance(sompi: bigint): void
  /** Posts the extension's messages directly. */
  readonly notifier: KastleNotifier
}

function createControls(kastle: Kastle): WalletBControls {
  const { accountState, notifier } = kastle
  return {
    notifier,
    lock: () => accountState.update({ status: 'locked' }),
    unlock: () => accountState.update({ status: 'unlocked' }),
    selectAccount: (account) => {
      accountState.update({ account })
      notifier.noise()
      notifier.host(isConnected(kastle))
      notifier.account(isConnected(kastle) ? addressOf(kastle) : null)
    },
    switchNetwork: (network) => changeNetwork(kastle, network),
    updateAddress: () => {
      kastle.addressNetwork = accountState.state.network
    },
    forgetSite: () => {
      accountState.revoke(permissionOf(kastle))
      notifier.noise()
      notifier.host(false)
    },
    setBalance: (sompi) => {
      kastle.balance = sompi
    },
  }
}
