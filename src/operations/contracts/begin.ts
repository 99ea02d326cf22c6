import { invalidArgument } from '../../errors/chain-error.js'
import type { Contract } from '../../model/contracts/contract.js'
import type { GenesisRecord } from '../../model/covenant-id.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { BuiltTransaction } from '../transactions/build.js'
import { BEGINS } from './bind-genesis.js'
import { CONTRACT_OUTPUT_AMOUNT, valueAt } from './place-calls.js'

/** A covenant as it begins. */
export interface Beginning {
  readonly contract: Contract
  readonly genesis: GenesisRecord<unknown>
}

/** The outputs that begin a covenant, and their states as they are read. Throws `ChainError` (`invalid-argument`). */
export function begin(
  contract: Contract,
  state: unknown,
  value: bigint | readonly bigint[] | undefined,
): { readonly outputs: readonly TransactionOutput[]; readonly states: readonly unknown[] } {
  const given: readonly unknown[] = Array.isArray(state) ? state : [state]
  if (given.length === 0) throw invalidArgument('state', 'A covenant begins with one output at least')
  return {
    outputs: given.map((one, at) => ({
      value: valueAt(value, at) ?? CONTRACT_OUTPUT_AMOUNT,
      scriptPublicKey: contract.scriptPublicKey(one as never),
      covenant: { authorizingInput: 0, covenantId: BEGINS },
    })),
    states: given.map((one) => contract.decodeState(contract.redeemScript(one as never))),
  }
}

/** The id and the record of a covenant that a built transaction begins by its first outputs. */
export function toGenesis(
  { transaction, spent }: BuiltTransaction,
  states: readonly unknown[],
): { readonly covenantId: string; readonly genesis: GenesisRecord<unknown> } {
  const covenantId = transaction.outputs[0]?.covenant?.covenantId
  const outpoint = spent[0]?.outpoint
  if (covenantId === undefined || outpoint === undefined) throw new TypeError('The transaction begins no covenant')
  const outputs = states.map((state, index) => ({ index, value: transaction.outputs[index]?.value ?? 0n, state }))
  return { covenantId, genesis: { outpoint, outputs } }
}
