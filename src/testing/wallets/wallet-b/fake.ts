import { createFaults, type WalletFaults } from '../faults.js'
import { createJournal, type Journal } from '../journal.js'
import { thisPage, type Injection, type PageWindow } from '../page.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import { openMemory, type MemoryKind } from '../storage.js'
import { createVault, type VaultState } from '../vault.js'
import { createControls, type WalletBControls } from './controls.js'
import { createProvider } from './create-provider.js'
import { deliverEvents } from './events.js'
import type { Kastle, KastleAnswers } from './extension.js'
import { installPieces, type Arrival } from './install.js'
import { createNews } from './news.js'
import type { KastleProfile } from './profile.js'
import type { KastleProvider } from './provider.js'
import { openRelay } from './relay.js'
import { createTransport } from './transport.js'

export interface FakeWalletBOptions {
  /** How the wallet stands where nothing is remembered. @default unlocked, first account, mainnet, nobody permitted */
  readonly state?: Partial<VaultState> | undefined
  /** What becomes of its windows. @default 'approve' */
  readonly prompts?: PromptPolicy | undefined
  /** Ms that each answer takes. @default 5 */
  readonly latency?: number | undefined
  /** Ms after which a call without an answer rejects. The real one waits 180 000. @default 2000 */
  readonly timeout?: number | undefined
  /** @default '2.59' */
  readonly profile?: KastleProfile | undefined
  /** @default the event 20 ms before the object */
  readonly arrival?: Arrival | undefined
  /** Whether it remembers permissions, and all else, from page to page. @default 'page' where there is a page */
  readonly memory?: MemoryKind | undefined
  /** @default the present page, or a stand-in where there is none */
  readonly page?: PageWindow | undefined
}

/** A stand-in for the browser extension Kastle, and the strings that move it. */
export interface FakeWalletB extends Journal, WalletFaults, WalletBControls {
  /** What a page finds as `window.kastle`. */
  readonly provider: KastleProvider
  readonly prompts: Prompts
  readonly state: VaultState
  /** How it behaves, to be changed at will. */
  readonly answers: KastleAnswers
  /** How many listeners pages have added and not removed. */
  readonly listeners: number
  /** Puts its two pieces into the page. @default 'now' */
  install(injection?: Injection): void
}

/** Makes one. Nothing of it is in the page before `install`. */
export function createFakeWalletB(options: FakeWalletBOptions = {}): FakeWalletB {
  const { latency = 5, timeout = 2000, profile = '2.59', page = thisPage() } = options
  const { arrival = { order: 'event first', gap: 20 } } = options
  const [journal, faults] = [createJournal(), createFaults()]
  const kastle = createKastle(options, profile, page)
  const provider = createProvider(profile, createTransport(page, timeout), journal)
  deliverEvents(page, provider)
  return {
    ...journal,
    ...faults,
    ...createControls(kastle),
    provider,
    prompts: kastle.prompts,
    answers: kastle.answers,
    get state() {
      return kastle.vault.state
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
  const vault = createVault('fake-wallet-b', options.state ?? {}, openMemory(options.memory).site)
  let nonce = 0
  return {
    vault,
    answers: { transactions: 1, publicKey: 'compressed', address: 'prompt', settings: 'known' },
    news: createNews(page),
    prompts: createPrompts(options.prompts),
    profile,
    host: page.location.host,
    balance: 200_000_000_000n,
    addressNetwork: vault.state.network,
    nextNonce: () => nonce++,
  }
}
