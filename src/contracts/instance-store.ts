import { BehaviorSubject } from 'rxjs'
import type { ChainError } from '../errors/chain-error.js'
import type { Contract } from '../model/contracts/contract.js'
import type { GenesisRecord } from '../model/covenant-id.js'
import {
  reduceInstance,
  unspentOf,
  withoutCall,
  type InstanceEvent,
  type InstanceState,
} from '../model/contracts/instance-state.js'
import { outputsAfter, type KnownOutput } from '../model/contracts/pending-call.js'
import type { ContractRows } from '../model/contracts/rows.js'
import { toOutpointKey, toScriptKey, type OutpointKey, type ScriptPublicKey } from '../model/utxo.js'
import type { CallTarget, SuccessorSearch } from '../operations/contracts/contract-call.js'
import type { FollowedCovenant } from '../streams/contracts/apply-transaction.js'
import { ownCallsIn, createUnspentRows, isUnspent, toKnown, type RowChange } from './instance-rows.js'
import { begunIn } from '../streams/contracts/start-rows.js'

/** What is known of an instance, shared by everything that uses its covenant. */
export interface InstanceStore {
  readonly target: CallTarget
  readonly genesis: GenesisRecord<unknown>
  /** Null until its outputs are known. */
  readonly state$: BehaviorSubject<InstanceState | null>
  readonly apply: (event: InstanceEvent) => void
  /** What the follower of the chain shows of it. */
  readonly progress$: BehaviorSubject<FollowProgress>
  /** Takes the rows of the chain, and what a batch has changed of them. */
  readonly followed: (rows: ContractRows, change: RowChange, step: FollowStep) => void
  /** Newer calls may be unknown from now on; `error` is why nothing is followed any more. */
  readonly interrupted: (error: ChainError | null) => void
  /** What is unspent after the last own call, after the one before it, and so on. */
  readonly left: () => readonly (readonly KnownOutput[])[]
  /** The redeem scripts that follow own calls. */
  readonly constructed: () => readonly string[]
}

/** Where the follower of an instance is. */
export interface FollowProgress {
  /** Whether the end of the chain was reached. */
  readonly isLive: boolean
  /** Whether outputs may be unknown, because the beginning was not read. */
  readonly isIncomplete: boolean
  readonly rows: ContractRows
  /** Where the following of these rows continues; null where it has to begin again. */
  readonly cursor: string | null
  readonly error: ChainError | null
}

/** How far the rows of the chain are known. */
export interface FollowStep extends Pick<FollowProgress, 'isLive' | 'isIncomplete' | 'cursor'> {
  /** Whether new chain blocks were followed, up to the end of the chain. */
  readonly isFurther: boolean
}

export interface StoreOptions {
  readonly contract: Contract
  readonly covenantId: string
  readonly genesis: GenesisRecord<unknown>
  /** Searches the chain for what follows the state of a call. */
  readonly successorOf: (covenant: FollowedCovenant, search: SuccessorSearch) => ReturnType<CallTarget['successorOf']>
  /** The scripts that payments must not pay. */
  readonly scripts: Set<string>
}

export function createInstanceStore({
  contract,
  covenantId,
  genesis,
  successorOf,
  scripts,
}: StoreOptions): InstanceStore {
  const spenders = new Map<OutpointKey, string>()
  const state$ = new BehaviorSubject<InstanceState | null>(null)
  const progress$ = new BehaviorSubject<FollowProgress>({
    isLive: false,
    isIncomplete: true,
    rows: new Map(),
    cursor: null,
    error: null,
  })
  const remembered = new WeakSet() // the hash of each script costs
  const remember = (state: unknown, script?: ScriptPublicKey): void => {
    if (typeof state !== 'object' || state === null || remembered.has(state)) return
    remembered.add(state)
    scripts.add(toScriptKey(script ?? contract.scriptPublicKey(state as never)))
  }
  const apply = (event: InstanceEvent): void => {
    const next = reduceInstance(state$.value, event)
    if (next === null || next === state$.value) return
    state$.next(next)
    const created = next.pending.flatMap((call) => call.created)
    for (const { state } of event.type === 'continued' ? [...event.outputs, ...created] : created) remember(state)
  }
  const unspent = createUnspentRows()
  for (const { state } of genesis.outputs) remember(state)
  return {
    state$,
    progress$,
    genesis,
    apply,
    followed: (rows, change, { isFurther, ...progress }) => {
      progress$.next({ ...progress, rows, error: null })
      for (const row of change.rows) {
        if (isUnspent(row)) remember(row.state, row.scriptPublicKey)
        if (row.spentBy !== null) spenders.set(toOutpointKey(row.outpoint), row.spentBy.transactionId)
      }
      apply({ type: 'chain', outputs: unspent.apply(rows, change), ...ownCallsIn(state$.value, rows), isFurther })
    },
    interrupted: (error) => {
      const { cursor, ...progress } = progress$.value
      progress$.next({ ...progress, isLive: false, error, cursor: error === null ? cursor : null })
    },
    left: () => {
      const { outputs = [], pending = [] } = state$.value ?? {}
      const counts = Array.from({ length: pending.length + 1 }, (_, at) => pending.length - at)
      return counts.map((count) => outputsAfter(outputs, pending.slice(0, count)))
    },
    constructed: () =>
      (state$.value?.pending ?? []).flatMap(({ created }) =>
        created.flatMap(({ state }) => (state === null ? [] : [contract.redeemScript(state as never)])),
      ),
    target: {
      contract,
      covenantId,
      locate: async (network, fetchEntries) => {
        if (state$.value !== null) return
        const addresses = genesis.outputs.map(({ state }) => contract.scriptAddress(state as never, network))
        const rows = begunIn({ contract, covenantId, genesis }, await fetchEntries(addresses))
        if (rows.length === 0) return
        const begun = { outputs: rows.map(toKnown), accepted: new Set<string>(), spenders: new Map<never, never>() }
        apply({ type: 'chain', ...begun, isFurther: false })
      },
      unspent: (replaces) => unspentOf(state$.value && withoutCall(state$.value, replaces)),
      successorOf: (search) => successorOf({ contract, covenantId, genesis }, search),
      continued: (spent, outputs) => apply({ type: 'continued', spent, outputs }),
      spenderOf: (outpoint) => spenders.get(toOutpointKey(outpoint)),
      relayed: (call) => {
        for (const outpoint of call.spent) spenders.set(toOutpointKey(outpoint), call.transactionId)
        apply({ type: 'relayed', call })
      },
    },
  }
}
