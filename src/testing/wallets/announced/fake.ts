import { createFaults, type WalletFaults } from '../faults.js'
import { createJournal, type Journal } from '../journal.js'
import { injectInto, thisPage, type Injection, type PageWindow } from '../page.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import { openMemory, type MemoryKind } from '../storage.js'
import { createVault, type VaultState } from '../vault.js'
import { announce, type AnnouncedInfo, type AnnouncementStandard } from './announce.js'
import { createControls, type AnnouncedControls } from './controls.js'
import type { Announced } from './extension.js'
import { createListeners, type Listeners } from './listeners.js'
import { createRemote } from './remote.js'
import { createProvider, type AnnouncedProvider } from './provider.js'

export interface FakeAnnouncedWalletOptions {
  /** By which draft it makes itself known. @default 'KCC-12' */
  readonly standard?: AnnouncementStandard | undefined
  /** Who it says it is. @default "Example Wallet" of org.example */
  readonly info?: Partial<AnnouncedInfo> | undefined
  /** How the wallet stands where nothing is remembered. @default unlocked, first account, mainnet, nobody permitted */
  readonly state?: Partial<VaultState> | undefined
  /** What becomes of its windows. @default 'approve' */
  readonly prompts?: PromptPolicy | undefined
  /** Ms that each answer takes. @default 5 */
  readonly latency?: number | undefined
  /** Whether it remembers permissions, and all else, from page to page. @default 'page' where there is a page */
  readonly memory?: MemoryKind | undefined
  /** @default the present page, or a stand-in where there is none */
  readonly page?: PageWindow | undefined
}

/** A wallet that announces itself instead of waiting under a name that everybody knows. */
export interface FakeAnnouncedWallet extends Journal, WalletFaults, AnnouncedControls {
  readonly provider: AnnouncedProvider
  readonly info: AnnouncedInfo
  readonly prompts: Prompts
  readonly state: VaultState
  /** How many listeners pages have added and not removed. */
  readonly listeners: number
  /** Announces it, now and whenever a page asks. @default 'now' */
  install(injection?: Injection): void
}

const EXAMPLE: AnnouncedInfo = {
  uuid: '2b1f6f0a-6d3c-4f6e-9d39-0b1f4f6f1c55',
  name: 'Example Wallet',
  icon: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%208%208%22%3E%3Ccircle%20cx=%224%22%20cy=%224%22%20r=%224%22%20fill=%22%23777%22/%3E%3C/svg%3E',
  rdns: 'org.example.wallet',
}

/** Makes one. No page knows of it before `install`. */
export function createFakeAnnouncedWallet(options: FakeAnnouncedWalletOptions = {}): FakeAnnouncedWallet {
  const { standard = 'KCC-12', latency = 5, page = thisPage() } = options
  const info = { ...EXAMPLE, ...options.info }
  const [journal, faults, listeners] = [createJournal(), createFaults(), createListeners()]
  const wallet = createWallet(options, info.rdns, page, listeners)
  const provider = createProvider({ wallet, journal, faults, listeners, latency })
  return {
    ...journal,
    ...faults,
    ...createControls(wallet),
    provider,
    info,
    prompts: wallet.prompts,
    get state() {
      return wallet.vault.state
    },
    get listeners() {
      return listeners.count()
    },
    install: (injection = 'now') => injectInto(page, injection, () => announce(page, standard, info, provider)),
  }
}

function createWallet(
  options: FakeAnnouncedWalletOptions,
  rdns: string,
  { location }: PageWindow,
  { emit }: Listeners,
): Announced {
  let nonce = 0
  return {
    vault: createVault(`fake-wallet:${rdns}`, options.state ?? {}, openMemory(options.memory).site),
    prompts: createPrompts(options.prompts),
    origin: location.origin,
    remote: createRemote(emit),
    emit,
    nextNonce: () => nonce++,
  }
}
