import {
  asapScheduler,
  auditTime,
  combineLatest,
  distinctUntilChanged,
  map,
  merge,
  ReplaySubject,
  scan,
  share,
  takeUntil,
  type Observable,
} from 'rxjs'
import type { ChainError } from '../errors/chain-error.js'
import type { ContractArtifact } from '../model/contracts/artifact.js'
import type { Contract } from '../model/contracts/contract.js'
import type { GenesisRecord } from '../model/covenant-id.js'
import { mapChanged } from '../model/changes.js'
import { unspentOf, type InstanceState, type MovedCall } from '../model/contracts/instance-state.js'
import type { KnownOutput } from '../model/contracts/pending-call.js'
import type { ContractRow, ContractRows } from '../model/contracts/rows.js'
import type {
  ContractName,
  ContractStateInput,
  ContractStateOf,
  EntryArguments,
  EntryName,
} from '../model/contracts/values.js'
import type { Outpoint } from '../model/utxo.js'
import type { CallLayout, CallOptions, ContractCall, DescribedCall } from '../operations/contracts/contract-call.js'
import type { StoreFollower } from './follow-store.js'
import type { FollowProgress, InstanceStore } from './instance-store.js'
import type { UnconfirmedCall } from './unconfirmed-calls.js'

/** A contract on the chain: a covenant that began with it. */
export interface ContractInstance<
  A extends ContractArtifact = ContractArtifact,
  N extends ContractName<A> = ContractName<A>,
> {
  readonly contract: Contract<A, N>
  readonly covenantId: string
  readonly genesis: GenesisRecord<ContractStateInput<A, N>>
  /** Describes calls, to be planned with `contracts.transaction`. Reads nothing. */
  readonly call: InstanceCalls<A, N>
  /** The newest outputs that are known, with those of own calls that no block has yet. */
  readonly outputs: readonly ContractOutput<ContractStateOf<A, N>>[]
  /**
   * What the chain shows, and own calls before. Hot and shared; replays the latest view. Follows the chain while there
   * are subscribers, from the outputs that the node has when the first one comes. Never errors: a failure is `error`,
   * and ends the following until all have unsubscribed; completes with the engine.
   */
  readonly view$: Observable<InstanceView<ContractStateOf<A, N>>>
  /** The state of the newest single output; null where it is not known, or there are none or several. */
  readonly state$: Observable<ContractStateOf<A, N> | null>
  /**
   * The calls of anyone that the mempool has, own ones included: pending, never state. Read once a second while there
   * are subscribers, for whom the chain is followed too. Emits only changes; replays the latest ones. Never errors;
   * completes with the engine.
   */
  readonly unconfirmed$: Observable<readonly UnconfirmedCall[]>
}

/** What is known of an instance at a moment. */
export interface InstanceView<State> {
  readonly outputs: readonly ContractOutput<State>[]
  /** Of a single output. */
  readonly state: State | null
  /** The outputs of the chain that were spent since the following began, with their calls, oldest first. */
  readonly history: readonly ContractRow<State>[]
  /**
   * Whether the end of the chain was reached: before, newer calls may be unknown, as they may without a connection and
   * until the first block after it.
   */
  readonly isLive: boolean
  /** Whether outputs may be unknown, because the beginning of the covenant was not read: no empty balance. */
  readonly isIncomplete: boolean
  /** The last own call whose input another transaction spends, until another one is sent; otherwise null. */
  readonly moved: MovedCall | null
  /** Why the following has ended. */
  readonly error: ChainError | null
}

/** The entries of a contract by their names. */
export type InstanceCalls<A extends ContractArtifact, N extends ContractName<A>> = {
  readonly [E in EntryName<A, N>]: (
    args: EntryArguments<A, N, E> | ((layout: CallLayout) => EntryArguments<A, N, E>),
    options?: CallOptions<ContractStateInput<A, N>, EntryArguments<A, N, E>, ContractStateOf<A, N>>,
  ) => ContractCall
}

export interface ContractOutput<State> {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly value: bigint
  /** Null where it is not known. */
  readonly state: State | null
  /** Whether a chain block has accepted it; own calls are shown before. */
  readonly isUnconfirmed: boolean
}

/** An instance over what is known of it. */
export function toInstance<A extends ContractArtifact, N extends ContractName<A>>(
  contract: Contract<A, N>,
  genesis: GenesisRecord<ContractStateInput<A, N>>,
  store: InstanceStore,
  { follow$, unconfirmed$, ended$ }: StoreFollower & { readonly ended$: Observable<unknown> },
): ContractInstance<A, N> {
  const { target, state$ } = store
  const { covenantId } = target
  const describe =
    (entry: string) =>
    (args: unknown, options: CallOptions = {}): DescribedCall => ({ covenantId, entry, args, options, target })
  const view$ = merge(
    combineLatest([state$, store.progress$]).pipe(
      auditTime(0, asapScheduler), // one change of the chain changes both
      scan<ViewParts, MadeView<ContractStateOf<A, N>>, null>(reduceView, null),
      map(({ view }) => view),
    ),
    follow$,
  ).pipe(takeUntil(ended$), share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: true }))
  const calls = Object.fromEntries(contract.entries.map((entry) => [entry, describe(entry)]))
  return {
    contract,
    covenantId,
    genesis,
    call: calls as unknown as InstanceCalls<A, N>, // its entries are those of the contract
    get outputs() {
      return unspentOf(state$.value).map((output) => toOutput<ContractStateOf<A, N>>(output))
    },
    view$,
    state$: view$.pipe(
      map(({ state }) => state),
      distinctUntilChanged(),
    ),
    unconfirmed$: unconfirmed$.pipe(takeUntil(ended$)),
  }
}

type ViewParts = readonly [InstanceState | null, FollowProgress]

/** A view, with what it was made of. */
interface MadeView<State> {
  readonly unspent: readonly KnownOutput[]
  readonly rows: ContractRows
  readonly view: InstanceView<State>
}

/** The next view: what the chain has not changed are the objects of the last one. */
function reduceView<State>(last: MadeView<State> | null, [state, progress]: ViewParts): MadeView<State> {
  const { rows, isLive, isIncomplete, error } = progress
  const unspent = unspentOf(state)
  const isSame = unspent === last?.unspent
  const outputs = isSame
    ? last.view.outputs
    : mapChanged(last?.unspent ?? [], last?.view.outputs ?? [], unspent, toOutput<State>)
  const history = rows === last?.rows ? last.view.history : spentIn<State>(rows)
  const single = outputs.length === 1 ? (outputs[0]?.state ?? null) : null
  const moved = state?.moved ?? null
  return { unspent, rows, view: { outputs, state: single, history, isLive, isIncomplete, moved, error } }
}

const spentIn = <State>(rows: ContractRows): readonly ContractRow<State>[] =>
  [...rows.values()].filter(({ spentBy }) => spentBy !== null) as readonly ContractRow<State>[]

const toOutput = <State>({ outpoint, value, state, depth }: KnownOutput): ContractOutput<State> => ({
  outpoint,
  value,
  state: state as State | null, // decoded by the contract, or what the caller passed
  isUnconfirmed: depth > 0,
})
