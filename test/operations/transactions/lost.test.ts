import { beforeAll, describe, expect, it } from 'vitest'
import { isInterrupted } from '../../../src/errors/interrupted.js'
import { ZERO_HASH } from '../../../src/model/hashing.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import type { RpcBlock, RpcResponse } from '../../../src/node/messages/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { KAS, alice, bob, coins } from './people.js'
import { createWorld, losing, refusing, type ScriptedWorld } from './world.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const SINK = 'aa'.repeat(32)
const settings = {
  entries: coins([30n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
  privateKeys: [alice.privateKey],
}

/** Where a transaction may be when its sender asks for it; nowhere: it never arrived. */
type Place = 'mempool' | 'accepted' | 'block' | 'nowhere'

/**
 * A node that takes a transaction, if it arrives, and whose first answers are lost. `places` says where the transaction is
 * at the first look for it, the second, … and the last for ever.
 */
function forgetfulNode(places: readonly Place[], lost = 1): { world: ScriptedWorld; sent: Transaction[] } {
  const sent: Transaction[] = []
  let looks = 0
  const at = (): Place => places[Math.min(looks, places.length) - 1] ?? 'nowhere'
  const lastId = (): string => sent.map(transactionId).at(-1) ?? ''
  const world = createWorld(sdk, {
    submitTransaction: ({ transaction }) => {
      sent.push(transaction)
      if (sent.length <= lost) return losing('submitTransaction')()
      return { transactionId: transactionId(transaction) }
    },
    getMempoolEntry: (request) => {
      looks++
      if (at() !== 'mempool') return refusing('getMempoolEntry', `Transaction ${request.transactionId} not found`)()
      return { mempoolEntry: { fee: 203_600n, isOrphan: false, transaction: sent.at(-1) ?? never() } }
    },
    getVirtualChainFromBlock: ({ startHash }) => chainAfter(startHash, at() === 'accepted' ? [lastId()] : []),
    getBlocks: () => ({ blockHashes: ['dd'.repeat(32)], blocks: [blockOf(at() === 'block' ? [lastId()] : [])] }),
  })
  return { world, sent }
}

/** Two pages of the chain after the sink, the second of which accepts `ids`; then nothing more. */
function chainAfter(startHash: string, ids: string[]): RpcResponse<'getVirtualChainFromBlock'> {
  const next = { [SINK]: 'bb'.repeat(32), ['bb'.repeat(32)]: 'cc'.repeat(32) }[startHash]
  const accepted = startHash === SINK ? [] : ids
  return {
    removedChainBlockHashes: [],
    addedChainBlockHashes: next === undefined ? [] : [next],
    acceptedTransactionIds: next === undefined ? [] : [{ acceptingBlockHash: next, acceptedTransactionIds: accepted }],
  }
}

/** A block that contains transactions of these ids. */
const blockOf = (transactionIds: readonly string[]): RpcBlock => ({
  header: {
    hash: 'dd'.repeat(32),
    version: 2,
    parentsByLevel: [],
    hashMerkleRoot: ZERO_HASH,
    acceptedIdMerkleRoot: ZERO_HASH,
    utxoCommitment: ZERO_HASH,
    timestamp: 0n,
    bits: 0,
    nonce: 0n,
    daaScore: 0n,
    blueWork: '0',
    blueScore: 0n,
    pruningPoint: ZERO_HASH,
  },
  transactions: [],
  verboseData: {
    hash: 'dd'.repeat(32),
    difficulty: 1,
    selectedParentHash: ZERO_HASH,
    transactionIds,
    isHeaderOnly: false,
    blueScore: 0n,
    childrenHashes: [],
    mergeSetBluesHashes: [],
    mergeSetRedsHashes: [],
    isChainBlock: false,
  },
})

describe('a payment whose answer is lost', () => {
  it.each<[string, Place[]]>([
    ['in the mempool', ['mempool']],
    ['accepted by the chain', ['accepted']],
    ['in a block that nothing has accepted yet', ['block']],
    ['there at the third look only', ['nowhere', 'nowhere', 'accepted']],
  ])('has gone through where the transaction is %s, and is not sent again', async (_, places) => {
    const { world, sent } = forgetfulNode(places)
    const { transactionIds } = await createTransactions(world).send(settings)
    expect(sent.map(transactionId)).toEqual(transactionIds)
    expect(world.held.size).toBe(1)
    expect(world.pauses.filter((ms) => ms === 1000)).toHaveLength(places.length - 1)
  })

  it('has not, where it is nowhere after five looks; its coin stays held until that lapses', async () => {
    const { world, sent } = forgetfulNode(['nowhere'])
    expect(await failure(createTransactions(world).send(settings))).toMatchObject({
      method: 'submitTransaction',
      code: 'connection-lost',
    })
    expect(world.calls.filter((method) => method === 'getMempoolEntry')).toHaveLength(5)
    expect(sent).toHaveLength(1)
    expect(world.held.size).toBe(1)
  })

  it('is looked for again before it is sent again', async () => {
    const { world, sent } = forgetfulNode(['nowhere', 'nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const { transactions } = await createTransactions(world).create(settings)
    const [pending] = transactions
    pending?.sign(settings.privateKeys)
    expect(await failure(pending?.submit() ?? never())).toMatchObject({ code: 'connection-lost' })
    expect(await pending?.submit()).toBe(pending?.id)
    expect(sent).toHaveLength(1)
  })

  it('is sent again, when asked to, where it is still nowhere', async () => {
    const { world, sent } = forgetfulNode(['nowhere'])
    const { transactions } = await createTransactions(world).create(settings)
    const [pending] = transactions
    pending?.sign(settings.privateKeys)
    await failure(pending?.submit() ?? never())
    expect(await pending?.submit()).toBe(pending?.id)
    expect(sent.map(transactionId)).toEqual([pending?.id, pending?.id])
  })

  it('can be resumed in the middle of a plan', async () => {
    const { world, sent } = forgetfulNode(['nowhere', 'nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const entries = coins(Array.from({ length: 100 }, () => KAS))
    const error = await failure(
      createTransactions(world).send({ ...settings, entries, outputs: [{ address: bob.address, amount: 95n * KAS }] }),
    )
    if (!isInterrupted(error)) throw new Error(String(error))
    expect(error.cause).toMatchObject({ code: 'connection-lost' })
    const ids = await error.resume()
    expect(sent.map(transactionId)).toEqual(ids)
  })

  it('waits for the connection, and ends where none is to come', async () => {
    const { world } = forgetfulNode(['mempool'])
    const forsaken = { ...world, whenConnected: losing('ping') }
    expect(await failure(createTransactions(forsaken).send(settings))).toMatchObject({ code: 'connection-lost' })
    expect(world.calls).not.toContain('getMempoolEntry')
  })

  it('is looked for in the mempool alone, where the node did not say where the chain stood', async () => {
    const { world } = forgetfulNode(['accepted'])
    const silent = {
      ...world,
      call: ((method, request) =>
        method === 'getSink' ? losing('getSink')() : world.call(method, request)) as typeof world.call,
    }
    expect(await failure(createTransactions(silent).send(settings))).toMatchObject({ code: 'connection-lost' })
    expect(world.calls).not.toContain('getVirtualChainFromBlock')
  })
})

function never(): never {
  throw new Error('there is a transaction')
}
