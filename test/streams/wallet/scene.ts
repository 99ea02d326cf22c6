import { NEVER, concat, ignoreElements, map, merge, of, tap, type Observable, type SchedulerLike } from 'rxjs'
import { createWalletSession } from '../../../src/streams/wallet/create-session.js'
import type { WalletState } from '../../../src/streams/wallet/state.js'
import type { WalletSession } from '../../../src/streams/wallet/wallet-session.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import type { Wallet, WalletAccount, WalletGlimpse, WalletsPort } from '../../../src/wallets/port.js'

/** Two accounts of one user, and one of another network. */
export const ANNA = account('kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh', 'mainnet')
export const BERT = account('kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp', 'mainnet')
export const TEST = account('kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn', 'testnet-10')

function account(address: string, network: string): WalletAccount {
  return { address, network, publicKey: `02${'00'.repeat(32)}` }
}

export const open = (shown: WalletAccount): WalletGlimpse => ({ status: 'open', account: shown })
export const LOCKED: WalletGlimpse = { status: 'locked' }
export const GONE: WalletGlimpse = { status: 'gone' }

/** A wallet whose every answer a test has written; what is left out is answered at once, or never where it would ask. */
export const scriptedWallet = (script: Partial<Wallet> = {}): Wallet => ({
  info: { id: 'walletA', name: 'KasWare', icon: null, rdns: null },
  networks: ['mainnet', 'testnet-10'],
  hints$: NEVER,
  connect: () => of(ANNA),
  look: () => of(open(ANNA)),
  disconnect: () => of(undefined),
  send: () => NEVER,
  signMessage: () => NEVER,
  signPskt: () => NEVER,
  switchNetwork: () => NEVER,
  ...script,
})

export const present = (...wallets: readonly Wallet[]): WalletsPort => ({ wallets$: concat(of(wallets), NEVER) })

export interface Scene {
  readonly platform: TestPlatform
  readonly session: WalletSession & { dispose(): void }
  /** The session's states, a letter each. */
  readonly letters$: Observable<string>
}

/** A session in virtual time. */
export function createScene(scheduler: SchedulerLike, wallets: WalletsPort, remembered?: string): Scene {
  const platform = createTestPlatform({ scheduler })
  if (remembered !== undefined) platform.storage.set('vue-chain:wallet', remembered)
  const session = createWalletSession({ wallets, platform })
  return { platform, session, letters$: session.state$.pipe(map(toLetter)) }
}

/**
 * d(isconnected), c(onnecting), l(ocked), g(one), A(nna), B(ert) or T(est) where one of these is connected; e where the
 * last operation failed, while nobody is connected; p while a connected user is being asked.
 */
function toLetter({ status, address, pending, error }: WalletState): string {
  if (status !== 'connected') return error === null ? status.slice(0, 1) : 'e'
  if (pending !== null) return 'p'
  return address === ANNA.address ? 'A' : address === BERT.address ? 'B' : 'T'
}

/** What is watched, while `script$` has its deeds done: one for each letter. Whatever they reject with is the test's business. */
export const during = <T>(
  watched$: Observable<T>,
  script$: Observable<string>,
  deeds: Record<string, () => unknown>,
): Observable<T> =>
  merge(
    watched$,
    script$.pipe(
      tap((letter) => void Promise.resolve(deeds[letter]?.()).catch(() => undefined)),
      ignoreElements(),
    ),
  )
