import { describe, expect, it } from 'vitest'
import {
  endOf,
  reduceAddressChain,
  type AddressChain,
  type AddressChainEvent,
} from '../../../src/streams/accounts/address-chain.js'

const chain = (state: Partial<AddressChain>): AddressChain => ({
  first: 0,
  next: 0,
  gapLimit: 20,
  used: 0,
  seen: 0,
  ahead: [],
  isLimited: false,
  established: 0,
  ...state,
})

describe('a chain of an account', () => {
  it.each<[string, AddressChain | null, AddressChainEvent, AddressChain | null]>([
    [
      'starts at an index',
      null,
      { type: 'started', index: 812 },
      chain({ first: 812, next: 812, used: 812, established: 812 }),
    ],
    [
      'keeps what it has returned when it is started again',
      chain({ first: 5, next: 9, established: 9 }),
      { type: 'started', index: 3 },
      chain({ first: 3, next: 9, used: 3, established: 9 }),
    ],
    [
      'is known after a scan',
      null,
      { type: 'scanned', end: 4, gapLimit: 5 },
      chain({ next: 4, used: 4, established: 4, gapLimit: 5 }),
    ],
    [
      'never returns an index twice because a later scan finds less',
      chain({ next: 9, established: 9 }),
      { type: 'scanned', end: 4, gapLimit: 20 },
      chain({ next: 9, used: 4, established: 9 }),
    ],
    [
      'moves on with a returned index',
      chain({ next: 3 }),
      { type: 'issued', index: 3 },
      chain({ next: 4, established: 4 }),
    ],
    ['moves on behind a used address', chain({ next: 3 }), { type: 'used', index: 10 }, chain({ next: 11, used: 11 })],
    [
      'S4 does not move on behind a used address more than one gap ahead',
      chain({ next: 3 }),
      { type: 'used', index: 23 },
      chain({ next: 3, ahead: [23] }),
    ],
    [
      'S4 moves on behind it with a used address between them',
      chain({ next: 3, ahead: [23] }),
      { type: 'used', index: 4 },
      chain({ next: 24, used: 24 }),
    ],
    ['S4 follows further behind UTXOs', chain({ next: 3 }), { type: 'seen', index: 10 }, chain({ next: 3, seen: 11 })],
    [
      'S4 follows at most one gap further behind UTXOs',
      chain({ next: 3, seen: 11 }),
      { type: 'seen', index: 40 },
      chain({ next: 3, seen: 23 }),
    ],
    [
      'knows that a returned address was used',
      chain({ next: 9, used: 3, isLimited: true }),
      { type: 'used', index: 6 },
      chain({ next: 9, used: 7, isLimited: true }),
    ],
    ['ignores a use before the first scan', null, { type: 'used', index: 0 }, null],
  ])('%s', (_, state, event, next) => {
    expect(reduceAddressChain(state, event)).toEqual(next)
  })

  it('is the same object where a used address is known already, and beyond 10,000 unverified uses', () => {
    const state = chain({ next: 10_000, used: 5, established: 3 })
    expect(reduceAddressChain(state, { type: 'used', index: 4 })).toBe(state)
    expect(reduceAddressChain(state, { type: 'used', index: 10_003 })).toBe(state)
    expect(reduceAddressChain(state, { type: 'used', index: 10_002 })).not.toBe(state)
  })

  it('follows the gap behind the next index, and no hardened one', () => {
    expect(endOf(chain({ next: 7 }))).toBe(27)
    expect(endOf(chain({ next: 7, seen: 9 }))).toBe(29)
    expect(endOf(chain({ next: 2 ** 31 - 3 }))).toBe(2 ** 31)
  })
})
