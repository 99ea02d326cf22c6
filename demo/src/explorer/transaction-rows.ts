import type { ChainRestBlockTx, ChainRestTransaction } from 'vue-chain'

/** A transaction as tables show it. */
export interface TransactionRow {
  readonly id: string
  /** Unix milliseconds. */
  readonly time: number | undefined
  /** Sompi, all outputs together. */
  readonly amount: bigint
  /** What an address got from it, or gave, in sompi; undefined where it is not looked at for one. */
  readonly change?: bigint
  readonly outputs: number
  readonly standing: 'accepted' | 'not accepted' | undefined
}

const sum = (amounts: readonly (bigint | undefined)[]): bigint =>
  amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n)

/** One that a block holds. */
export const ofBlock = ({ verboseData, outputs = [] }: ChainRestBlockTx): TransactionRow => ({
  id: verboseData.transactionId,
  time: verboseData.blockTime,
  amount: sum(outputs.map(({ amountExact }) => amountExact)),
  outputs: outputs.length,
  standing: undefined,
})

/** One as an address sees it. */
export const ofAddress =
  (address: string) =>
  ({
    transactionId = '',
    block_time,
    is_accepted,
    inputs = [],
    outputs = [],
  }: ChainRestTransaction): TransactionRow => {
    const got = outputs.filter((output) => output.script_public_key_address === address)
    const gave = inputs.filter((input) => input.previous_outpoint_address === address)
    return {
      id: transactionId,
      time: block_time,
      amount: sum(outputs.map(({ amountExact }) => amountExact)),
      change:
        sum(got.map(({ amountExact }) => amountExact)) -
        sum(gave.map(({ previous_outpoint_amountExact }) => previous_outpoint_amountExact)),
      outputs: outputs.length,
      standing: is_accepted === true ? 'accepted' : 'not accepted',
    }
  }
