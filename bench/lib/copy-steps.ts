import type pg from 'pg'
import type { FeedStep } from '../../src/feed/sink.js'

const COLUMNS = `sequence, amount, fee, accepting_blue_score, accepting_daa_score, accepted_at, address_id, outpoint_index,
  network_id, is_debit, is_coinbase, is_opening, is_change, is_internal, outpoint_transaction_id, transaction_id,
  accepting_block_hash, covenant_id, counterparties`

/** What `pg` needs of a command that is more than a query: `Submittable` in its words. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(data: Buffer): void
  endCopyFrom(): void
}

/** Writes the rows of a step by COPY, without addresses, balances and cursor: the fastest way into the table. */
export const copySteps = (client: pg.PoolClient, schema: string, addresses: readonly string[]) => {
  const numbers = new Map(addresses.map((address, index) => [address, index + 1]))
  return async (step: FeedStep) => {
    const data = Buffer.from(step.transactions.flatMap(linesOf(step.blueScore, numbers)).join(''))
    await client.query('begin')
    await new Promise<void>((resolve, reject) => {
      client.query({
        submit: (connection: CopyConnection) => connection.query(`copy ${schema}.transfer_row (${COLUMNS}) from stdin`),
        handleCopyInResponse(connection: CopyConnection) {
          connection.sendCopyFromChunk(data)
          connection.endCopyFrom()
        },
        handleCommandComplete: () => undefined,
        handleError: reject,
        handleReadyForQuery: () => resolve(),
      } as never) // the types know no commands of one's own
    })
    await client.query('commit')
  }
}

const bytes = (hash: string): string => `\\\\x${hash}`

/** As many bytes as packed addresses take. */
const packed = (addresses: readonly string[]): string => bytes('00'.repeat(Math.ceil((addresses.length * 62) / 4) * 3))

/** Numbered by step and position. */
const linesOf =
  (blueScore: bigint, numbers: ReadonlyMap<string, number>) =>
  ({ transfers, fee }: FeedStep['transactions'][number], index: number): readonly string[] =>
    transfers.map((transfer) => {
      const fields = [
        blueScore * 1_000_000n + BigInt(index),
        transfer.amount,
        fee ?? '\\N',
        transfer.acceptingBlueScore,
        transfer.acceptingDaaScore,
        transfer.timestamp === null ? '\\N' : new Date(transfer.timestamp).toISOString(),
        numbers.get(transfer.address),
        transfer.outpoint.index,
        1,
        transfer.direction === 'debit',
        transfer.isCoinbase,
        transfer.isOpening,
        transfer.isChange,
        transfer.isInternal,
        bytes(transfer.outpoint.transactionId),
        transfer.transactionId === transfer.outpoint.transactionId ? '' : bytes(transfer.transactionId),
        transfer.acceptingBlockHash === null ? '' : bytes(transfer.acceptingBlockHash),
        '',
        packed(transfer.counterparties),
      ]
      return `${fields.join('\t')}\n`
    })
