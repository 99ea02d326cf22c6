import { describe, expect, it } from 'vitest'
import { BatchBuilder, type ConsumedMessage } from '../../../src/feed/consumer/consumed-batch.js'
import type { TransferMessage } from '../../../src/feed/jetstream/messages.js'

const part = (batch: number, attempt: string) => ({ batch, attempt })

const begin = (batch: number, attempt = 'a', previousAttempt = 'a'): ConsumedMessage => ({
  type: 'begin',
  ...part(batch, attempt),
  rollback: null,
  previous: 0,
  previousAttempt,
})

const end = (batch: number, transfers: number, attempt = 'a'): ConsumedMessage => ({
  type: 'end',
  ...part(batch, attempt),
  transfers,
  cursor: `cursor ${batch}`,
  blueScore: '7',
  isLive: true,
  watched: [],
})

const transfer = (batch: number, amount: string, attempt = 'a'): TransferMessage => ({
  type: 'transfer',
  ...part(batch, attempt),
  address: 'kaspasim:q',
  direction: 'credit',
  amount,
  outpoint: { transactionId: '00', index: 0 },
  transactionId: '00',
  acceptingBlockHash: null,
  acceptingBlueScore: '7',
  acceptingDaaScore: '7',
  timestamp: null,
  isCoinbase: false,
  isOpening: false,
  isChange: false,
  isInternal: false,
  counterparties: [],
  fee: null,
})

/** The batches that messages complete, with their amounts. */
function read(messages: readonly ConsumedMessage[], last: number | null = null, isFiltered = false) {
  const builder = new BatchBuilder(last === null ? null : part(last, 'a'), isFiltered)
  return messages.flatMap((message) => {
    const complete = builder.add(message)
    return complete === null ? [] : [[complete.end.batch, ...complete.transfers.map(({ amount }) => amount)]]
  })
}

describe('the messages of a stream', () => {
  it.each<[string, readonly ConsumedMessage[], readonly unknown[]]>([
    ['a batch counts with its end', [begin(1), transfer(1, '5'), transfer(1, '6')], []],
    ['a whole batch', [begin(1), transfer(1, '5'), end(1, 1), begin(2), end(2, 0)], [[1, '5'], [2]]],
    [
      'a superseded attempt',
      [begin(1), transfer(1, '5'), begin(1, 'b'), transfer(1, '6', 'b'), end(1, 1, 'b')],
      [[1, '6']],
    ],
    ['the end of a batch whose beginning was not read', [transfer(4, '5'), end(4, 9), begin(5), end(5, 0)], [[5]]],
    ['messages of another attempt', [begin(1), transfer(1, '9', 'b'), end(1, 1, 'b'), end(1, 0)], [[1]]],
  ])('%s', (_, messages, batches) => {
    expect(read(messages)).toEqual(batches)
  })

  it('of addresses are collected, in order', () => {
    const messages: readonly ConsumedMessage[] = [
      begin(1),
      { type: 'added', ...part(1, 'a'), after: '7', previous: 0, addresses: ['b', 'c'] },
      { type: 'removed', ...part(1, 'a'), previous: 0, addresses: ['a'] },
      { type: 'added', ...part(1, 'a'), after: '7', previous: 0, addresses: ['d'] },
    ]
    const builder = new BatchBuilder(null, false)
    for (const message of messages) expect(builder.add(message)).toBeNull()
    expect(builder.add(end(1, 0))).toMatchObject({ added: ['b', 'c', 'd'], removed: ['a'], transfers: [] })
  })

  it('are rejected where a batch is missing, or was read before', () => {
    const code = 'history-gap'
    expect(() => read([begin(1), end(1, 0), begin(3)])).toThrow(
      expect.objectContaining({ code, message: 'Batch 3 of the stream follows batch 1' }),
    )
    expect(() => read([begin(4)], 4)).toThrow(expect.objectContaining({ code }))
    expect(read([begin(5), end(5, 0)], 4)).toEqual([[5]])
    expect(() => read([begin(5, 'c', 'b')], 4)).toThrow(
      expect.objectContaining({ code, message: 'Batch 5 of the stream does not follow batch 4 that was read before' }),
    )
  })

  it('are rejected where transfers are missing, unless the reader filters them', () => {
    const messages = [begin(1), transfer(1, '5'), end(1, 2)]
    expect(() => read(messages)).toThrow(
      expect.objectContaining({ code: 'history-gap', message: 'Batch 1 of the stream has 1 of 2 transfers' }),
    )
    expect(read(messages, null, true)).toEqual([[1, '5']])
  })
})
