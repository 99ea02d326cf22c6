import { of, switchMap } from 'rxjs'
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import type { Beginning } from '../../../contracts/follow-store.js'
import type { ContractOutput, InstanceCalls, InstanceView } from '../../../contracts/instance.js'
import type { UnconfirmedCall } from '../../../contracts/unconfirmed-calls.js'
import { feature } from '../../../engine/core-parts.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { ContractArtifact } from '../../../model/contracts/artifact.js'
import type { Contract } from '../../../model/contracts/contract.js'
import type { GenesisRecord } from '../../../model/covenant-id.js'
import type { MovedCall } from '../../../model/contracts/instance-state.js'
import type { ContractRow } from '../../../model/contracts/rows.js'
import type { ContractName, ContractStateInput, ContractStateOf } from '../../../model/contracts/values.js'
import { toStream, useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'
import { appContracts } from './useContracts.js'

/** `None`: null where there may be no genesis. */
export interface UseContractReturn<
  A extends ContractArtifact = ContractArtifact,
  N extends ContractName<A> = ContractName<A>,
  None extends null = never,
> {
  /** Of a single output; null where it is not known, or there are none or several. */
  readonly state: ComputedRef<ContractStateOf<A, N> | null>
  /** The newest outputs that are known, own calls before their block included. */
  readonly outputs: ComputedRef<readonly ContractOutput<ContractStateOf<A, N>>[]>
  /** The calls of anyone that the mempool has: pending, never state. */
  readonly unconfirmed: ComputedRef<readonly UnconfirmedCall[]>
  /**
   * `unknown`: outputs may be missing, on a server too. `stale`: newer calls may be unknown, without a connection or
   * before the end of the chain is reached.
   */
  readonly freshness: ComputedRef<'unknown' | 'fresh' | 'stale'>
  /** The outputs of the chain that were spent since the following began, with their calls, oldest first. */
  readonly history: ComputedRef<readonly ContractRow<ContractStateOf<A, N>>[]>
  /** The last own call whose input another transaction spends, until another one is sent; otherwise null. */
  readonly moved: ComputedRef<MovedCall | null>
  /** Why the contract is not followed any more; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
  /** Describes calls of the instance, for `transaction` of `useContracts()`; null without a genesis. */
  readonly call: ComputedRef<InstanceCalls<A, N> | None>
}

/**
 * An instance of a contract by the record of its genesis; null for none yet. Followed once a value is read, for all
 * components together. Where the record is none of the contract, reading throws `ChainError` (`invalid-argument`),
 * until it changes.
 */
export function useContract<A extends ContractArtifact, N extends ContractName<A>>(
  contract: Contract<A, N>,
  genesis: MaybeRefOrGetter<GenesisRecord<ContractStateInput<A, N>>>,
  beginning?: Beginning,
): UseContractReturn<A, N>
export function useContract<A extends ContractArtifact, N extends ContractName<A>>(
  contract: Contract<A, N>,
  genesis: MaybeRefOrGetter<GenesisRecord<ContractStateInput<A, N>> | null | undefined>,
  beginning?: Beginning,
): UseContractReturn<A, N, null>
export function useContract<A extends ContractArtifact, N extends ContractName<A>>(
  contract: Contract<A, N>,
  genesis: MaybeRefOrGetter<GenesisRecord<ContractStateInput<A, N>> | null | undefined>,
  beginning: Beginning = {},
): UseContractReturn<A, N, null> {
  const contracts = feature(useCore('useContract'), appContracts)
  /** What a getter or an invalid record throws is thrown where a value is read: a later record is followed. */
  const opened = computed(() => {
    try {
      const record = toValue(genesis)
      const one = record === null || record === undefined ? null : contracts.instance(contract, record, beginning)
      return { one }
    } catch (error) {
      return { one: null, error }
    }
  })
  const instance = () => {
    if ('error' in opened.value) throw opened.value.error
    return opened.value.one
  }
  const instance$ = toStream(() => opened.value.one)
  const view$ = instance$.pipe(switchMap((one) => one?.view$ ?? of(UNKNOWN)))
  const latest = useStream<InstanceView<ContractStateOf<A, N>>>(view$, UNKNOWN)
  const view = () => {
    instance()
    return latest.value
  }
  const unconfirmed$ = instance$.pipe(switchMap((one) => one?.unconfirmed$ ?? of(NO_CALLS)))
  const unconfirmed = useStream(unconfirmed$, NO_CALLS)
  return {
    state: computed(() => view().state),
    outputs: computed(() => view().outputs),
    unconfirmed: computed(() => unconfirmed.value),
    freshness: computed(() => freshnessOf(view())),
    history: computed(() => view().history),
    moved: computed(() => view().moved),
    error: computed(() => view().error),
    call: computed(() => instance()?.call ?? null),
  }
}

const NO_CALLS: readonly UnconfirmedCall[] = []

const UNKNOWN: InstanceView<never> = {
  outputs: [],
  state: null,
  history: [],
  isLive: false,
  isIncomplete: true,
  moved: null,
  error: null,
}

function freshnessOf({ isIncomplete, isLive }: InstanceView<unknown>): 'unknown' | 'fresh' | 'stale' {
  if (isIncomplete) return 'unknown'
  return isLive ? 'fresh' : 'stale'
}
