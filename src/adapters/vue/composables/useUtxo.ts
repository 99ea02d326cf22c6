import { computed, shallowRef, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/feature.js'
import { utxos } from '../../../engine/features/utxos.js'
import type { UtxoBalance, UtxoEntry } from '../../../model/utxo.js'
import { requireAddresses } from '../../../streams/session/obstacles.js'
import { UNKNOWN_UTXOS, type Freshness, type UtxoOptions } from '../../../streams/utxos/state.js'
import { toStream } from '../bridges/ref-to-stream.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'

export interface UseUtxoReturn {
  /** Confirmed entries, unripe coinbase included. */
  readonly entries: ComputedRef<UtxoEntry[]>
  /** Sompi. */
  readonly balance: ComputedRef<UtxoBalance>
  /** What may be spent now. */
  readonly matureEntries: ComputedRef<UtxoEntry[]>
  /** How far all this can be trusted: where it is `unknown`, a balance of 0n means nothing. */
  readonly freshness: ComputedRef<Freshness>
  readonly trackedAddresses: ComputedRef<string[]>
  readonly isTracking: ComputedRef<boolean>
  readonly isLoading: ComputedRef<boolean>
  readonly error: ComputedRef<Error | null>
  /**
   * Adds addresses to those given; resolves once their first snapshot is in. Rejects with `ChainRpcError` where one is none
   * of this network, and then adds none; where the node refuses them, or the connection is given up.
   */
  readonly track: (addresses: readonly string[]) => Promise<void>
  readonly untrack: (addresses: readonly string[]) => Promise<void>
  /** Reads everything again, the mempool too. */
  readonly refresh: () => Promise<void>
  /** Lets go of what `track` has added. */
  readonly clear: () => Promise<void>
}

type Addresses = string | readonly string[] | null | undefined

/**
 * The unspent outputs of some addresses, live: those given, which may change, and those that `track` adds. The node is
 * asked and subscribed to once something of it is read, or awaited.
 */
export function useUtxo(addresses?: MaybeRefOrGetter<Addresses>, options: UtxoOptions = {}): UseUtxoReturn {
  const added = shallowRef<readonly string[]>([])
  const tracked = computed(() => [...new Set([...toList(toValue(addresses)), ...added.value])])
  const core = useCore('useUtxo')
  const ledger = feature(core, utxos)(toStream(tracked), options)
  const state = useStream(ledger.state$, UNKNOWN_UTXOS)
  const keep = (next: readonly string[]): Promise<void> => {
    added.value = next
    return Promise.resolve()
  }
  return {
    entries: computed(() => state.value.entries.slice()),
    balance: computed(() => state.value.balance),
    matureEntries: computed(() => state.value.matureEntries.slice()),
    freshness: computed(() => state.value.freshness),
    trackedAddresses: tracked,
    isTracking: computed(() => tracked.value.length > 0),
    isLoading: computed(() => state.value.freshness === 'loading'),
    error: computed(() => state.value.error),
    track: async (more) => {
      requireAddresses(more, core.network())
      added.value = [...new Set([...added.value, ...more])]
      toValue(state) // read, so that it is listened to, and stays after the wait
      await ledger.settled()
    },
    untrack: (fewer) => keep(added.value.filter((address) => !fewer.includes(address))),
    refresh: () => ledger.refresh(),
    clear: () => keep([]),
  }
}

const toList = (addresses: Addresses): readonly string[] =>
  typeof addresses === 'string' ? [addresses] : (addresses ?? [])
