import type { Devnode } from '../../../src/devnode/index.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import { transferKey, type Transfer, type TransferBatch } from '../../../src/streams/transfers/transfer.js'

/**
 * What an application keeps: rows by key, and the cursor that belongs to them. One object stands for one database
 * transaction.
 */
export interface Rows {
  readonly rows: ReadonlyMap<string, Transfer>
  readonly cursor: string | undefined
}

export const NO_ROWS: Rows = { rows: new Map(), cursor: undefined }

/** The rows after a batch. Throws for a row that exists: no outpoint is credited or debited twice. */
export function applyBatch({ rows }: Rows, { cursor, rollback, transactions }: TransferBatch): Rows {
  const kept = [...rows].filter(([, row]) => rollback === null || row.acceptingBlueScore <= rollback.blueScore)
  const next = new Map(kept)
  for (const transfer of transactions.flatMap(({ transfers }) => transfers)) {
    const key = transferKey(transfer)
    if (next.has(key)) throw new Error(`The row ${key} is delivered twice`)
    next.set(key, transfer)
  }
  return { rows: next, cursor }
}

/** Sum of all rows of an address, in sompi. */
export const balanceOf = ({ rows }: Rows, address: string): bigint =>
  [...rows.values()]
    .filter((row) => row.address === address)
    .reduce((sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount), 0n)

/**
 * The balance of an address at the sink, without what only virtual has accepted. `genesis` is the first balance of each
 * account.
 */
export const chainBalanceOf = (devnode: Devnode, address: string, genesis = 0n): bigint =>
  devnode.expected
    .transfers([address])
    .reduce((sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount), genesis)

/** What differs between the rows and the node, in words: nothing for right rows. */
export function faultsOf(
  state: Rows,
  devnode: Devnode,
  watched: readonly { readonly address: string; readonly genesis: bigint }[],
): readonly string[] {
  const rows = [...state.rows.values()]
  const expected = new Map(
    devnode.expected
      .transfers(watched.map(({ address }) => address))
      .map((one) => [`${one.direction}:${toOutpointKey(one.outpoint)}`, one]),
  )
  const wrong = rows.filter((row) => {
    const one = expected.get(transferKey(row))
    if (row.isOpening) return one !== undefined && one.acceptingBlueScore > row.acceptingBlueScore
    return one?.acceptingBlockHash !== row.acceptingBlockHash || one.amount !== row.amount
  })
  const unpaid = rows.filter(
    (row) => row.direction === 'debit' && !state.rows.has(transferKey({ ...row, direction: 'credit' })),
  )
  const unbalanced = watched.filter(
    ({ address, genesis }) => balanceOf(state, address) !== chainBalanceOf(devnode, address, genesis),
  )
  return [
    ...wrong.map((row) => `wrong row ${transferKey(row)} at ${row.acceptingBlueScore}`),
    ...unpaid.map((row) => `a debit without its credit ${transferKey(row)}`),
    ...unbalanced.map(({ address, genesis }) => {
      const is = balanceOf(state, address)
      return `${address} has ${is} in the rows, ${chainBalanceOf(devnode, address, genesis)} on the chain`
    }),
  ]
}
