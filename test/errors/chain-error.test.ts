import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ChainError, toChainError } from '../../src/errors/chain-error.js'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { serializeTransaction } from '../../src/model/serialized-transaction.js'
import { RELAYABLE } from '../relayable-transaction.js'

describe('ChainError.details', () => {
  it.each([
    ['is empty without a cause', undefined, ''],
    ['is the message of the cause', new Error('socket hang up'), 'socket hang up'],
    ['is a thrown string', 'denied by the user', 'denied by the user'],
    [
      'is the message of a plain object, as wallets throw it',
      { code: 4001, message: 'User rejected' },
      'User rejected',
    ],
    ['ignores objects without a message', { code: 1 }, ''],
    ['ignores a message that is no text', { message: 42 }, ''],
  ])('%s', (_, cause, details) => {
    expect(new ChainError('failed', { cause }).details).toBe(details)
  })

  it('joins the messages of nested causes, each once', () => {
    const inner = new Error('connect ECONNREFUSED 127.0.0.1:17510')
    const middle = new Error('ws://127.0.0.1:17510 could not be reached', { cause: inner })
    expect(new ChainRpcError('connect', new Error('No endpoint', { cause: middle })).details).toBe(
      'No endpoint: ws://127.0.0.1:17510 could not be reached: connect ECONNREFUSED 127.0.0.1:17510',
    )
    const repeated = new Error('refused', { cause: new Error('refused') })
    expect(new ChainError('failed', { cause: repeated }).details).toBe('refused')
  })

  it('follows the last error of an AggregateError', () => {
    const cause = new AggregateError([new Error('IPv6 failed'), new Error('IPv4 failed')], 'All attempts failed')
    expect(new ChainError('failed', { cause }).details).toBe('All attempts failed: IPv4 failed')
  })

  it('ends at a cycle of causes', () => {
    const cause = new Error('first')
    cause.cause = new Error('second', { cause })
    expect(new ChainError('failed', { cause }).details).toBe('first: second')
  })

  it('is the given text where the caller knows better words', () => {
    expect(new ChainError('failed', { cause: new Error('raw'), details: 'The node is pruned' }).details).toBe(
      'The node is pruned',
    )
  })
})

describe('ChainError.toString', () => {
  it('shows message, details and hint', () => {
    const error = new ChainRpcError('getBlock', new Error('cannot find header'), { hint: 'Check the hash.' })
    expect(String(error)).toBe(
      'ChainRpcError: RPC method "getBlock" failed\nDetails: cannot find header\nHint: Check the hash.',
    )
  })

  it('leaves out what is absent', () => {
    expect(String(new ChainError('No url given'))).toBe('ChainError: No url given')
  })
})

describe('toChainError', () => {
  it('returns a ChainError of any class unchanged', () => {
    const error = new ChainRpcError('ping')
    expect(toChainError(error, 'The query failed')).toBe(error)
  })

  it('wraps a foreign error as the cause', () => {
    const cause = new TypeError('x is undefined')
    const error = toChainError(cause, 'The query failed')
    expect(error).toBeInstanceOf(ChainError)
    expect(error).toMatchObject({ message: 'The query failed', details: 'x is undefined', cause })
  })
})

describe('ChainError.payments', () => {
  const payment = { ...serializeTransaction(RELAYABLE), id: 'ab'.repeat(32) }

  it('are on the error, and in none of its copies', () => {
    const error = new ChainError('failed', { outcome: 'unknown', payments: [payment] })
    expect(error.payments).toEqual([payment])
    expect(Object.keys(error)).not.toContain('payments')
    expect([JSON.stringify(error), inspect(error)].join()).not.toContain('signatureScript')
  })

  it('are absent where they were not given', () => {
    expect('payments' in new ChainError('failed')).toBe(false)
  })
})
