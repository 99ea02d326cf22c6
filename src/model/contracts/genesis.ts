import { covenantIdOf } from '../covenant-id.js'
import type { Outpoint } from '../utxo.js'
import type { ContractArtifact } from './artifact.js'
import type { Contract } from './contract.js'
import type { ContractName, ContractStateInput } from './values.js'

/** The beginning of a covenant: it proves its id, so store it. */
export interface GenesisRecord<State> {
  /** What the transaction spent that authorized the covenant. */
  readonly outpoint: Outpoint
  /** All outputs that began it, by ascending index. */
  readonly outputs: readonly {
    readonly index: number
    /** Sompi. */
    readonly value: bigint
    readonly state: State
  }[]
}

/** The covenant id that a genesis record of one program proves, hex. */
export function covenantIdOfGenesis<A extends ContractArtifact, N extends ContractName<A>>(
  contract: Contract<A, N>,
  { outpoint, outputs }: GenesisRecord<ContractStateInput<A, N>>,
): string {
  const begun = outputs.map(({ index, value, state }) => ({
    index,
    value,
    scriptPublicKey: contract.scriptPublicKey(state),
  }))
  return covenantIdOf(outpoint, begun)
}
