import { useSubscription } from '@vueuse/rxjs'
import type { RpcBlock, RpcTransaction } from 'vue-chain'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import { useBlockFeed } from '../shared/block-feed'

/** What a block tells of a transaction in it. */
export interface TransactionDetails {
  readonly isReward: boolean
  readonly outputs: readonly { readonly address: string | undefined; readonly amount: bigint }[]
  /** Unix milliseconds, of the including block. */
  readonly timestamp: number
}

/** How many transactions are remembered. */
const KEPT = 500

/** The transactions of the blocks that arrived lately, by id. */
export function useTransactionDetails(): Readonly<Ref<ReadonlyMap<string, TransactionDetails>>> {
  const details = shallowRef<ReadonlyMap<string, TransactionDetails>>(new Map())
  useSubscription(
    useBlockFeed().subscribe(({ blocks }) => {
      details.value = new Map([...details.value, ...blocks.flatMap(toEntries)].slice(-KEPT))
    }),
  )
  return shallowReadonly(details)
}

function toEntries({ header, transactions }: RpcBlock): (readonly [string, TransactionDetails])[] {
  return transactions.map((transaction, index) => [
    transaction.verboseData?.transactionId ?? '',
    { isReward: index === 0, outputs: toOutputs(transaction), timestamp: Number(header.timestamp) },
  ])
}

const toOutputs = ({ outputs }: RpcTransaction): TransactionDetails['outputs'] =>
  outputs.map(({ value, verboseData }) => ({ address: verboseData?.scriptPublicKeyAddress, amount: value }))
