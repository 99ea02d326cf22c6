import { createFaults, type WalletFaults } from '../faults.js'
import { createCallLog, type CallLog } from '../call-log.js'
import { currentPage, type Injection, type PageWindow } from '../page.js'
import { openWalletNode, stateOn } from '../node/devnode-node.js'
import type { WalletDevnode } from '../node/wallet-node.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import { openMemory, type MemoryKind } from '../storage.js'
import { createAccountState, type AccountState } from '../account-state.js'
import { createControls, type WalletBControls } from './controls.js'
import { createProvider, deliverEvents, installPieces, type Arrival } from './install.js'
import type { Kastle, KastleBehavior } from './extension.js'
import { createNotifier } from './notifier.js'
import type { KastleProfile } from './profile.js'
import type { KastleProvider } from './provider.js'
import { openRelay } from './relay.js'
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
