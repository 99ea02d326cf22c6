import { computed, shallowRef, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import type { AbortOptions } from '../../../errors/abort-options.js'
import { feature } from '../../../engine/core-parts.js'
import { preloadUtxos, utxos } from '../../../engine/features/utxos.js'
import type { ChainError } from '../../../errors/chain-error.js'
import { copyEntries } from '../../../model/utxo-source/awaited.js'
import type { UtxoSource } from '../../../model/utxo-source/source.js'
import type { UtxoBalance, UtxoEntry } from '../../../model/utxo.js'
import { requireAddresses } from '../../../streams/session/address-errors.js'
import type { InvalidEntry } from '../../../streams/utxos/store/store.js'
import { UNKNOWN_UTXOS, type Freshness, type UtxoOptions } from '../../../streams/utxos/view/state.js'
import { useAddresses, type AddressesArgument, toStream, useStream } from '../bridges/stream-refs.js'
import type { WaitOptions } from '../../../streams/utxos/view/wait.js'
import { isServer } from '../bridges/render-phase.js'
import { useCore } from '../plugin/core.js'

export interface UseUtxoReturn {
  /** Confirmed entries, immature coinbase included. */
  readonly entries: ComputedRef<UtxoEntry[]>
  /** Sompi. */
  readonly balance: ComputedRef<UtxoBalance>
  /** Spendable entries. */
  readonly matureEntries: ComputedRef<UtxoEntry[]>
  /** The entries for payments, without a record for each: pass it as `entries`. */
  readonly source: ComputedRef<UtxoSource>
  /** Whether the state is current; while `unknown`, a balance of 0n has no meaning. */
  readonly freshness: ComputedRef<Freshness>
  /** When a state that was restored after a reload was current, Unix ms; null once the node has shown it. */
  readonly asOf: ComputedRef<number | null>
  /** The newest 100 entries that the node reported and that are not used, with the reason; newest last. */
  readonly invalidEntries: ComputedRef<readonly InvalidEntry[]>
  /** Number of reported entries that are not used, also of those not listed. */
  readonly invalidEntryCount: ComputedRef<number>
  readonly trackedAddresses: ComputedRef<string[]>
  readonly isTracking: ComputedRef<boolean>
  readonly isLoading: ComputedRef<boolean>
  readonly error: ComputedRef<ChainError | null>
  /**
   * Adds addresses; resolves after their first snapshot. Rejects with `ChainRpcError` if an address is not of this
   * network (then adds none), the node refuses the subscription, the connection fails for good, `signal` aborts, or
   * with `timeout` if there is no snapshot `requestTimeout` after the call; the addresses stay tracked.
   */
  readonly track: (addresses: readonly string[], options?: AbortOptions) => Promise<void>
  readonly untrack: (addresses: readonly string[]) => Promise<void>
  /** Fetches UTXOs and mempool entries again. Rejects as `track` does. */
  readonly refresh: (options?: AbortOptions) => Promise<void>
  /** Removes the addresses added by `track`. */
  readonly clear: () => Promise<void>
}

/**
 * The UTXO set of the given addresses or account, which may change, and of those added by `track`. Fetches and
 * subscribes once a value is read or a method awaited.
 */
export function useUtxo(addresses?: MaybeRefOrGetter<AddressesArgument>, options: UtxoOptions = {}): UseUtxoReturn {
  const added = shallowRef<readonly string[]>([])
  const given = useAddresses(addresses)
  const tracked = computed(() => [...new Set([...given.value, ...added.value])])
  const core = useCore('useUtxo')
  if (!isServer()) preloadUtxos()
  const tracker = feature(core, utxos)(toStream(tracked), options)
  const state = useStream(tracker.state$, UNKNOWN_UTXOS)
  const waitOptions = (options: AbortOptions = {}): WaitOptions => ({
    signal: options.signal,
    timeout: core.options.requestTimeout,
  })
  const setAdded = (next: readonly string[]): Promise<void> => {
    added.value = next
    return Promise.resolve()
  }
  return {
    entries: computed(() => copyEntries(state.value.entries)),
    balance: computed(() => state.value.balance),
    matureEntries: computed(() => copyEntries(state.value.matureEntries)),
    source: computed(() => state.value.source),
    freshness: computed(() => state.value.freshness),
    asOf: computed(() => state.value.asOf),
    invalidEntries: computed(() => state.value.invalidEntries),
    invalidEntryCount: computed(() => state.value.invalidEntryCount),
    trackedAddresses: tracked,
    isTracking: computed(() => tracked.value.length > 0),
    isLoading: computed(() => state.value.freshness === 'loading'),
    error: computed(() => state.value.error),
    track: async (more, options) => {
      requireAddresses(more, core.network())
      added.value = [...new Set([...added.value, ...more])]
      toValue(state) // reading subscribes, until the scope ends
      await tracker.ready(waitOptions(options))
    },
    untrack: (fewer) => setAdded(added.value.filter((address) => !fewer.includes(address))),
    refresh: (options) => tracker.refresh(waitOptions(options)),
    clear: () => setAdded([]),
  }
}
