import { switchMap } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { wallet } from '../../../engine/features/wallet.js'
import type { ChainWalletError } from '../../../errors/wallet-error.js'
import type { InterruptedPayment } from '../../../streams/wallet/interrupted.js'
import type {
  WalletOperation,
  WalletState,
  WalletStatus,
  WalletSession,
} from '../../../streams/wallet/wallet-session.js'
import type { WalletInfo, WalletBalance, WalletProvider } from '../../../wallets/port.js'
import { useStream } from '../bridges/stream-refs.js'
import { useMounted } from '../bridges/render-phase.js'
import { useCore } from '../plugin/core.js'

export interface UseWalletReturn extends Omit<WalletSession, 'state' | 'state$'> {
  readonly status: ComputedRef<WalletStatus>
  /** The wallet that `status` refers to; null while disconnected. */
  readonly wallet: ComputedRef<WalletInfo | null>
  /**
   * Its provider name; null for a discovered wallet, and without an account (`disconnected`, `disconnected-by-wallet`).
   */
  readonly provider: ComputedRef<WalletProvider | null>
  readonly address: ComputedRef<string | null>
  /** Hex. */
  readonly publicKey: ComputedRef<string | null>
  /** Sompi. Null if the wallet does not report it in parts; walletB never does. */
  readonly balance: ComputedRef<WalletBalance | null>
  /**
   * The total that the wallet reports, sompi; null where it cannot. With a connection, `useUtxo(address)` is more
   * precise.
   */
  readonly reportedBalance: ComputedRef<bigint | null>
  /** The wallet's network: a `ChainNetwork` if known to this library. */
  readonly network: ComputedRef<string | null>
  /** Whether `sendMany` can pay several recipients by one transaction. */
  readonly canSendMany: ComputedRef<boolean>
  /** Whether the wallet may have `signPskb`. */
  readonly canSignPskb: ComputedRef<boolean>
  /** True while an explicit `connect()` is pending, not while the last wallet is restored. */
  readonly isConnecting: ComputedRef<boolean>
  readonly isConnected: ComputedRef<boolean>
  /** Becomes true when the wallet is injected after page load. */
  readonly isWalletAInstalled: ComputedRef<boolean>
  readonly isWalletBInstalled: ComputedRef<boolean>
  /** Wallets that announced themselves; pass one to `connect`. */
  readonly discovered: ComputedRef<readonly WalletInfo[]>
  /** The operation that waits for the user's approval in the wallet; one at a time. */
  readonly pending: ComputedRef<WalletOperation | null>
  /** Payments of this tab whose outcome is not known, also after a reload; `dismissInterrupted` ends one. */
  readonly interrupted: ComputedRef<readonly InterruptedPayment[]>
  /** Error of the last operation; cleared when the next one begins or succeeds. */
  readonly error: ComputedRef<ChainWalletError | null>
}

/**
 * The user's browser wallet, shared by all calls of the app. Wallets are detected, and the wallet of the last visit is
 * restored without a prompt, once a value is read in a mounted component or an operation is called. On a server no
 * wallet is detected, and operations reject at once.
 */
export function useWallet(): UseWalletReturn {
  const { state$, state: first, ...session } = feature(useCore('useWallet'), wallet)
  const state = useStream(useMounted().pipe(switchMap(() => state$)), first)
  const field = <Field extends keyof WalletState>(name: Field): ComputedRef<WalletState[Field]> =>
    computed(() => state.value[name])
  return {
    ...session,
    status: field('status'),
    wallet: field('wallet'),
    provider: field('provider'),
    address: field('address'),
    publicKey: field('publicKey'),
    balance: field('balance'),
    reportedBalance: field('reportedBalance'),
    network: field('network'),
    canSendMany: field('canSendMany'),
    canSignPskb: field('canSignPskb'),
    isConnecting: computed(() => state.value.pending === 'connect'),
    isConnected: computed(() => state.value.address !== null),
    isWalletAInstalled: computed(() => state.value.installed.includes('walletA')),
    isWalletBInstalled: computed(() => state.value.installed.includes('walletB')),
    discovered: field('discovered'),
    pending: field('pending'),
    interrupted: field('interrupted'),
    error: field('error'),
  }
}
