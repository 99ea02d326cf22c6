import { createFaults, type FaultGate, type WalletFaults } from '../faults.js'
import { createJournal, type Journal } from '../journal.js'
import { thisPage, type Injection, type PageWindow } from '../page.js'
import { pause, toJsonCopy } from '../pause.js'
import { createPrompts, type PromptPolicy, type Prompts } from '../prompts.js'
import { openMemory, type FakeStorage, type MemoryKind } from '../storage.js'
import { createVault, type Vault, type VaultState } from '../vault.js'
import { usualAnswers, type KaswareAnswers } from './answers.js'
import { handleCall } from './background.js'
import { createCheckIn } from './check-in.js'
import { createControls, type WalletAControls } from './controls.js'
import { KaswareEmitter } from './emitter.js'
import { standingOf, type Kasware } from './extension.js'
import { installProvider } from './install.js'
import { createNews } from './news.js'
import { followOtherTabs } from './other-tabs.js'
import { createPageScript, type Call } from './page-script.js'
import { createProvider, type KaswareProvider } from './provider.js'
import { createWindows } from './windows.js'

export interface FakeWalletAOptions {
  /** How the wallet stands where nothing is remembered. @default unlocked, first account, mainnet, nobody permitted */
  readonly state?: Partial<VaultState> | undefined
  /** What becomes of its windows. @default 'approve' */
  readonly prompts?: PromptPolicy | undefined
  /** Ms that each answer takes. @default 5 */
  readonly latency?: number | undefined
  /** Ms from the load event until it knows which site the page is. @default 50 */
  readonly checkIn?: number | undefined
  /** The site that was in the tab before, for which it takes the page until then. */
  readonly previousSite?: string | undefined
  /** Whether it remembers permissions, and all else, from page to page. @default 'page' where there is a page */
  readonly memory?: MemoryKind | undefined
  /** @default the present page, or a stand-in where there is none */
  readonly page?: PageWindow | undefined
}

/** A stand-in for the browser extension KasWare, and the strings that move it. */
export interface FakeWalletA extends Journal, WalletFaults, WalletAControls {
  /** What a page finds as `window.kasware`. */
  readonly provider: KaswareProvider
  readonly prompts: Prompts
  readonly state: VaultState
  /** The forms in which it answers, to be changed at will. */
  readonly answers: KaswareAnswers
  /** How many listeners pages have added and not removed. */
  readonly listeners: number
  /** Puts the provider into the page, for good, and says so. @default 'now' */
  install(injection?: Injection): void
}

/** Makes one. Nothing of it is in the page before `install`. */
export function createFakeWalletA(options: FakeWalletAOptions = {}): FakeWalletA {
  const { page = thisPage() } = options
  const memory = openMemory(options.memory)
  const emitter = new KaswareEmitter()
  const kasware = createKasware(createVault('fake-wallet-a', options.state ?? {}, memory.site), emitter, page)
  const [journal, faults, prompts] = [createJournal(), createFaults(), createPrompts(options.prompts)]
  const call = connect({ kasware, page, prompts, faults, tab: memory.tab }, options)
  const provider = createProvider(emitter, (method, params) => {
    journal.note(method, params)
    return call(method, params)
  })
  followOtherTabs(kasware, page)
  return {
    ...journal,
    ...faults,
    ...createControls(kasware, page),
    provider,
    prompts,
    answers: kasware.answers,
    get state() {
      return kasware.vault.state
    },
    get listeners() {
      return [...emitter.listenersOf.values()].reduce((sum, { length }) => sum + length, 0)
    },
    install: (injection = 'now') => installProvider(page, provider, injection),
  }
}

function createKasware(vault: Vault, emitter: KaswareEmitter, { location }: PageWindow): Kasware {
  let nonce = 0
  return {
    vault,
    answers: usualAnswers(),
    news: createNews(emitter, vault, () => standingOf(vault, location.origin) !== 'stranger'),
    balance: { confirmed: 120_000_000_000n, unconfirmed: 0n },
    nextNonce: () => nonce++,
  }
}

interface Ends {
  readonly kasware: Kasware
  readonly page: PageWindow
  readonly prompts: Prompts
  readonly faults: FaultGate
  readonly tab: FakeStorage
}

/** The road from the page to the extension: what the page's script lets through, when, and as which site. */
function connect({ kasware, page, prompts, faults, tab }: Ends, options: FakeWalletAOptions): Call {
  const { latency = 5, checkIn = 50, previousSite = null } = options
  const place = createCheckIn(page, { delay: checkIn, previousSite, tab })
  const windows = createWindows(prompts)
  return createPageScript(page, async (method, params, turn) => {
    await pause(latency)
    await faults.pass(method)
    return toJsonCopy(await handleCall(kasware, place.origin, windows(turn), method, params))
  })
}
