import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createBooks } from '../../../src/streams/utxos/books.js'
import { setIncoming } from '../../../src/streams/utxos/incoming.js'
import { ALICE, coin } from './coins.js'

/** Books of which one is being read. */
function createScene() {
  const books = createBooks()
  const alice = books.open(ALICE)
  for (const type of ['placed', 'fetchBegun'] as const) books.dispatch(alice, { type })
  return { books, alice }
}

describe('a book that was dropped while it was read', () => {
  it('takes in no answer that comes later', () => {
    const { books, alice } = createScene()
    books.drop(alice)
    const before = books.now()
    books.read([alice], [coin(1)])
    expect(alice.entries.size).toBe(0)
    expect(before.entriesOf([ALICE])).toEqual([])
  })

  it('is not read again when the answer was a failure', () => {
    const { books, alice } = createScene()
    books.drop(alice)
    books.dispatch(alice, { type: 'fetchFailed', error: new ChainError('busy') })
    books.dispatch(alice, { type: 'retryDue' })
    expect([...books.due, ...books.unplaced]).toEqual([])
  })
})

describe('what is on its way', () => {
  const incoming = (n: number) => ({ outpoint: coin(n).outpoint, amount: coin(n).amount })

  it('is so no longer once it has arrived, and not again where the mempool is late to forget it', () => {
    const { books, alice } = createScene()
    books.read([alice], [])
    setIncoming(alice, [incoming(1), incoming(2)])
    books.tell({ removed: [], added: [coin(1)] })
    expect([...alice.incoming.values()]).toEqual([200n])
    setIncoming(alice, [incoming(1), incoming(2)])
    expect([...alice.incoming.values()]).toEqual([200n])
  })

  it('counts once, however often the mempool names it', () => {
    const { alice } = createScene()
    setIncoming(alice, [incoming(1), incoming(1)])
    expect([...alice.incoming.values()]).toEqual([100n])
  })
})
