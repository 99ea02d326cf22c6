import { BehaviorSubject } from 'rxjs'
import type { Contract } from '../model/contracts/contract.js'
import type { GenesisRecord } from '../model/contracts/genesis.js'
import {
  reduceInstance,
  unspentOf,
  type InstanceEvent,
  type InstanceState,
  type KnownOutput,
} from '../model/contracts/instance-state.js'
import { toOutpointKey, toScriptKey, type OutpointKey, type UtxoEntry } from '../model/utxo.js'
import type { CallTarget } from '../operations/contracts/contract-call.js'

/** What is known of an instance, shared by everything that uses its covenant. */
export interface InstanceStore {
  readonly target: CallTarget
  readonly genesis: GenesisRecord<unknown>
  /** Null until its outputs are known. */
  readonly state$: BehaviorSubject<InstanceState | null>
  readonly apply: (event: InstanceEvent) => void
}

export interface StoreOptions {
  readonly contract: Contract
  readonly covenantId: string
  readonly genesis: GenesisRecord<unknown>
  /** The scripts that payments must not pay. */
  readonly scripts: Set<string>
}

export function createInstanceStore({ contract, covenantId, genesis, scripts }: StoreOptions): InstanceStore {
  const spenders = new Map<OutpointKey, string>()
  const state$ = new BehaviorSubject<InstanceState | null>(null)
  const remember = (states: readonly unknown[]): void => {
    for (const state of states) if (state !== null) scripts.add(toScriptKey(contract.scriptPublicKey(state as never)))
  }
  const apply = (event: InstanceEvent): void => {
    const next = reduceInstance(state$.value, event)
    if (next === state$.value) return
    state$.next(next)
    remember(unspentOf(next).map(({ state }) => state))
  }
  remember(genesis.outputs.map(({ state }) => state))
  return {
    state$,
    genesis,
    apply,
    target: {
      contract,
      covenantId,
      locate: async (network, fetchEntries) => {
        if (state$.value !== null) return
        const addresses = genesis.outputs.map(({ state }) => contract.scriptAddress(state as never, network))
        const outputs = begunIn(await fetchEntries(addresses), contract, covenantId, genesis)
        if (outputs.length > 0) apply({ type: 'chain', outputs, accepted: new Set() })
      },
      unspent: () => unspentOf(state$.value),
      spenderOf: (outpoint) => spenders.get(toOutpointKey(outpoint)),
      relayed: (call) => {
        for (const outpoint of call.spent) spenders.set(toOutpointKey(outpoint), call.transactionId)
        apply({ type: 'relayed', call })
      },
    },
  }
}

/** The outputs of a genesis that the UTXO set of a node has. */
function begunIn(
  entries: readonly UtxoEntry[],
  contract: Contract,
  covenantId: string,
  { outputs }: GenesisRecord<unknown>,
): readonly KnownOutput[] {
  return entries.flatMap((entry) => {
    const begun = outputs.find(
      ({ index, value, state }) =>
        entry.covenantId === covenantId &&
        entry.outpoint.index === index &&
        entry.amount === value &&
        toScriptKey(entry.scriptPublicKey) === toScriptKey(contract.scriptPublicKey(state as never)),
    )
    return begun === undefined ? [] : [{ outpoint: entry.outpoint, value: begun.value, state: begun.state, depth: 0 }]
  })
}
