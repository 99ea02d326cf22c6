import { describe, expect, it } from 'vitest'
import {
  cutToScope,
  NO_SUBSCRIPTIONS,
  reduceSubscriptions,
  toScopes,
  type SubscriptionRequest,
} from '../../../src/devnode/server/subscriptions.js'
import { deriveAccounts } from '../../../src/devnode/accounts.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { NodeNotification, NotificationScope } from '../../../src/node/messages/records.js'

const [A, B, C] = deriveAccounts(3, 'kaspasim').map(({ address }) => address) as [string, string, string]
const [MAINNET_A] = deriveAccounts(1, 'kaspa').map(({ address }) => address) as [string]

const utxos = (...addresses: string[]): NotificationScope => ({ type: 'utxos-changed', addresses })
const chain = (includeAcceptedTransactionIds: boolean): NotificationScope => ({
  type: 'virtual-chain-changed',
  includeAcceptedTransactionIds,
})
const on = (scope: NotificationScope): SubscriptionRequest => ({ type: 'subscribe', scope })
const off = (scope: NotificationScope): SubscriptionRequest => ({ type: 'unsubscribe', scope })

const after = (requests: readonly SubscriptionRequest[]) =>
  requests.reduce((state, request) => reduceSubscriptions(state, request, 'kaspasim'), NO_SUBSCRIPTIONS)

const blockScope: NotificationScope = { type: 'block-added' }

describe('what a connection is subscribed to', () => {
  const table: readonly [string, readonly SubscriptionRequest[], readonly NotificationScope[]][] = [
    ['twice is once', [on(blockScope), on(blockScope)], [blockScope]],
    ['one cancelling ends it', [on(blockScope), on(blockScope), off(blockScope)], []],
    ['cancelling what is not there is nothing', [off(blockScope), off(chain(true)), off(utxos(A))], []],
    ['the last flag wins', [on(chain(true)), on(chain(false))], [chain(false)]],
    ['either flag cancels', [on(chain(true)), off(chain(false))], []],
    ['address sets add up', [on(utxos(A)), on(utxos(B, A))], [utxos(A, B)]],
    ['the named addresses go', [on(utxos(A, B)), off(utxos(A, C))], [utxos(B)]],
    ['the last address takes the subscription with it', [on(utxos(A)), off(utxos(A))], []],
    ['an empty list is all addresses', [on(utxos(A)), on(utxos())], [utxos()]],
    ['a set after all addresses leaves only the set', [on(utxos()), on(utxos(A))], [utxos(A)]],
    ['an empty list cancels everything', [on(utxos(A, B)), off(utxos())], []],
    ['all addresses cannot be cancelled one by one', [on(utxos()), off(utxos(A))], [utxos()]],
    ["only the script counts, not another network's prefix", [on(utxos(MAINNET_A))], [utxos(A)]],
  ]
  it.each(table)('%s', (_, requests, scopes) => {
    expect(toScopes(after(requests))).toEqual(scopes)
  })
})

const entry = (address: string, index: number): UtxoEntry => ({
  address,
  outpoint: { transactionId: '11'.repeat(32), index },
  amount: 5n,
  scriptPublicKey: { version: 0, script: '' },
  blockDaaScore: 1n,
  isCoinbase: false,
})

describe('what a connection hears', () => {
  const changed: NodeNotification = {
    type: 'utxos-changed',
    data: { added: [entry(A, 0), entry(B, 1)], removed: [entry(C, 2)] },
  }
  const moved: NodeNotification = {
    type: 'virtual-chain-changed',
    data: {
      removedChainBlockHashes: [],
      addedChainBlockHashes: ['aa'],
      acceptedTransactionIds: [{ acceptingBlockHash: 'aa', acceptedTransactionIds: ['bb'] }],
    },
  }

  it('is nothing that it did not ask for', () => {
    expect([changed, moved].map((event) => cutToScope(event, NO_SUBSCRIPTIONS))).toEqual([undefined, undefined])
  })

  it('of UTXOs: those of its addresses', () => {
    expect(cutToScope(changed, after([on(utxos(A, C))]))).toEqual({
      type: 'utxos-changed',
      data: { added: [entry(A, 0)], removed: [entry(C, 2)] },
    })
  })

  it('of UTXOs: nothing where none of its addresses is concerned', () => {
    const { data } = changed
    expect(cutToScope({ ...changed, data: { ...data, removed: [] } }, after([on(utxos(C))]))).toBeUndefined()
  })

  it('of the virtual chain without ids: the hashes, and an empty list of ids', () => {
    expect(cutToScope(moved, after([on(chain(false))]))).toEqual({
      type: 'virtual-chain-changed',
      data: { removedChainBlockHashes: [], addedChainBlockHashes: ['aa'], acceptedTransactionIds: [] },
    })
  })
})
