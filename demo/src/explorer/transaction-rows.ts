import type { ChainRestBlockTx, ChainRestTransaction } from 'vue-chain'

/** A row of the transaction table. */
export interface TransactionRow {
  readonly id: string
  /** Unix milliseconds. */
  readonly time: number | undefined
  /** Sum of all outputs in sompi. */
  readonly amount: bigint
  /** Change of an address's balance in sompi; undefined without an address. */
  readonly change?: bigint
  readonly outputs: number
  readonly status: 'accepted' | 'not accepted' | undefined
}

const sum = (amounts: readonly (bigint | undefined)[]): bigint =>
  amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n)

/** The row of a transaction in a block. */
export const toBlockRow = ({ verboseData, outputs = [] }: ChainRestBlockTx): TransactionRow => ({
  id: verboseData.transactionId,
  time: verboseData.blockTime,
  amount: sum(outputs.map(({ amountExact }) => amountExact)),
  outputs: outputs.length,
  status: undefined,
})

/** The row of a transaction with the balance change of an address. */
export const toAddressRow =
  (address: string) =>
  ({
    transactionId = '',
    block_time,
    is_accepted,
    inputs = [],
    outputs = [],
  }: ChainRestTransaction): TransactionRow => {
    const received = outputs.filter((output) => output.script_public_key_address === address)
    const spent = inputs.filter((input) => input.previous_outpoint_address === address)
    return {
      id: transactionId,
      time: block_time,
      amount: sum(outputs.map(({ amountExact }) => amountExact)),
      change:
        sum(received.map(({ amountExact }) => amountExact)) -
        sum(spent.map(({ previous_outpoint_amountExact }) => previous_outpoint_amountExact)),
      outputs: outputs.length,
      status: is_accepted === true ? 'accepted' : 'not accepted',
    }
  }
