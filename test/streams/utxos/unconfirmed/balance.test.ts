import { describe, expect, it } from 'vitest'
import { ALICE, BOB, payment, utxo } from '../utxo-fixtures.js'
import { scriptAddress } from '../../../operations/transactions/accounts.js'
import { createBalanceHarness, type Listing } from './balance-harness.js'
import { finish } from '../../../../src/loading/steps.js'

/** Pays 100 of a UTXO of 1000 to somebody, and 890 back. */
const send = payment(50, { spends: [utxo(10)], pays: [[BOB, 100n], [ALICE, 890n]] }) // prettier-ignore
/** Its change output, once accepted. */
const change = utxo(50, { outpoint: { transactionId: send.id, index: 1 }, amount: 890n })

describe('the balance during an own payment', () => {
  it('moves the change to unconfirmed with the reservation, and excludes the spent UTXO', () => {
    const { unconfirmed, balance, spendable } = createBalanceHarness([utxo(10), utxo(1)])
    expect([balance(), spendable()]).toEqual(['1100 + 0 + 0 = 1100', '1000,100'])
    unconfirmed.reserve(send)
    expect([balance(), spendable()]).toEqual(['100 + 890 + 0 = 990', '100'])
  })

  it('returns to the state before where the node rejects it', () => {
    const { unconfirmed, balance, spendable } = createBalanceHarness([utxo(10)])
    unconfirmed.reserve(send)()
    expect([balance(), spendable()]).toEqual(['1000 + 0 + 0 = 1000', '1000'])
  })

  it('is never negative, also where the node turns out to be of another network', () => {
    const { unconfirmed, utxoSets, balance } = createBalanceHarness([utxo(10)])
    unconfirmed.reserve(send)
    expect(balance()).toBe('0 + 890 + 0 = 890')
    utxoSets.clear()
    expect(balance()).toBe('0 + 890 + 0 = 890')
  })

  it('moves the change to mature with its acceptance, and the total stays', () => {
    const { unconfirmed, notify, balance } = createBalanceHarness([utxo(10)])
    unconfirmed.reserve(send)
    notify([utxo(10)], [change])
    expect(balance()).toBe('890 + 0 + 0 = 890')
  })

  it('counts nothing twice where the index already shows a restored payment', () => {
    const { unconfirmed, balance } = createBalanceHarness([change])
    unconfirmed.reserve(send)
    expect(balance()).toBe('890 + 0 + 0 = 890')
  })

  it('counts a chain of payments once, each at its end', () => {
    const { unconfirmed, notify, balance } = createBalanceHarness([utxo(10)])
    unconfirmed.reserve(send)
    const next = payment(60, { spends: [change], pays: [[BOB, 90n], [ALICE, 790n]] }) // prettier-ignore
    unconfirmed.reserve(next)
    expect(balance()).toBe('0 + 790 + 0 = 790')
    notify([utxo(10)], [change])
    expect(balance()).toBe('0 + 790 + 0 = 790')
    notify([change], [utxo(60, { outpoint: { transactionId: next.id, index: 1 }, amount: 790n })])
    expect(balance()).toBe('790 + 0 + 0 = 790')
  })

  it('counts nothing twice where one block accepts a payment and the spending of its output', () => {
    const { unconfirmed, notify, read, balance } = createBalanceHarness([])
    const income = payment(70, { pays: [[ALICE, 500n]] })
    const spending = payment(71, {
      spends: [utxo(70, { outpoint: { transactionId: income.id, index: 0 }, amount: 500n })],
      pays: [[BOB, 100n], [ALICE, 390n]], // prettier-ignore
    })
    read([income, [ALICE]])
    unconfirmed.reserve(spending)
    expect(balance()).toBe('0 + 390 + 0 = 390')
    notify([], [utxo(71, { outpoint: { transactionId: spending.id, index: 1 }, amount: 390n })])
    expect(balance()).toBe('390 + 0 + 0 = 390')
  })

  it('prefers a replacement in submission, also where the mempool lists the replaced payment', () => {
    const { unconfirmed, read, balance } = createBalanceHarness([utxo(10)])
    unconfirmed.reserve(send)
    read([send, [ALICE]])
    const release = unconfirmed.reserve(payment(61, { spends: [utxo(10)], pays: [[ALICE, 980n]] }))
    expect(balance()).toBe('0 + 980 + 0 = 980')
    release()
    expect(balance()).toBe('0 + 890 + 0 = 890')
  })

  it('stays where the payment is submitted, until it expires', () => {
    const { unconfirmed, read, scheduler, balance } = createBalanceHarness([utxo(10)])
    unconfirmed.reserve(send)
    read()
    scheduler.maxFrames = 59_999
    scheduler.flush()
    expect(balance()).toBe('0 + 890 + 0 = 890')
    scheduler.maxFrames = 60_000
    scheduler.flush()
    expect(balance()).toBe('1000 + 0 + 0 = 1000')
  })
})

describe('an own payment in whose place a node lists another transaction', () => {
  const own = payment(80, { spends: [utxo(10), utxo(11)], pays: [[BOB, 2_000n], [ALICE, 90n]] }) // prettier-ignore
  const rival = payment(81, { spends: [utxo(10)], pays: [[ALICE, 700n]] })

  it('keeps all its inputs reserved until that one is confirmed', () => {
    const { unconfirmed, read, addBlocks, notify, balance, spendable } = createBalanceHarness([utxo(10), utxo(11)])
    unconfirmed.reserve(own)
    read([own, [ALICE]])
    read([rival, [ALICE]])
    expect([balance(), spendable()]).toEqual(['0 + 700 + 0 = 700', ''])
    notify([utxo(10)], [utxo(7, { outpoint: { transactionId: rival.id, index: 0 } })])
    expect(spendable()).toBe('700')
    addBlocks(10)
    expect([balance(), spendable()]).toEqual(['1800 + 0 + 0 = 1800', '1100,700'])
  })

  it('counts again where the node lists it again', () => {
    const { unconfirmed, read, addBlocks, notify, balance } = createBalanceHarness([utxo(10), utxo(11)])
    unconfirmed.reserve(own)
    read([own, [ALICE]])
    read([rival, [ALICE]])
    read([own, [ALICE]])
    expect(balance()).toBe('0 + 90 + 0 = 90')
    addBlocks(2)
    notify([utxo(10), utxo(11)], [utxo(9, { outpoint: { transactionId: own.id, index: 1 }, amount: 90n })])
    expect(balance()).toBe('90 + 0 + 0 = 90')
  })
})

describe('the balance during payments of others', () => {
  it('excludes UTXOs that mempool transactions spend, and counts the change', () => {
    const { read, balance, spendable } = createBalanceHarness([utxo(10)])
    read([send, [ALICE]])
    expect([balance(), spendable()]).toEqual(['0 + 890 + 0 = 890', ''])
  })

  it('counts a transaction between mempool and index, until the index shows it', () => {
    const { read, addBlocks, notify, balance } = createBalanceHarness([utxo(10)])
    read([send, [ALICE]])
    read() // a block includes it that no chain block has merged
    addBlocks(1)
    read()
    expect(balance()).toBe('0 + 890 + 0 = 890')
    notify([utxo(10)], [change])
    expect(balance()).toBe('890 + 0 + 0 = 890')
  })

  it('ends a transaction that is missing two chain blocks and one read after it left the mempool', () => {
    const { read, addBlocks, balance } = createBalanceHarness([utxo(10)])
    read([send, [ALICE]])
    read()
    expect(addBlocks(2)).toEqual([ALICE])
    expect(balance()).toBe('0 + 890 + 0 = 890')
    read()
    expect(balance()).toBe('1000 + 0 + 0 = 1000')
  })

  it('does not count a read that began before the second chain block', () => {
    const { read, beginRead, addBlocks, balance } = createBalanceHarness([utxo(10)])
    read([send, [ALICE]])
    read()
    addBlocks(1)
    const apply = beginRead()
    addBlocks(1)
    apply([])
    expect(balance()).toBe('0 + 890 + 0 = 890')
  })

  it('ends a replaced transaction and its child with the read that lists the replacement', () => {
    const { read, balance } = createBalanceHarness([utxo(10)])
    const child = payment(51, { spends: [change], pays: [[ALICE, 880n]] })
    read([send, [ALICE]], [child, [ALICE]])
    expect(balance()).toBe('0 + 880 + 0 = 880')
    read([payment(52, { spends: [utxo(10)], pays: [[ALICE, 700n]] }), [ALICE]])
    expect(balance()).toBe('0 + 700 + 0 = 700')
  })

  it('ignores a response that still lists a transaction which was accepted after the request', () => {
    const { read, beginRead, notify, balance } = createBalanceHarness([utxo(10)])
    read([send, [ALICE]])
    const apply = beginRead()
    notify([utxo(10)], [change])
    notify([change], [])
    apply([[send, [ALICE]]])
    expect(balance()).toBe('0 + 0 + 0 = 0')
  })

  it('ignores a first response that lists a transaction which the index shows', () => {
    const { read, notify, balance } = createBalanceHarness([change])
    read([send, [ALICE]])
    notify([change], [])
    expect(balance()).toBe('0 + 0 + 0 = 0')
  })

  it('leaves out orphans', () => {
    const { read, balance } = createBalanceHarness([utxo(10)])
    read([send, [ALICE], 'orphan'])
    expect(balance()).toBe('1000 + 0 + 0 = 1000')
  })

  it('ends with the polling of its last address', () => {
    const { read, forget, balance } = createBalanceHarness([utxo(10)], [ALICE, BOB])
    read([send, [ALICE, BOB]])
    forget(BOB)
    expect(balance()).toBe('0 + 990 + 0 = 990')
    forget(ALICE)
    expect(balance()).toBe('1000 + 0 + 0 = 1000')
  })

  it('is limited to 10,000 transactions of a response, and as many that have left the mempool', () => {
    const { read, unconfirmed } = createBalanceHarness([])
    const listings = (first: number): Listing[] =>
      Array.from({ length: 10_500 }, (_, at) => [payment(first + at, { pays: [[ALICE, 1n]] }), [ALICE]])
    for (const first of [100_000, 200_000, 300_000]) {
      read(...listings(first))
      expect(unconfirmed.records.all.size).toBeLessThanOrEqual(20_000)
    }
  })

  it('F4 counts outputs of keys that a covenant binds, and not those of scripts', () => {
    const { read, balance } = createBalanceHarness([], [ALICE, scriptAddress])
    const bound = payment(53, { pays: [[ALICE, 5n], [scriptAddress, 7n]] }) // prettier-ignore
    const outputs = bound.outputs.map((output) => ({
      ...output,
      covenant: { authorizingInput: 0, covenantId: 'cc'.repeat(32) },
    }))
    read([{ ...bound, outputs }, [ALICE, scriptAddress]])
    expect(balance()).toBe('0 + 5 + 0 = 5')
  })

  it('counts a transaction once that is listed under several addresses', () => {
    const { read, balance } = createBalanceHarness([utxo(10)], [ALICE, BOB])
    read([send, [ALICE, BOB]])
    expect(balance()).toBe('0 + 990 + 0 = 990')
  })

  it('counts at most the maximum supply', () => {
    const { read, balance } = createBalanceHarness([])
    const most = 29_000_000_000n * 100_000_000n
    read([payment(54, { pays: [[ALICE, most], [ALICE, 1n]] }), [ALICE]]) // prettier-ignore
    expect(balance()).toBe(`0 + ${most} + 0 = ${most}`)
  })
})

describe('the balance by address', () => {
  it('adds up to the balance of all', () => {
    const { unconfirmed, view } = createBalanceHarness(
      [utxo(10), utxo(2, { address: BOB }), utxo(3, { isCoinbase: true })],
      [ALICE, BOB],
    )
    unconfirmed.reserve(send)
    expect(view.balances()).toMatchObject({
      balance: { total: 1490n, mature: 200n, unconfirmed: 990n, immature: 300n },
      byAddress: {
        [ALICE]: { total: 1190n, mature: 0n, unconfirmed: 890n, immature: 300n },
        [BOB]: { total: 300n, mature: 200n, unconfirmed: 100n, immature: 0n },
      },
    })
  })
})

describe('the inputs of a reverted payment', () => {
  const two = payment(80, { spends: [utxo(10), utxo(2)], pays: [[ALICE, 1_100n]] })
  const output = utxo(80, { amount: 1_100n })

  it('are reserved again, and its outputs count as unconfirmed, until it is accepted again', () => {
    const { unconfirmed, notify, balance, spendable } = createBalanceHarness([utxo(10), utxo(2)])
    unconfirmed.reserve(two)
    notify([utxo(10), utxo(2)], [output])
    notify([output], [utxo(10), utxo(2)])
    expect([balance(), spendable()]).toEqual(['0 + 1100 + 0 = 1100', ''])
    expect(unconfirmed.isReserved(utxo(10).outpoint)).toBe(true)
    notify([utxo(10), utxo(2)], [output])
    expect([balance(), spendable()]).toEqual(['1100 + 0 + 0 = 1100', '1100'])
  })

  it('stay reserved while a conflicting transaction is not confirmed', () => {
    const { unconfirmed, notify, addBlocks, balance, spendable } = createBalanceHarness([utxo(10), utxo(2)])
    unconfirmed.reserve(two)
    notify([utxo(10), utxo(2)], [output])
    notify([output], [utxo(10), utxo(2)])
    notify([utxo(10)], []) // by another branch
    expect([balance(), spendable()]).toEqual(['0 + 0 + 0 = 0', ''])
    addBlocks(9)
    expect(unconfirmed.isReserved(utxo(2).outpoint)).toBe(true)
    addBlocks(1)
    expect(unconfirmed.isReserved(utxo(2).outpoint)).toBe(false)
    expect([balance(), spendable()]).toEqual(['200 + 0 + 0 = 200', '200'])
  })

  it('stay reserved for as many confirmations of a conflicting transaction as the payment is followed to', () => {
    const { unconfirmed, notify, addBlocks } = createBalanceHarness([utxo(10), utxo(2)])
    unconfirmed.reserve(two)
    unconfirmed.followed(two.id, 30)
    notify([utxo(10), utxo(2)], [output])
    notify([output], [utxo(10), utxo(2)])
    notify([utxo(10)], [])
    addBlocks(29)
    expect(unconfirmed.isReserved(utxo(2).outpoint)).toBe(true)
    addBlocks(1)
    expect(unconfirmed.isReserved(utxo(2).outpoint)).toBe(false)
  })

  it('stay reserved after a snapshot that shows them unspent', () => {
    const { unconfirmed, notify, utxoSets, spendable } = createBalanceHarness([utxo(10), utxo(2)])
    unconfirmed.reserve(two)
    notify([utxo(10), utxo(2)], [output])
    const alice = utxoSets.open(ALICE)
    for (const type of ['invalidated', 'fetchStarted'] as const) utxoSets.dispatch(alice, { type })
    utxoSets.load([alice], finish(utxoSets.prepare([utxo(10), utxo(2)])))
    expect(spendable()).toBe('')
  })
})
