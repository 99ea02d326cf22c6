import { switchMap } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/feature.js'
import { wallet } from '../../../engine/features/wallet.js'
import type { ChainWalletError } from '../../../errors/wallet-error.js'
import type { WalletOperation, WalletState, WalletStatus } from '../../../streams/wallet/state.js'
import type { WalletSession } from '../../../streams/wallet/wallet-session.js'
import type { DiscoveredWallet, WalletBalance, WalletInfo, WalletProvider } from '../../../wallets/port.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useMounted } from '../bridges/use-mounted.js'
import { useCore } from '../plugin/core.js'

export interface UseWalletReturn extends Omit<WalletSession, 'state' | 'state$'> {
  readonly status: ComputedRef<WalletStatus>
  /** The wallet that `status` speaks of; null while disconnected. */
  readonly wallet: ComputedRef<WalletInfo | null>
  /** The same by its name here; null for a discovered one, and where no account can be had: disconnected, gone. */
  readonly provider: ComputedRef<WalletProvider | null>
  readonly address: ComputedRef<string | null>
  /** Hex. */
  readonly publicKey: ComputedRef<string | null>
  /** Sompi. Null where the wallet does not say; walletB never does. */
  readonly balance: ComputedRef<WalletBalance | null>
  /** The wallet's network: a `ChainNetwork` where it is one of ours. */
  readonly network: ComputedRef<string | null>
  /** True from an explicit `connect()` to its end, never while a wallet is taken up silently. */
  readonly isConnecting: ComputedRef<boolean>
  readonly isConnected: ComputedRef<boolean>
  /** Turns true when the wallet arrives late. */
  readonly isWalletAInstalled: ComputedRef<boolean>
  readonly isWalletBInstalled: ComputedRef<boolean>
  /** Wallets that announced themselves; pass one to `connect`. */
  readonly discovered: ComputedRef<readonly DiscoveredWallet[]>
  /** What the user is being asked by the wallet, one question at a time. */
  readonly pending: ComputedRef<WalletOperation | null>
  /** The last operation that failed; cleared when the next one begins or succeeds. */
  readonly error: ComputedRef<ChainWalletError | null>
}

/**
 * The user's browser wallet. It belongs to the app: every call sees the same. Wallets are looked for, and the last visit's
 * one is taken up without a question, once a value is read in a mounted component, or an operation is called. On a server
 * nothing is looked for, and operations reject at once.
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
    network: field('network'),
    isConnecting: computed(() => state.value.pending === 'connect'),
    isConnected: computed(() => state.value.address !== null),
    isWalletAInstalled: computed(() => state.value.installed.includes('walletA')),
    isWalletBInstalled: computed(() => state.value.installed.includes('walletB')),
    discovered: field('discovered'),
    pending: field('pending'),
    error: field('error'),
  }
}
