import { describe, expect, it } from 'vitest'
import type { NodeUnderTest } from '../support/node-under-test.js'

/** Network, version, sync state, scores, supply, metrics and fee estimate. */
export function nodeInfo(node: NodeUnderTest): void {
  const { client, network } = node
  describe('node info', () => {
    it('reports the same network in every method', async () => {
      const { networkId } = await client.call('getServerInfo', {})
      const dag = await client.call('getBlockDagInfo', {})
      const current = await client.call('getCurrentNetwork', {})
      expect([networkId, dag.network, current.network]).toEqual([
        network.id,
        network.id,
        network.id.replace(/-\d+$/, ''),
      ])
    })

    it('reports API version 1, revision 0, and the same server version in every method', async () => {
      const server = await client.call('getServerInfo', {})
      const info = await client.call('getInfo', {})
      expect(server).toMatchObject({ rpcApiVersion: 1, rpcApiRevision: 0, hasUtxoIndex: true })
      expect(info).toMatchObject({
        serverVersion: server.serverVersion,
        isUtxoIndexed: true,
        hasNotifyCommand: true,
        hasMessageId: true,
      })
    })

    it('reports isSynced after a recent block', async () => {
      await node.mine()
      expect(await client.call('getSyncStatus', {})).toEqual({ isSynced: true })
      expect(await client.call('getServerInfo', {})).toMatchObject({ isSynced: true })
    })

    it('increments the block count with each block', async () => {
      const before = await client.call('getBlockCount', {})
      await node.mine()
      const after = await client.call('getBlockCount', {})
      expect(after).toEqual({ blockCount: before.blockCount + 1n, headerCount: before.headerCount + 1n })
    })

    it('reports a consistent sink, blue score, DAA score and tips', async () => {
      const hash = await node.mine()
      const dag = await client.call('getBlockDagInfo', {})
      const { block } = await client.call('getBlock', { hash, includeTransactions: false })
      expect(await client.call('getSink', {})).toEqual({ sink: hash })
      expect(await client.call('getSinkBlueScore', {})).toEqual({ blueScore: block.header.blueScore })
      expect(dag).toMatchObject({ sink: hash, tipHashes: [hash], virtualParentHashes: [hash] })
      expect(dag.virtualDaaScore).toBe(block.header.daaScore + 1n)
      expect((await client.call('getServerInfo', {})).virtualDaaScore).toBe(dag.virtualDaaScore)
    })

    it('reports a maximum supply of 29 billion KAS', async () => {
      const { maxSompi, circulatingSompi } = await client.call('getCoinSupply', {})
      expect(maxSompi).toBe(2_900_000_000_000_000_000n)
      expect(circulatingSompi).toBeGreaterThan(0n)
    })

    it('reports the number of clients, and profile data on request only', async () => {
      const other = await node.connect()
      const plain = await client.call('getConnections', { includeProfileData: false })
      const profiled = await client.call('getConnections', { includeProfileData: true })
      expect(plain.clients).toBeGreaterThanOrEqual(2)
      expect([plain.profileData, typeof profiled.profileData?.cpuUsage]).toEqual([undefined, 'number'])
      other.close()
    })

    it('returns the requested metrics only', async () => {
      const none = {
        processMetrics: false,
        connectionMetrics: false,
        bandwidthMetrics: false,
        consensusMetrics: false,
        storageMetrics: false,
        customMetrics: false,
      }
      const metrics = await client.call('getMetrics', { ...none, connectionMetrics: true, consensusMetrics: true })
      const present = Object.entries(metrics).filter(([, value]) => value !== undefined)
      expect(present.map(([name]) => name).sort()).toEqual(['connectionMetrics', 'consensusMetrics', 'serverTime'])
      expect(metrics.consensusMetrics?.networkVirtualDaaScore).toBe(
        (await client.call('getServerInfo', {})).virtualDaaScore,
      )
    })

    it('estimates 100 sompi per gram in every fee bucket while the mempool is idle', async () => {
      await node.mine(2)
      const { estimate } = await client.call('getFeeEstimate', {})
      const buckets = [estimate.priorityBucket, ...estimate.normalBuckets, ...estimate.lowBuckets]
      expect(buckets.map(({ feerate }) => feerate)).toEqual([100, 100, 100, 100])
      expect(buckets.every(({ estimatedSeconds }) => estimatedSeconds > 0 && estimatedSeconds < 0.001)).toBe(true)
    })

    it('estimates timestamps of DAA scores in the order of the request', async () => {
      const { virtualDaaScore } = await client.call('getServerInfo', {})
      const daaScores = [virtualDaaScore + 1_000n, virtualDaaScore + 10n]
      const { timestamps } = await client.call('getDaaScoreTimestampEstimate', { daaScores })
      expect((timestamps[0] ?? 0n) - (timestamps[1] ?? 0n)).toBe(99_000n)
      expect(await client.call('getDaaScoreTimestampEstimate', { daaScores: [] })).toEqual({ timestamps: [] })
    })
  })
}
