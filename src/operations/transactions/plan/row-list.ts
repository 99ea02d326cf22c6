import { outpointAt } from '../../../model/utxo-columns/outpoint-filter.js'
import { isCoinbaseAt, scriptAt } from '../../../model/utxo-columns/records.js'
import { readBigInt } from '../../../model/utxo-columns/words.js'
import type { LocatedRow, UtxoRows } from '../../../model/utxo-source/source.js'
import type { Outpoint } from '../../../model/utxo.js'
import type { Utxo, UtxoList } from './draft.js'
import { spentBy } from './template.js'

/**
 * Rows as a list of UTXOs, in the order of their numbers. A UTXO is created each time it is read, and its id when it is
 * spent.
 */
export class RowList implements UtxoList {
  readonly #rows: UtxoRows
  readonly #numbers: Uint32Array

  constructor(rows: UtxoRows, numbers: Uint32Array) {
    this.#rows = rows
    this.#numbers = numbers
  }

  get length(): number {
    return this.#numbers.length
  }

  at(position: number): Utxo | undefined {
    const number = this.#numbers.at(position)
    return number === undefined ? undefined : this.#read(number)
  }

  slice(start?: number, end?: number): readonly Utxo[] {
    return Array.from(this.#numbers.subarray(start, end), (number) => this.#read(number))
  }

  *[Symbol.iterator](): Iterator<Utxo> {
    for (const number of this.#numbers) yield this.#read(number)
  }

  #read(number: number): Utxo {
    const located = this.#rows.locate(number)
    const { scriptPublicKey } = scriptAt(located.columns, located.row)
    const { columns, row } = located
    const output = { amount: readBigInt(columns.amounts, row), scriptPublicKey }
    const spent = spentBy({ ...output, covenantId: columns.covenantIds.get(row) })
    return { ...output, spent, from: new RowOutpoint(located) }
  }
}

/** The outpoint of a row, whose text is created when it is first read. */
class RowOutpoint {
  readonly #located: LocatedRow
  #outpoint: Outpoint | undefined

  constructor(located: LocatedRow) {
    this.#located = located
  }

  get outpoint(): Outpoint {
    return (this.#outpoint ??= outpointAt(this.#located.columns, this.#located.row))
  }

  get isCoinbase(): boolean {
    return isCoinbaseAt(this.#located.columns, this.#located.row)
  }
}
