import { type Contract, defineContract } from '../../src/model/contracts/contract.js'
import { covenantIdOfGenesis } from '../../src/model/covenant-id.js'
import type { ContractRow } from '../../src/model/contracts/rows.js'
import { NATIVE_SUBNETWORK, type Transaction } from '../../src/model/transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import type { ChainContractTransaction } from '../../src/streams/chain/batch.js'
import type { FollowedCovenant } from '../../src/streams/contracts/apply-transaction.js'
import { counter } from '../../test/fixtures/contracts/modules/counter.js'

export const Counter = defineContract(counter)

const KAS = 100_000_000n

/** A counter, and calls that each add 1, as a node reports them. */
export function chainOfCalls(length: number): {
  readonly covenant: FollowedCovenant
  readonly start: ContractRow
  readonly calls: readonly { readonly transaction: ChainContractTransaction; readonly count: bigint }[]
} {
  const outputs = [{ index: 0, value: KAS, state: { count: 0n } }]
  const genesis = { outpoint: { transactionId: '11'.repeat(32), index: 0 }, outputs }
  const covenantId = covenantIdOfGenesis(Counter, genesis)
  const start = rowOf(covenantId)
  const calls: { transaction: ChainContractTransaction; count: bigint }[] = []
  let spent = start.outpoint
  for (let count = 1n; count <= BigInt(length); count++) {
    const transaction = callOf(covenantId, spent, count)
    calls.push({ transaction, count })
    spent = { transactionId: transaction.id, index: 0 }
  }
  // the program of the covenant, without the types of its artifact
  return { covenant: { contract: Counter as unknown as Contract, covenantId, genesis }, start, calls }
}

const rowOf = (covenantId: string): ContractRow => ({
  covenantId,
  outpoint: { transactionId: '22'.repeat(32), index: 0 },
  value: KAS,
  scriptPublicKey: Counter.scriptPublicKey({ count: 0n }),
  state: { count: 0n },
  isForeign: false,
  isGenesis: true,
  blockDaaScore: 1n,
  createdBy: null,
  spentBy: null,
})

/** The call from `count - 1` to `count`. */
function callOf(covenantId: string, outpoint: ContractRow['outpoint'], count: bigint): ChainContractTransaction {
  const scriptPublicKey = Counter.scriptPublicKey({ count })
  const input = {
    signatureScript: Counter.signatureScript({ count: count - 1n }, 'increment', { step: 1n }),
    sequence: 0n,
    sigOpCount: 0,
    computeBudget: 0,
  }
  const covenant = { authorizingInput: 0, covenantId }
  const rest = { version: 1, lockTime: 0n, subnetworkId: NATIVE_SUBNETWORK, gas: 0n, payload: '' }
  const hashed: Transaction = {
    ...rest,
    mass: 0n,
    inputs: [{ ...input, previousOutpoint: outpoint }],
    outputs: [{ value: KAS, scriptPublicKey, covenant }],
  }
  const before = Counter.scriptPublicKey({ count: count - 1n })
  return {
    ...rest,
    id: transactionId(hashed),
    storageMass: 0n,
    computeMass: 0n,
    isCoinbase: false,
    fee: null,
    inputs: [
      {
        ...input,
        outpoint,
        address: null,
        amount: KAS,
        covenantId,
        spent: { scriptPublicKey: before, blockDaaScore: 1n, isCoinbase: false },
      },
    ],
    outputs: [{ index: 0, address: null, amount: KAS, scriptPublicKey, covenantId, covenant }],
  }
}
