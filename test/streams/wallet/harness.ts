import { NEVER, concat, ignoreElements, map, merge, of, takeUntil, tap, timer } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import { createWalletSession } from '../../../src/streams/wallet/create-session.js'
import type { WalletState, WalletSession } from '../../../src/streams/wallet/wallet-session.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import type { Wallet, WalletAccount, WalletSnapshot, WalletsPort } from '../../../src/wallets/port.js'

/** Two mainnet accounts and a testnet account of one user. */
export const ANNA = account('kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh', 'mainnet')
export const BERT = account('kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp', 'mainnet')
export const TEST = account('kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn', 'testnet-10')

function account(address: string, network: string): WalletAccount {
  return { address, network, publicKey: `02${'00'.repeat(32)}` }
}

export const open = (shown: WalletAccount): WalletSnapshot => ({ status: 'open', account: shown })
export const LOCKED: WalletSnapshot = { status: 'locked' }
export const DISCONNECTED: WalletSnapshot = { status: 'disconnected-by-wallet' }

/** A scripted wallet. By default reads respond at once, and prompts never. */
export const scriptedWallet = (script: Partial<Wallet> = {}): Wallet => ({
  info: { id: 'walletA', name: 'KasWare', icon: null, rdns: null },
  networks: ['mainnet', 'testnet-10'],
  hints$: NEVER,
  connect: () => of(ANNA),
  refresh: () => of(open(ANNA)),
  disconnect: () => of(undefined),
  canSendMany: false,
  covered: {},
  send: () => NEVER,
  request: () => NEVER,
  signMessage: () => NEVER,
  signPskt: () => NEVER,
  switchNetwork: () => NEVER,
  ...script,
})

export const present = (...wallets: readonly Wallet[]): WalletsPort => ({ wallets$: concat(of(wallets), NEVER) })

export interface Harness {
  readonly platform: TestPlatform
  readonly session: WalletSession & { dispose(): void }
  /** The session's states, one letter each. */
  readonly letters$: Observable<string>
}

/** Virtual ms after which the page is hidden: a visible page polls its wallet forever. */
const HIDDEN = 90_000

export interface HarnessOptions {
  /** The wallet of the last visit. */
  readonly remembered?: string
  /** Virtual ms for which states are recorded. @default 4_500, before the first poll */
  readonly until?: number
}

/** A session in virtual time. */
export function createHarness(
  scheduler: SchedulerLike,
  wallets: WalletsPort,
  { remembered, until = 4_500 }: HarnessOptions = {},
): Harness {
  const platform = createTestPlatform({ scheduler })
  if (remembered !== undefined) platform.storage.set('vue-chain:wallet', remembered)
  const session = createWalletSession({ wallets, platform })
  timer(HIDDEN, scheduler).subscribe(() => platform.visible$.next(false))
  const letters$ = concat(session.state$.pipe(map(toLetter), takeUntil(timer(until, scheduler))), NEVER)
  return { platform, session, letters$ }
}

/**
 * d(isconnected), c(onnecting), l(ocked), w (disconnected by the wallet), A(nna), B(ert) or T(est) for the connected
 * account; e after a failed operation without a connection; p while a prompt of a connected wallet is pending.
 */
function toLetter({ status, address, pending, error }: WalletState): string {
  if (status !== 'connected')
    return error === null ? (status === 'disconnected-by-wallet' ? 'w' : status.slice(0, 1)) : 'e'
  if (pending !== null) return 'p'
  return address === ANNA.address ? 'A' : address === BERT.address ? 'B' : 'T'
}

/** Emits `watched$` while `script$` triggers one action per letter. Rejections of actions are ignored. */
export const during = <T>(
  watched$: Observable<T>,
  script$: Observable<string>,
  actions: Record<string, () => unknown>,
): Observable<T> =>
  merge(
    watched$,
    script$.pipe(
      tap((letter) => void Promise.resolve(actions[letter]?.()).catch(() => undefined)),
      ignoreElements(),
    ),
  )
