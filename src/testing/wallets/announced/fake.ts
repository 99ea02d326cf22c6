import { createFaults, type WalletFaults, createCallLog, type CallLog } from '../extension-calls.js'
import {
  injectInto,
  currentPage,
  type Injection,
  type PageWindow,
  announce,
  type AnnouncedInfo,
  type AnnouncementStandard,
} from '../page.js'
import { openWalletNode, stateOn, type WalletDevnode } from '../node/wallet-node.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import { openMemory, type MemoryKind, createAccountState, type AccountState } from '../account-state.js'
import { createControls, type AnnouncedControls, createNodeLink, type Announced } from './extension.js'
import { createEmitter, createProvider, type Emitter, type AnnouncedProvider } from './provider.js'

export interface FakeAnnouncedWalletOptions {
  /** The announcement draft. @default 'KCC-12' */
  readonly standard?: AnnouncementStandard | undefined
  /** The announced identity. @default "Example Wallet" of org.example */
  readonly info?: Partial<AnnouncedInfo> | undefined
  /** The initial state if none is stored. @default unlocked, first account, mainnet, no site permitted */
  readonly state?: Partial<AccountState> | undefined
  /**
   * The network that the wallet pays on: `devnode`, or `{ engineOptions }` with the URL of one. Its first three
   * accounts are those of the wallet, whose initial network and balance it decides. @default none: nothing is sent,
   * every payment succeeds
   */
  readonly devnode?: WalletDevnode | undefined
  /** Signs a bundle (`PSKB` and hex) by `kaspa_signPskb`. @default the wallet has no such method */
  readonly signPskb?: ((text: string) => string | Promise<string>) | undefined
  /** The response to prompts. @default 'approve' */
  readonly prompts?: PromptPolicy | undefined
  /** Ms per call. @default 5 */
  readonly latency?: number | undefined
  /** Where permissions and other state are stored. @default 'page' in a browser, else 'none' */
  readonly memory?: MemoryKind | undefined
  /** @default `window`, or a test page if there is none */
  readonly page?: PageWindow | undefined
}

/** A fake wallet that announces itself instead of setting a property of `window`. */
export interface FakeAnnouncedWallet extends CallLog, WalletFaults, AnnouncedControls {
  readonly provider: AnnouncedProvider
  readonly info: AnnouncedInfo
  readonly prompts: Prompts
  readonly state: AccountState
  /** The number of registered listeners. */
  readonly listeners: number
  /** Announces the wallet at `injection` and on request. @default 'now' */
  install(injection?: Injection): void
}

const EXAMPLE: AnnouncedInfo = {
  uuid: '2b1f6f0a-6d3c-4f6e-9d39-0b1f4f6f1c55',
  name: 'Example Wallet',
  icon: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%208%208%22%3E%3Ccircle%20cx=%224%22%20cy=%224%22%20r=%224%22%20fill=%22%23777%22/%3E%3C/svg%3E',
  rdns: 'org.example.wallet',
}

/** Creates the wallet; `install` announces it. */
export function createFakeAnnouncedWallet(options: FakeAnnouncedWalletOptions = {}): FakeAnnouncedWallet {
  const { standard = 'KCC-12', latency = 5, page = currentPage() } = options
  const info = { ...EXAMPLE, ...options.info }
  const [callLog, faults, listeners] = [createCallLog(), createFaults(), createEmitter()]
  const wallet = createWallet(options, info.rdns, page, listeners)
  const provider = createProvider({ wallet, callLog, faults, listeners, latency })
  return {
    ...callLog,
    ...faults,
    ...createControls(wallet),
    provider,
    info,
    prompts: wallet.prompts,
    get state() {
      return wallet.accountState.state
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
  { emit }: Emitter,
): Announced {
  return {
    accountState: createAccountState(`fake-wallet:${rdns}`, stateOn(options), openMemory(options.memory).site),
    prompts: createPrompts(options.prompts),
    origin: location.origin,
    nodeLink: createNodeLink(emit),
    emit,
    node: openWalletNode(options.devnode),
    signPskb: options.signPskb,
  }
}
