import { describe, expect, it } from 'vitest'
import {
  restrictToScope,
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

describe('reduceSubscriptions', () => {
  const table: readonly [string, readonly SubscriptionRequest[], readonly NotificationScope[]][] = [
    ['subscribing twice has no effect', [on(blockScope), on(blockScope)], [blockScope]],
    ['one unsubscribe ends a subscription', [on(blockScope), on(blockScope), off(blockScope)], []],
    ['unsubscribing without a subscription has no effect', [off(blockScope), off(chain(true)), off(utxos(A))], []],
    ['the last flag wins', [on(chain(true)), on(chain(false))], [chain(false)]],
    ['unsubscribing ignores the flag', [on(chain(true)), off(chain(false))], []],
    ['address sets are merged', [on(utxos(A)), on(utxos(B, A))], [utxos(A, B)]],
    ['the named addresses are removed', [on(utxos(A, B)), off(utxos(A, C))], [utxos(B)]],
    ['removing the last address ends the subscription', [on(utxos(A)), off(utxos(A))], []],
    ['an empty list is all addresses', [on(utxos(A)), on(utxos())], [utxos()]],
    ['a set replaces all addresses', [on(utxos()), on(utxos(A))], [utxos(A)]],
    ['unsubscribing an empty list removes all', [on(utxos(A, B)), off(utxos())], []],
    ['single addresses cannot be removed from all addresses', [on(utxos()), off(utxos(A))], [utxos()]],
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

describe('restrictToScope', () => {
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

  it('omits notifications without a subscription', () => {
    expect([changed, moved].map((event) => restrictToScope(event, NO_SUBSCRIPTIONS))).toEqual([undefined, undefined])
  })

  it('restricts UTXO changes to the watched addresses', () => {
    expect(restrictToScope(changed, after([on(utxos(A, C))]))).toEqual({
      type: 'utxos-changed',
      data: { added: [entry(A, 0)], removed: [entry(C, 2)] },
    })
  })

  it('omits UTXO changes without a watched address', () => {
    const { data } = changed
    expect(restrictToScope({ ...changed, data: { ...data, removed: [] } }, after([on(utxos(C))]))).toBeUndefined()
  })

  it('removes accepted ids from virtual chain changes without ids', () => {
    expect(restrictToScope(moved, after([on(chain(false))]))).toEqual({
      type: 'virtual-chain-changed',
      data: { removedChainBlockHashes: [], addedChainBlockHashes: ['aa'], acceptedTransactionIds: [] },
    })
  })
})
