import type { ContractArtifact } from '../model/contracts/artifact.js'
import type { Contract } from '../model/contracts/contract.js'
import type { GenesisRecord } from '../model/contracts/genesis.js'
import { unspentOf } from '../model/contracts/instance-state.js'
import type {
  ContractName,
  ContractStateInput,
  ContractStateOf,
  EntryArguments,
  EntryName,
} from '../model/contracts/values.js'
import type { Outpoint } from '../model/utxo.js'
import type { CallLayout, CallOptions, ContractCall, DescribedCall } from '../operations/contracts/contract-call.js'
import type { InstanceStore } from './instance-store.js'

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
}

/** The entries of a contract by their names. */
export type InstanceCalls<A extends ContractArtifact, N extends ContractName<A>> = {
  readonly [E in EntryName<A, N>]: (
    args: EntryArguments<A, N, E> | ((layout: CallLayout) => EntryArguments<A, N, E>),
    options?: CallOptions<ContractStateInput<A, N>>,
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
  { target, state$ }: InstanceStore,
): ContractInstance<A, N> {
  const { covenantId } = target
  const describe =
    (entry: string) =>
    (args: unknown, options: CallOptions = {}): DescribedCall => ({ covenantId, entry, args, options, target })
  const calls = Object.fromEntries(contract.entries.map((entry) => [entry, describe(entry)]))
  return {
    contract,
    covenantId,
    genesis,
    call: calls as unknown as InstanceCalls<A, N>, // its entries are those of the contract
    get outputs() {
      return unspentOf(state$.value).map((output) => toOutput<ContractStateOf<A, N>>(output))
    },
  }
}

const toOutput = <State>({
  outpoint,
  value,
  state,
  depth,
}: ReturnType<typeof unspentOf>[number]): ContractOutput<State> => ({
  outpoint,
  value,
  state: state as State | null, // decoded by the contract, or what the caller passed
  isUnconfirmed: depth > 0,
})
