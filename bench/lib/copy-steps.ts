import type pg from 'pg'
import type { FeedStep } from '../../src/feed/sink.js'

const COLUMNS = `network, direction, outpoint_transaction_id, outpoint_index, address, amount, transaction_id, fee,
  accepting_block_hash, accepting_blue_score, accepting_daa_score, accepted_at, is_coinbase, is_opening, is_change, is_internal,
  counterparties, sequence`

/** What `pg` needs of a command that is more than a query: `Submittable` in its words. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(data: Buffer): void
  endCopyFrom(): void
}

/** Writes the rows of a step by COPY, without balances and cursor: the fastest way into the table. */
export const copySteps = (client: pg.PoolClient, schema: string) => async (step: FeedStep) => {
  const data = Buffer.from(step.transactions.flatMap(linesOf(step.blueScore)).join(''))
  await client.query('begin')
  await new Promise<void>((resolve, reject) => {
    client.query({
      submit: (connection: CopyConnection) => connection.query(`copy ${schema}.transfer (${COLUMNS}) from stdin`),
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

/** Numbered by step and position. */
const linesOf =
  (blueScore: bigint) =>
  ({ transfers, fee }: FeedStep['transactions'][number], index: number): readonly string[] =>
    transfers.map((transfer) => {
      const fields = [
        'testnet-10',
        transfer.direction,
        transfer.outpoint.transactionId,
        transfer.outpoint.index,
        transfer.address,
        transfer.amount,
        transfer.transactionId,
        fee ?? '\\N',
        transfer.acceptingBlockHash ?? '\\N',
        transfer.acceptingBlueScore,
        transfer.acceptingDaaScore,
        transfer.timestamp === null ? '\\N' : new Date(transfer.timestamp).toISOString(),
        transfer.isCoinbase,
        transfer.isOpening,
        transfer.isChange,
        transfer.isInternal,
        `{${transfer.counterparties.join(',')}}`,
        blueScore * 1_000_000n + BigInt(index),
      ]
      return `${fields.join('\t')}\n`
    })
