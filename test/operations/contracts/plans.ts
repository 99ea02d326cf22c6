import { toScriptPublicKey } from '../../../src/model/address.js'
import { toHex } from '../../../src/model/hex.js'
import type { Transaction, TransactionOutput } from '../../../src/model/transaction.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { BEGINS } from '../../../src/operations/contracts/genesis.js'
import type { ContractSpend } from '../../../src/operations/contracts/contract-spend.js'
import { planSpends, type PlannedSpends } from '../../../src/operations/contracts/plan-spends.js'
import type { BuiltTransaction } from '../../../src/operations/transactions/build.js'
import { utxoOfEntry } from '../../../src/operations/transactions/plan/draft.js'
import { ALICE, signatureOf } from '../../contract-calls/transaction.js'

/** Plans that `ALICE` funds and signs. */

/** Plans calls, or outputs that begin covenants, at the least fee. */
export const planOf = (
  spends: readonly ContractSpend[],
  outputs: readonly TransactionOutput[],
  funds: readonly UtxoEntry[],
): PlannedSpends =>
  planSpends(
    { spends, outputs, change: toScriptPublicKey(ALICE.address), priorityFee: 0n },
    { fixed: [], utxos: funds.map(utxoOfEntry) },
    { kind: 'minimum', rate: 100 },
    { commitsAmounts: true },
  )

/** The transaction with the calls, which is the last one. */
export function builtOf(plan: PlannedSpends): BuiltTransaction {
  const last = plan.kind === 'planned' ? plan.built.at(-1) : undefined
  if (last === undefined) throw new Error(`Nothing is planned: ${plan.kind}`)
  return last
}

/** Signs the calls, and what funds them. */
export function signed({ transaction, spent }: BuiltTransaction, spends: readonly ContractSpend[] = []): Transaction {
  const entries = spent.map((utxo) => ({ ...utxo, blockDaaScore: 0n, isCoinbase: false }))
  return {
    ...transaction,
    inputs: transaction.inputs.map((input, index) => {
      const sign = (address: string): Uint8Array => signatureOf(transaction, index, entries, address)
      return { ...input, signatureScript: spends[index]?.script(sign) ?? `41${toHex(sign(ALICE.address))}` }
    }),
  }
}

/** An output that begins a covenant. */
export const begins = (value: TransactionOutput, authorizingInput = 0): TransactionOutput => ({
  ...value,
  covenant: { authorizingInput, covenantId: BEGINS },
})
