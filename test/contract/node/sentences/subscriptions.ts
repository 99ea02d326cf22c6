import { describe, expect, it } from 'vitest'
import type { NotificationScope, NotificationType } from '../../../../src/node/messages/records.js'
import type { TestClient } from '../support/client.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { personOf } from '../support/payment.js'

const PLAIN: readonly NotificationScope[] = [
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

/** What one block brings to whoever listens to all, in order. */
const BROUGHT: readonly NotificationType[] = [
  'block-added',
  'new-block-template',
  'sink-blue-score-changed',
  'virtual-daa-score-changed',
  'virtual-chain-changed',
]

/** Who is told what, and in which order. */
export function subscriptions(node: NodeUnderTest): void {
  /** Mines, and waits until `client` has heard all that the block brings. It needs the DAA score's subscription. */
  const mineHeard = async (client: TestClient, address?: string) => {
    const from = client.heard.length
    const hash = await node.mine(1, address)
    const { block } = await node.client.call('getBlock', { hash, includeTransactions: false })
    await client.hear('virtual-daa-score-changed', ({ data }) => data.virtualDaaScore > block.header.daaScore, from)
    await client.call('ping', {})
    return { hash, heard: client.heard.slice(from) }
  }
  const listener = async (...scopes: NotificationScope[]) => {
    const client = await node.connect()
    for (const scope of [...scopes, { type: 'virtual-daa-score-changed' } as const]) await client.subscribe(scope)
    return client
  }
  const count = (heard: TestClient['heard'], type: NotificationType) => heard.filter((one) => one.type === type).length

  describe('a subscription', () => {
    it('is answered with the number of the connection, whatever it is for', async () => {
      const [one, other] = [await node.connect(), await node.connect()]
      const ids: bigint[] = []
      for (const scope of [...PLAIN, chain(true), utxos()]) ids.push(await one.subscribe(scope))
      expect(new Set(ids).size).toBe(1)
      expect(await other.subscribe(BLOCKS)).toBeGreaterThan(ids[0] ?? 0n)
      one.close()
      other.close()
    })

    it('concerns only the connection that placed it', async () => {
      const [one, other] = [await listener(BLOCKS), await listener()]
      const { heard } = await mineHeard(other)
      await one.hear('virtual-daa-score-changed')
      expect(count(heard, 'block-added')).toBe(0)
      expect(count(one.heard, 'block-added')).toBe(1)
      one.close()
      other.close()
    })

    it('placed twice is told once, and cancelled by one call', async () => {
      const client = await listener(BLOCKS, BLOCKS)
      const twice = await mineHeard(client)
      await client.unsubscribe(BLOCKS)
      const cancelled = await mineHeard(client)
      expect([count(twice.heard, 'block-added'), count(cancelled.heard, 'block-added')]).toEqual([1, 0])
      client.close()
    })

    it('that was never placed may be cancelled', async () => {
      const client = await node.connect()
      for (const scope of [BLOCKS, chain(true), utxos(), utxos(node.stranger().address)])
        await client.unsubscribe(scope)
      client.close()
    })
  })

  describe('virtual-chain-changed', () => {
    it('holds ids or not as the last flag says, and either flag cancels it', async () => {
      const client = await listener(chain(true))
      const ids = async () => {
        const { heard } = await mineHeard(client)
        return heard.flatMap((one) =>
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
    /** Pays the same amount to each in one transaction, mines it, and tells which of them the client heard of. */
    const heardOf = async (client: TestClient, addresses: readonly string[]) => {
      const witness = await listener(utxos())
      const { transactionId } = await node.pay(addresses[0] ?? '', 100_000_000n, {
        to: addresses.map((address) => ({ address, amount: 100_000_000n })),
      })
      const from = client.heard.length
      await node.include(transactionId)
      const isOurs = ({ outpoint }: { outpoint: { transactionId: string } }) => outpoint.transactionId === transactionId
      await witness.hear('utxos-changed', ({ data }) => data.added.some(isOurs))
      await mineHeard(witness) // what the client was to hear is behind it now
      await client.call('ping', {})
      witness.close()
      const heard = client.heard
        .slice(from)
        .flatMap((one) => (one.type === 'utxos-changed' ? one.data.added.filter(isOurs) : []))
      return heard
        .flatMap(({ address }) => (addresses.includes(address ?? '') ? [addresses.indexOf(address ?? '')] : []))
        .sort()
    }

    it('is told of the addresses asked for; sets add up, and the named ones go', async () => {
      const [a, b, c] = [node.stranger().address, node.stranger().address, node.stranger().address]
      const client = await listener(utxos(a))
      expect(await heardOf(client, [a, b, c])).toEqual([0])
      await client.subscribe(utxos(b, a))
      expect(await heardOf(client, [a, b, c])).toEqual([0, 1])
      await client.unsubscribe(utxos(a))
      expect(await heardOf(client, [a, b, c])).toEqual([1])
      await client.unsubscribe(utxos())
      expect(await heardOf(client, [a, b, c])).toEqual([])
      client.close()
    })

    it('is told of all addresses where none is named; a set after that leaves only the set', async () => {
      const [a, b] = [node.stranger().address, node.stranger().address]
      const client = await listener(utxos(a), utxos())
      expect(await heardOf(client, [a, b])).toEqual([0, 1])
      await client.unsubscribe(utxos(a))
      expect(await heardOf(client, [a, b])).toEqual([0, 1])
      await client.subscribe(utxos(b))
      expect(await heardOf(client, [a, b])).toEqual([1])
      client.close()
    })

    it("takes an address with another network's prefix for its own: only the script counts", async () => {
      const person = node.stranger()
      const foreign = personOf(person.privateKey, node.network.addressPrefix === 'kaspa' ? 'kaspatest' : 'kaspa')
      const client = await listener(utxos(foreign.address))
      expect(await heardOf(client, [person.address])).toEqual([0])
      client.close()
    })

    it('is not sent where no address of the connection is concerned', async () => {
      const client = await listener(utxos(node.stranger().address))
      await heardOf(client, [node.stranger().address])
      expect(count(client.heard, 'utxos-changed')).toBe(0)
      client.close()
    })
  })

  describe('what a block brings', () => {
    it('comes once each, and as a rule in order: the block, a new template, blue score, DAA score, virtual chain', async () => {
      const client = await listener(...PLAIN, chain(true))
      const told: NotificationType[][] = []
      for (let blocks = 0; blocks < 5; blocks++) {
        const from = client.heard.length
        await node.mine()
        for (const type of BROUGHT) await client.hear(type, () => true, from)
        told.push(client.heard.slice(from).map(({ type }) => type))
      }
      for (const types of told) expect([...types].sort()).toEqual([...BROUGHT].sort())
      expect(told).toContainEqual(BROUGHT) // of a busy node, one that takes its time may be overtaken
      client.close()
    })

    it('holds the block alone, without children, as a rule as it stood before the virtual moved: not yet of the chain', async () => {
      const client = await listener(BLOCKS)
      const wasOnChain: (boolean | undefined)[] = []
      for (let blocks = 0; blocks < 5; blocks++) {
        const from = client.heard.length
        const { hash } = await mineHeard(client)
        const { data } = await client.hear('block-added', () => true, from)
        expect(data.block.header.hash).toBe(hash)
        expect(data.block.transactions).toHaveLength(1)
        expect(data.block.verboseData).toMatchObject({ hash, childrenHashes: [], isHeaderOnly: false })
        wasOnChain.push(data.block.verboseData?.isChainBlock)
      }
      expect(wasOnChain).toContain(false) // a busy node may be slower in telling than in moving
      client.close()
    })

    it('is answered for as soon as it is told: the chain, and the senders of what it accepted', async () => {
      const client = await listener(chain(true))
      const from = client.heard.length
      const { transactionId } = await node.pay(node.stranger().address, 100_000_000n)
      const including = await node.include(transactionId)
      await node.mine()
      const { data } = await client.hear(
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

    it('tells the scores that the node then answers', async () => {
      const client = await listener({ type: 'sink-blue-score-changed' })
      await mineHeard(client)
      const blue = await client.hear('sink-blue-score-changed')
      const daa = await client.hear('virtual-daa-score-changed')
      expect(await node.client.call('getSinkBlueScore', {})).toEqual({ blueScore: blue.data.sinkBlueScore })
      expect((await node.client.call('getServerInfo', {})).virtualDaaScore).toBe(daa.data.virtualDaaScore)
      client.close()
    })

    it('is all there is: a transaction in the mempool brings nothing', async () => {
      const client = await listener(...PLAIN, chain(true), utxos())
      const { transactionId } = await node.pay(node.stranger().address, 100_000_000n)
      await client.call('ping', {})
      expect(client.heard).toEqual([])
      await node.include(transactionId)
      client.close()
    })
  })
}
