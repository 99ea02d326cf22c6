import type { Devnode } from '../../../src/devnode/index.js'
import type { ConsumedBatch, ConsumedTransfer } from '../../../src/feed/consumer/consumed-batch.js'
import { transferKey } from '../../../src/streams/transfers/transfer.js'

/** What a program that applies every batch has stored. */
export class ConsumedRows {
  readonly rows = new Map<string, ConsumedTransfer>()
  /** The addresses that count. */
  readonly watched = new Set<string>()
  /** Keys that were inserted twice. */
  readonly doubled: string[] = []
  batches = 0
  rollbacks = 0

  apply({ rollback, added, removed, transfers }: ConsumedBatch): void {
    this.batches += 1
    if (rollback !== null) {
      this.rollbacks += 1
      this.#deleteWhere(({ acceptingBlueScore }) => acceptingBlueScore > rollback.blueScore)
    }
    for (const address of added) this.watched.add(address)
    const again = new Set(added)
    if (again.size > 0) this.#deleteWhere(({ address }) => again.has(address))
    for (const address of removed) this.watched.delete(address)
    for (const transfer of transfers) {
      const key = transferKey(transfer)
      if (this.rows.has(key)) this.doubled.push(key)
      this.rows.set(key, transfer)
    }
  }

  /** What differs from the node, in words. `genesis` is the first balance of each address. */
  faults(devnode: Devnode, genesis: bigint): readonly string[] {
    const addresses = [...this.watched]
    const expected = new Map(devnode.expected.transfers(addresses).map((one) => [transferKey(one), one]))
    const opened = new Map<string, bigint>()
    for (const { isOpening, address, acceptingBlueScore } of this.rows.values())
      if (isOpening) opened.set(address, acceptingBlueScore)
    const wrong = [...this.rows].filter(([key, row]) => {
      if (row.isOpening || !this.watched.has(row.address)) return false
      const one = expected.get(key)
      return one?.acceptingBlockHash !== row.acceptingBlockHash || one.amount !== row.amount
    })
    const missing = [...expected].filter(
      // older ones are opening credits
      ([key, one]) => !this.rows.has(key) && one.acceptingBlueScore > (opened.get(one.address ?? '') ?? 0n),
    )
    const unbalanced = addresses.flatMap((address) => {
      const rows = [...this.rows.values()].filter((row) => row.address === address)
      const [actual, due] = [sum(0n, rows), sum(genesis, devnode.expected.transfers([address]))]
      return actual === due ? [] : [`${address} has ${actual}, ${due} on the chain`]
    })
    return [
      ...this.doubled.map((key) => `doubled row ${key}`),
      ...wrong.map(([key]) => `wrong row ${key}`),
      ...missing.map(([key]) => `missing row ${key}`),
      ...unbalanced,
    ]
  }

  #deleteWhere(isDue: (row: ConsumedTransfer) => boolean): void {
    for (const [key, row] of this.rows) if (isDue(row)) this.rows.delete(key)
  }
}

const sum = (start: bigint, rows: readonly Pick<ConsumedTransfer, 'direction' | 'amount'>[]): bigint =>
  rows.reduce((total, { direction, amount }) => (direction === 'credit' ? total + amount : total - amount), start)
