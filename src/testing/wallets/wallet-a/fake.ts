import {
  createFaults,
  type FaultGate,
  type WalletFaults,
  createCallLog,
  type CallLog,
  pause,
  toJsonCopy,
} from '../extension-calls.js'
import { announce, type AnnouncedInfo, currentPage, injectInto, type Injection, type PageWindow } from '../page.js'
import { openWalletNode, stateOn, type WalletDevnode, type WalletNode } from '../node/wallet-node.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import {
  openMemory,
  type FakeStorage,
  type MemoryKind,
  createAccountState,
  type AccountStateSource,
  type AccountState,
} from '../account-state.js'
import {
  defaultBehavior,
  siteAccessOf,
  type KaswareBehavior,
  type Kasware,
  KaswareEmitter,
  createNotifier,
} from './extension.js'
import { handleCall, createCheckIn, createControls, syncOtherTabs, type WalletAControls } from './background.js'
import { installProvider, createProvider, type KaswareProvider, createPageScript, type Call } from './provider.js'
import { createApprovalWindow } from './methods.js'

export interface FakeWalletAOptions {
  /** The initial state if none is stored. @default unlocked, first account, mainnet, no site permitted */
  readonly state?: Partial<AccountState> | undefined
  /**
   * Announces a wallet with KasWare's methods by EIP-6963, as Kasperia does, instead of setting `window.kasware`.
   * @default none
   */
  readonly announcement?: Partial<AnnouncedInfo> | undefined
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
  /** Ms from the load event to the check-in of the page's origin. @default 50 */
  readonly checkIn?: number | undefined
  /** The site that was open in the tab before; used until the check-in. */
  readonly previousSite?: string | undefined
  /** Where permissions and other state are stored. @default 'page' in a browser, else 'none' */
  readonly memory?: MemoryKind | undefined
  /** @default `window`, or a test page if there is none */
  readonly page?: PageWindow | undefined
}

/** A fake of the browser extension KasWare, with controls for tests. */
export interface FakeWalletA extends CallLog, WalletFaults, WalletAControls {
  /** The object at `window.kasware`. */
  readonly provider: KaswareProvider
  readonly prompts: Prompts
  readonly state: AccountState
  /** Variants of its results; can be changed at any time. */
  readonly behavior: KaswareBehavior
  /** The number of registered listeners. */
  readonly listeners: number
  /** Injects the provider into the page permanently and dispatches `kasware#initialized`. @default 'now' */
  install(injection?: Injection): void
}

/** Creates the wallet; `install` injects it into the page. */
export function createFakeWalletA(options: FakeWalletAOptions = {}): FakeWalletA {
  const { page = currentPage() } = options
  const memory = openMemory(options.memory)
  const emitter = new KaswareEmitter()
  const accountState = createAccountState('fake-wallet-a', stateOn(options), memory.site)
  const kasware = createKasware(accountState, emitter, page, openWalletNode(options.devnode))
  const [callLog, faults, prompts] = [createCallLog(), createFaults(), createPrompts(options.prompts)]
  const call = connect({ kasware, page, prompts, faults, tab: memory.tab }, options)
  const provider = createProvider(emitter, (method, params) => {
    callLog.record(method, params)
    return call(method, params)
  })
  syncOtherTabs(kasware, page)
  return {
    ...callLog,
    ...faults,
    ...createControls(kasware, page),
    provider,
    prompts,
    behavior: kasware.behavior,
    get state() {
      return kasware.accountState.state
    },
    get listeners() {
      return [...emitter.listenersOf.values()].reduce((sum, { length }) => sum + length, 0)
    },
    install: (injection = 'now') => {
      const { announcement } = options
      if (announcement === undefined) installProvider(page, provider, injection)
      else injectInto(page, injection, () => announce(page, 'EIP-6963', { ...KASPERIA, ...announcement }, provider))
    },
  }
}

/** How Kasperia announces itself. */
const KASPERIA: AnnouncedInfo = {
  uuid: 'ffalcabg-ggeg-keij-jlkn-ofllbaledgcob',
  name: 'Kasperia Wallet',
  icon: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E',
  rdns: 'io.kasperia.wallet',
}

function createKasware(
  accountState: AccountStateSource,
  emitter: KaswareEmitter,
  { location }: PageWindow,
  node: WalletNode,
): Kasware {
  return {
    accountState,
    behavior: defaultBehavior(),
    notifier: createNotifier(emitter, accountState, () => siteAccessOf(accountState, location.origin) !== 'none'),
    balance: { confirmed: 120_000_000_000n, unconfirmed: 0n },
    node,
  }
}

interface ConnectDeps {
  readonly kasware: Kasware
  readonly page: PageWindow
  readonly prompts: Prompts
  readonly faults: FaultGate
  readonly tab: FakeStorage
}

/** Connects the page script to the extension: latency, faults, check-in and prompts. */
function connect({ kasware, page, prompts, faults, tab }: ConnectDeps, options: FakeWalletAOptions): Call {
  const { latency = 5, checkIn = 50, previousSite = null } = options
  const checkedIn = createCheckIn(page, { delay: checkIn, previousSite, tab })
  const approvalWindow = createApprovalWindow(prompts)
  return createPageScript(page, async (method, params, tick) => {
    await pause(latency)
    await faults.apply(method)
    return toJsonCopy(await handleCall(kasware, checkedIn.origin, approvalWindow(tick), method, params))
  })
}
