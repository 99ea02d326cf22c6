import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { balances, preloadUtxos } from '../../../engine/features/utxos.js'
import type { ChainError } from '../../../errors/chain-error.js'
import { UNKNOWN_BALANCES, type Balance, type Freshness, type UtxoOptions } from '../../../streams/utxos/view/state.js'
import { useAddresses, type AddressesArgument, toStream, useStream } from '../bridges/stream-refs.js'
import { isServer } from '../bridges/render-phase.js'
import { useCore } from '../plugin/core.js'

export interface UseBalanceReturn {
  /** The sum over all addresses, in sompi. */
  readonly balance: ComputedRef<Balance>
  /** The balance of each address. */
  readonly byAddress: ComputedRef<Readonly<Record<string, Balance>>>
  /** Whether the balance is current; while `unknown` or `loading`, 0n has no meaning. */
  readonly freshness: ComputedRef<Freshness>
  /** When a state that was restored after a reload was current, Unix ms; null once the node has shown it. */
  readonly asOf: ComputedRef<number | null>
  /** The cause of an unknown balance; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
}

/**
 * The balance of the given addresses or account, which may change. Own payments count at once; those of others as of
 * the last mempool read. Fetches and subscribes once a value is read.
 */
export function useBalance(
  addresses: MaybeRefOrGetter<AddressesArgument>,
  options: UtxoOptions = {},
): UseBalanceReturn {
  const balances$ = feature(useCore('useBalance'), balances)
  if (!isServer()) preloadUtxos()
  const state = useStream(balances$(toStream(useAddresses(addresses)), options), UNKNOWN_BALANCES)
  return {
    balance: computed(() => state.value.balance),
    byAddress: computed(() => state.value.byAddress),
    freshness: computed(() => state.value.freshness),
    asOf: computed(() => state.value.asOf),
    error: computed(() => state.value.error),
  }
}
