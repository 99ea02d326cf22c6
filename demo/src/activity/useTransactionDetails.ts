import { useSubscription } from '@vueuse/rxjs'
import type { RpcBlock, RpcTransaction } from 'vue-chain'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import { useBlockFeed } from '../shared/block-feed'

/** Details of a transaction from its block. */
export interface TransactionDetails {
  readonly isReward: boolean
  readonly outputs: readonly { readonly address: string | undefined; readonly amount: bigint }[]
  /** Unix milliseconds, of the including block. */
  readonly timestamp: number
}

const MAX_ENTRIES = 500

/** Details of the transactions of recent blocks, by id. */
export function useTransactionDetails(): Readonly<Ref<ReadonlyMap<string, TransactionDetails>>> {
  const details = shallowRef<ReadonlyMap<string, TransactionDetails>>(new Map())
  useSubscription(
    useBlockFeed().subscribe(({ blocks }) => {
      details.value = new Map([...details.value, ...blocks.flatMap(toEntries)].slice(-MAX_ENTRIES))
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
