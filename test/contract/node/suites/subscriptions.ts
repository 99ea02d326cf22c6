import { describe, expect, it } from 'vitest'
import type { NotificationScope, NotificationType } from '../../../../src/node/messages/records.js'
import type { TestClient } from '../support/client.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { accountOf } from '../support/payment.js'

const PLAIN_SCOPES: readonly NotificationScope[] = [
  { type: 'block-added' },
  { type: 'finality-conflict' },
  { type: 'finality-conflict-resolved' },
  { type: 'sink-blue-score-changed' },
  { type: 'virtual-daa-score-changed' },
  { type: 'pruning-point-utxo-set-override' },
  { type: 'new-block-template' },
]
const chain = (includeAcceptedTransactionIds: boolean): NotificationScope => ({
  type: 'virtual-chain-changed',
  includeAcceptedTransactionIds,
})
const utxos = (...addresses: string[]): NotificationScope => ({ type: 'utxos-changed', addresses })
const BLOCKS: NotificationScope = { type: 'block-added' }

/** The notifications of one block, in order. */
const TYPES_PER_BLOCK: readonly NotificationType[] = [
  'block-added',
  'new-block-template',
  'sink-blue-score-changed',
  'virtual-daa-score-changed',
  'virtual-chain-changed',
]

/** Subscriptions, and the contents and order of notifications. */
export function subscriptions(node: NodeUnderTest): void {
  /** Mines and waits until `client` has all notifications of the block. It needs a DAA score subscription. */
  const mineAndCollect = async (client: TestClient, address?: string) => {
    const from = client.notifications.length
    const hash = await node.mine(1, address)
    const { block } = await node.client.call('getBlock', { hash, includeTransactions: false })
    await client.waitFor('virtual-daa-score-changed', ({ data }) => data.virtualDaaScore > block.header.daaScore, from)
    await client.call('ping', {})
    return { hash, notifications: client.notifications.slice(from) }
  }
  const subscribedClient = async (...scopes: NotificationScope[]) => {
    const client = await node.connect()
    for (const scope of [...scopes, { type: 'virtual-daa-score-changed' } as const]) await client.subscribe(scope)
    return client
  }
  const count = (notifications: TestClient['notifications'], type: NotificationType) =>
    notifications.filter((one) => one.type === type).length

  describe('a subscription', () => {
    it('returns the id of the connection for every scope', async () => {
      const [one, other] = [await node.connect(), await node.connect()]
      const ids: bigint[] = []
      for (const scope of [...PLAIN_SCOPES, chain(true), utxos()]) ids.push(await one.subscribe(scope))
      expect(new Set(ids).size).toBe(1)
      expect(await other.subscribe(BLOCKS)).toBeGreaterThan(ids[0] ?? 0n)
      one.close()
      other.close()
    })

    it('applies to its connection only', async () => {
      const [one, other] = [await subscribedClient(BLOCKS), await subscribedClient()]
      const { notifications } = await mineAndCollect(other)
      await one.waitFor('virtual-daa-score-changed')
      expect(count(notifications, 'block-added')).toBe(0)
      expect(count(one.notifications, 'block-added')).toBe(1)
      one.close()
      other.close()
    })

    it('placed twice notifies once, and is removed by one unsubscribe call', async () => {
      const client = await subscribedClient(BLOCKS, BLOCKS)
      const twice = await mineAndCollect(client)
      await client.unsubscribe(BLOCKS)
      const cancelled = await mineAndCollect(client)
      expect([count(twice.notifications, 'block-added'), count(cancelled.notifications, 'block-added')]).toEqual([1, 0])
      client.close()
    })

    it('that does not exist can be unsubscribed', async () => {
      const client = await node.connect()
      for (const scope of [BLOCKS, chain(true), utxos(), utxos(node.newAccount().address)])
        await client.unsubscribe(scope)
      client.close()
    })
  })

  describe('virtual-chain-changed', () => {
    it('includes ids as the last flag requests, and is unsubscribed with either flag', async () => {
      const client = await subscribedClient(chain(true))
      const ids = async () => {
        const { notifications } = await mineAndCollect(client)
        return notifications.flatMap((one) =>
          one.type === 'virtual-chain-changed' ? [one.data.acceptedTransactionIds.length] : [],
        )
      }
      expect(await ids()).toEqual([1])
      await client.subscribe(chain(false))
      expect(await ids()).toEqual([0])
      await client.subscribe(chain(true))
      expect(await ids()).toEqual([1])
      await client.unsubscribe(chain(false))
      expect(await ids()).toEqual([])
      client.close()
    })
  })

  describe('utxos-changed', () => {
    /**
     * Pays all addresses in one transaction and mines it; the indexes of addresses in the notifications of the client.
     */
    const notifiedIndexes = async (client: TestClient, addresses: readonly string[]) => {
      const observer = await subscribedClient(utxos())
      const { transactionId } = await node.pay(addresses[0] ?? '', 100_000_000n, {
        to: addresses.map((address) => ({ address, amount: 100_000_000n })),
      })
      const from = client.notifications.length
      await node.include(transactionId)
      const isOurs = ({ outpoint }: { outpoint: { transactionId: string } }) => outpoint.transactionId === transactionId
      await observer.waitFor('utxos-changed', ({ data }) => data.added.some(isOurs))
      await mineAndCollect(observer) // later than every notification of the payment
      await client.call('ping', {})
      observer.close()
      const changes = client.notifications
        .slice(from)
        .flatMap((one) => (one.type === 'utxos-changed' ? one.data.added.filter(isOurs) : []))
      return changes
        .flatMap(({ address }) => (addresses.includes(address ?? '') ? [addresses.indexOf(address ?? '')] : []))
        .sort()
    }

    it('notifies of the subscribed addresses; subscribe adds to them, unsubscribe removes the given ones', async () => {
      const [a, b, c] = [node.newAccount().address, node.newAccount().address, node.newAccount().address]
      const client = await subscribedClient(utxos(a))
      expect(await notifiedIndexes(client, [a, b, c])).toEqual([0])
      await client.subscribe(utxos(b, a))
      expect(await notifiedIndexes(client, [a, b, c])).toEqual([0, 1])
      await client.unsubscribe(utxos(a))
      expect(await notifiedIndexes(client, [a, b, c])).toEqual([1])
      await client.unsubscribe(utxos())
      expect(await notifiedIndexes(client, [a, b, c])).toEqual([])
      client.close()
    })

    it('notifies of all addresses for an empty list; a later list replaces it', async () => {
      const [a, b] = [node.newAccount().address, node.newAccount().address]
      const client = await subscribedClient(utxos(a), utxos())
      expect(await notifiedIndexes(client, [a, b])).toEqual([0, 1])
      await client.unsubscribe(utxos(a))
      expect(await notifiedIndexes(client, [a, b])).toEqual([0, 1])
      await client.subscribe(utxos(b))
      expect(await notifiedIndexes(client, [a, b])).toEqual([1])
      client.close()
    })

    it("matches an address with another network's prefix by its script", async () => {
      const account = node.newAccount()
      const foreign = accountOf(account.privateKey, node.network.addressPrefix === 'kaspa' ? 'kaspatest' : 'kaspa')
      const client = await subscribedClient(utxos(foreign.address))
      expect(await notifiedIndexes(client, [account.address])).toEqual([0])
      client.close()
    })

    it('is not sent for other addresses', async () => {
      const client = await subscribedClient(utxos(node.newAccount().address))
      await notifiedIndexes(client, [node.newAccount().address])
      expect(count(client.notifications, 'utxos-changed')).toBe(0)
      client.close()
    })
  })

  describe('the notifications of a block', () => {
    it('are sent once each, usually in order: block, new template, blue score, DAA score, virtual chain', async () => {
      const client = await subscribedClient(...PLAIN_SCOPES, chain(true))
      const typesByBlock: NotificationType[][] = []
      for (let blocks = 0; blocks < 5; blocks++) {
        const from = client.notifications.length
        await node.mine()
        for (const type of TYPES_PER_BLOCK) await client.waitFor(type, () => true, from)
        typesByBlock.push(client.notifications.slice(from).map(({ type }) => type))
      }
      for (const types of typesByBlock) expect([...types].sort()).toEqual([...TYPES_PER_BLOCK].sort())
      expect(typesByBlock).toContainEqual(TYPES_PER_BLOCK) // a busy node may reorder a slow one
      client.close()
    })

    it('contain the block without children, usually before the virtual block changes: not yet on the chain', async () => {
      const client = await subscribedClient(BLOCKS)
      const wasOnChain: (boolean | undefined)[] = []
      for (let blocks = 0; blocks < 5; blocks++) {
        const from = client.notifications.length
        const { hash } = await mineAndCollect(client)
        const { data } = await client.waitFor('block-added', () => true, from)
        expect(data.block.header.hash).toBe(hash)
        expect(data.block.transactions).toHaveLength(1)
        expect(data.block.verboseData).toMatchObject({ hash, childrenHashes: [], isHeaderOnly: false })
        wasOnChain.push(data.block.verboseData?.isChainBlock)
      }
      expect(wasOnChain).toContain(false) // a busy node may update the chain before it notifies
      client.close()
    })

    it('match the chain and the senders in an immediate query', async () => {
      const client = await subscribedClient(chain(true))
      const from = client.notifications.length
      const { transactionId } = await node.pay(node.newAccount().address, 100_000_000n)
      const including = await node.include(transactionId)
      await node.mine()
      const { data } = await client.waitFor(
        'virtual-chain-changed',
        (one) => one.data.acceptedTransactionIds.some((block) => block.acceptedTransactionIds.includes(transactionId)),
        from,
      )
      const { chainBlockAcceptedTransactions, addedChainBlockHashes } = await client.call(
        'getVirtualChainFromBlockV2',
        {
          startHash: including,
          dataVerbosityLevel: 'Low',
        },
      )
      expect(addedChainBlockHashes).toContain(data.addedChainBlockHashes.at(-1))
      const ids = chainBlockAcceptedTransactions.flatMap(({ acceptedTransactions }) =>
        acceptedTransactions.map(({ verboseData }) => verboseData?.transactionId),
      )
      expect(ids).toContain(transactionId)
      client.close()
    })

    it('contain the scores of an immediate query', async () => {
      const client = await subscribedClient({ type: 'sink-blue-score-changed' })
      await mineAndCollect(client)
      const blue = await client.waitFor('sink-blue-score-changed')
      const daa = await client.waitFor('virtual-daa-score-changed')
      expect(await node.client.call('getSinkBlueScore', {})).toEqual({ blueScore: blue.data.sinkBlueScore })
      expect((await node.client.call('getServerInfo', {})).virtualDaaScore).toBe(daa.data.virtualDaaScore)
      client.close()
    })

    it('are not sent for a transaction in the mempool', async () => {
      const client = await subscribedClient(...PLAIN_SCOPES, chain(true), utxos())
      const { transactionId } = await node.pay(node.newAccount().address, 100_000_000n)
      await client.call('ping', {})
      expect(client.notifications).toEqual([])
      await node.include(transactionId)
      client.close()
    })
  })
}
