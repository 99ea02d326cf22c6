import { ByteWriter } from './bytes.js'
import { blake2bKeyed } from './hashing.js'
import { toHex } from './hex.js'
import type { TransactionOutput } from './transaction.js'
import type { Outpoint } from './utxo.js'
import type { ContractArtifact } from './contracts/artifact.js'
import type { Contract } from './contracts/contract.js'
import type { ContractName, ContractStateInput } from './contracts/values.js'

/** An output that begins a covenant, with its index in the transaction. */
interface GenesisOutput extends Pick<TransactionOutput, 'value' | 'scriptPublicKey'> {
  readonly index: number
}

/**
 * The id of a covenant, hex: the hash of the outpoint of the input that authorizes its genesis and of all outputs that
 * begin it, by ascending index in the transaction.
 */
export function covenantIdOf(outpoint: Outpoint, outputs: readonly GenesisOutput[]): string {
  const writer = new ByteWriter().hex(outpoint.transactionId).u32(outpoint.index).u64(outputs.length)
  for (const { index, value, scriptPublicKey } of outputs)
    writer.u32(index).u64(value).u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script)
  return toHex(blake2bKeyed('CovenantID', writer.written()))
}

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
