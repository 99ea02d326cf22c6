import { describe, expect, it } from 'vitest'
import { encodeAddress } from '../../../src/model/address.js'
import type { NodeNotification, NotificationScope } from '../../../src/node/messages/records.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import {
  NOTHING,
  deliver,
  nextSubscription,
  reduceSubscribed,
  unionOf,
  type Subscribed,
} from '../../../src/wrpc/shared/subscribed.js'

const [A, B, C] = [1, 2, 3].map((byte) => encodeAddress('kaspasim', 'PubKey', new Uint8Array(32).fill(byte))) as [
  string,
  string,
  string,
]
const utxos = (...addresses: string[]): NotificationScope => ({ type: 'utxos-changed', addresses })
const chain = (includeAcceptedTransactionIds: boolean): NotificationScope => ({
  type: 'virtual-chain-changed',
  includeAcceptedTransactionIds,
})
const SCORES: NotificationScope = { type: 'virtual-daa-score-changed' }
const to = (...scopes: NotificationScope[]): Subscribed =>
  scopes.reduce((state, scope) => reduceSubscribed(state, { method: 'subscribe', scope }), NOTHING)

/** The commands until a node with `placed` has what is wanted. */
function commands(placed: Subscribed, wanted: Subscribed): unknown[] {
  const sent: unknown[] = []
  for (let state = placed; ;) {
    const command = nextSubscription(state, wanted)
    if (command === null) return sent
    sent.push([command.method, command.scope])
    state = reduceSubscribed(state, command)
  }
}

describe('the subscriptions at the node', () => {
  it.each([
    [
      'are those of any tab',
      [to(SCORES), to(utxos(A))],
      [
        ['subscribe', SCORES],
        ['subscribe', utxos(A)],
      ],
    ],
    ['have an address once', [to(utxos(A, B)), to(utxos(B, C))], [['subscribe', utxos(A, B, C)]]],
    [
      'have accepted ids where one tab wants them',
      [to(chain(false)), to(chain(true)), to(chain(false))],
      [['subscribe', chain(true)]],
    ],
    ['are of all addresses where one tab has all', [to(utxos(A)), to(utxos())], [['subscribe', utxos()]]],
  ] as const)('%s', (_, tabs, expected) => {
    expect(commands(NOTHING, unionOf(tabs))).toEqual(expected)
  })

  it.each([
    ['of the last tab with ids, keep the blocks', to(chain(true)), to(chain(false)), [['subscribe', chain(false)]]],
    [
      'of a tab that has left, end',
      to(utxos(A, B), SCORES),
      to(utxos(B)),
      [
        ['unsubscribe', SCORES],
        ['unsubscribe', utxos(A)],
      ],
    ],
    ['of all addresses, become those of a list', to(utxos()), to(utxos(A)), [['subscribe', utxos(A)]]],
    ['of all addresses, end', to(utxos()), NOTHING, [['unsubscribe', utxos()]]],
  ] as const)('%s', (_, placed, wanted, expected) => {
    expect(commands(placed, wanted)).toEqual(expected)
  })
})

describe('a tab', () => {
  const entry = (address: string) =>
    fixtures.utxo({ address, outpoint: { transactionId: 'ab'.repeat(32), index: 0 }, amount: 1n })
  const changed: NodeNotification = {
    type: 'utxos-changed',
    data: { added: [entry(A), entry(B)], removed: [entry(C)] },
  }
  const accepted: NodeNotification = {
    type: 'virtual-chain-changed',
    data: {
      removedChainBlockHashes: [],
      addedChainBlockHashes: ['ef'.repeat(32)],
      acceptedTransactionIds: [{ acceptingBlockHash: 'ef'.repeat(32), acceptedTransactionIds: ['ab'.repeat(32)] }],
    },
  }

  it('receives only the UTXOs of its addresses', () => {
    expect(deliver(to(utxos(B)), changed)).toEqual({ type: 'utxos-changed', data: { added: [entry(B)], removed: [] } })
    expect(deliver(to(utxos(A, B, C)), changed)).toBe(changed)
    expect(deliver(to(utxos()), changed)).toBe(changed)
    expect(deliver(to(SCORES), changed)).toBeNull()
  })

  it('receives accepted ids only where it wants them', () => {
    expect(deliver(to(chain(true)), accepted)).toBe(accepted)
    expect(deliver(to(chain(false)), accepted)).toMatchObject({ data: { acceptedTransactionIds: [] } })
    expect(deliver(NOTHING, accepted)).toBeNull()
  })
})
