import { COINBASE, COVENANT, ID_WORDS, allocateColumns, type UtxoColumns } from '../../model/utxo-columns/columns.js'
import { createScriptTable } from '../../model/utxo-columns/script-table.js'
import type { Steps } from '../../loading/steps.js'
import { utxoEntry } from '../../node/messages/utxos.js'
import type { Cursor } from './cursor.js'
import { minimumSize } from './minimum-size.js'
import type { ScalarReaders } from './read-scalars.js'

/** Rows that are decoded without a pause: some ms. */
const ROWS_PER_STEP = 16_384

const ENTRY_SIZE = /*#__PURE__*/ minimumSize({ box: utxoEntry })

/** Decodes the response to `getUtxosByAddresses` into columns. A test compares it with the reader of records. */
export type ReadUtxoColumns = (cursor: Cursor) => Steps<UtxoColumns>

export function createUtxoColumnsReader({
  address: readAddress,
  scriptPublicKey,
}: Pick<ScalarReaders, 'address' | 'scriptPublicKey'>): ReadUtxoColumns {
  return function* readColumns(cursor) {
    cursor.u16() // the tag has no meaning yet
    cursor.enter()
    const count = cursor.count(ENTRY_SIZE)
    const arrays = allocateColumns(count)
    const scripts = createScriptTable()
    const covenantIds = new Map<number, string>()

    for (let row = 0; row < count; row++) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield
      const outerEnd = cursor.enter()
      cursor.u8()
      const address = cursor.bool() ? readAddress(cursor) : undefined
      const entryEnd = cursor.enter()
      cursor.u8()
      readWords(cursor, arrays.transactionIds, ID_WORDS * row, ID_WORDS)
      readWords(cursor, arrays.indexes, row, 1)
      cursor.leave(entryEnd)
      cursor.enter()
      const tag = cursor.u8()
      readWords(cursor, arrays.amounts, 2 * row, 2)
      arrays.scriptOf[row] = scripts.indexOf(address, scriptPublicKey(cursor))
      readWords(cursor, arrays.daaScores, 2 * row, 2)
      const coinbase = cursor.bool() ? COINBASE : 0
      const hasCovenant = tag >= 2 && cursor.bool()
      if (hasCovenant) covenantIds.set(row, cursor.hex(32))
      arrays.flags[row] = hasCovenant ? coinbase | COVENANT : coinbase
      cursor.leave(entryEnd)
      cursor.leave(outerEnd)
    }
    return { ...arrays, count, scripts: scripts.all, covenantIds }
  }
}

function readWords(cursor: Cursor, to: Uint32Array, at: number, count: number): void {
  const start = cursor.take(4 * count)
  const { view } = cursor
  for (let word = 0; word < count; word++) to[at + word] = view.getUint32(start + 4 * word, true)
}
