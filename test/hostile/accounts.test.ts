import { afterEach, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { KAS } from '../operations/transactions/accounts.js'
import { chainOf, chainResponders, hashOf } from './hostile-chain.js'
import { ENCODINGS, startWireNode, type WireNode } from '../wire-node.js'

const [{ kpub }] = vectors as unknown as readonly [{ readonly kpub: string }]

describe.each(ENCODINGS)('S4 a node that reports a UTXO at every address, %s', (encoding) => {
  let node: WireNode
  let engine: ChainEngine

  afterEach(async () => {
    await engine.dispose()
    await node.close()
  })

  it('lets an account follow one gap more, and its next address stays', async () => {
    const chain = chainOf(40)
    const faked = (address: string): UtxoEntry =>
      fixtures.utxo({ address, outpoint: { transactionId: hashOf(address.slice(-30)), index: 0 }, amount: KAS })
    const claimed: string[] = []
    const honest = chainResponders(() => chain)
    const lie = chain[20]! // deep enough, as the node says that it accepts them
    let reads = 0
    node = await startWireNode(encoding, {
      ...honest,
      getMempoolEntry: () => {
        throw new Error('Transaction not found in the mempool')
      },
      getVirtualChainFromBlock: () => ({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [lie.hash],
        acceptedTransactionIds: [{ acceptingBlockHash: lie.hash, acceptedTransactionIds: [...new Set(claimed)] }],
      }),
      getUtxosByAddresses: ({ addresses }) => {
        claimed.push(...addresses.map((address) => faked(address).outpoint.transactionId))
        return { entries: addresses.map(faked) }
      },
      getBlock: (request) => {
        const { block } = honest.getBlock(request)
        if (request.hash !== lie.hash || block.verboseData === undefined) return { block }
        if (request.includeTransactions) reads++
        // it merges itself, and has ids without what they are the hash of
        const verboseData = { ...block.verboseData, mergeSetBluesHashes: [lie.hash], transactionIds: claimed }
        return { block: { ...block, verboseData } }
      },
    })
    engine = createChainEngine({ network: 'simnet', encoding, resolver: false, url: node.url() })
    await engine.connection.connect()
    const account = await engine.accounts.fromExtendedPublicKey(kpub, { startIndex: 7 })
    const followed: number[] = []
    const subscription = account.addresses$.subscribe((addresses) => followed.push(addresses.length))
    await expect.poll(() => followed.at(-1)).toBe(80)
    await expect.poll(() => reads).toBeGreaterThan(7)
    expect(followed.at(-1)).toBe(80)
    expect(await account.next()).toMatchObject({ index: 7 })
    subscription.unsubscribe()
  })
})
