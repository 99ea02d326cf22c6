import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import type { ChainRestBlock } from '../../../src/rest/records/blocks.js'
import type { ChainRestVcBlock } from '../../../src/rest/records/virtual-chain.js'
import { openTarget, type Target } from './target.js'

const UNKNOWN = 'ab'.repeat(32)

const target: Target = await openTarget()
const { rest } = target

afterAll(() => target.close())

/** What the sentences speak of: a stretch of the chain that is a little behind the tip, and an address in it. */
interface Scene {
  readonly blocks: readonly ChainRestVcBlock[]
  readonly accepting: ChainRestVcBlock
  readonly transactionId: string
  readonly address: string
}

/** An endpoint that a server may have switched off says so in words; whatever else goes wrong is an error of the test. */
async function unlessSwitchedOff<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ChainRestError && (error.status === 503 || error.status === 404)) return undefined
    throw error
  }
}

/**
 * How far behind the tip the stretch may begin, in blue scores: a minute of a busy network, so that no reorg takes back
 * meanwhile what the sentences speak of; further where the indexer is behind its node, nearer where little is mined.
 */
const DISTANCES = [600, 6_000, 60, 10]

async function openScene(): Promise<Scene> {
  const { blueScore } = await rest.getVirtualSelectedParentBlueScore()
  for (const distance of DISTANCES) {
    const scene = await lookAt(Math.max(blueScore - (blueScore % 10) - distance, 0))
    if (scene !== undefined) return scene
  }
  throw new Error('The indexer has accepted nothing near the tip of its node')
}

async function lookAt(blueScoreGte: number): Promise<Scene | undefined> {
  const blocks = await rest.getVirtualChain({ blueScoreGte })
  const paid = blocks.flatMap((accepting) =>
    (accepting.transactions ?? []).map(({ transaction_id, inputs = [], outputs: [output] = [] }) => ({
      blocks,
      accepting,
      transactionId: transaction_id,
      address: output?.script_public_key_address ?? '',
      isCoinbase: inputs.length === 0,
    })),
  )
  // who is paid by coinbases is a pool, and may hold more than a server cares to list
  const found = paid.filter(({ address }) => address !== '')
  return found.find(({ isCoinbase }) => !isCoinbase) ?? found[0]
}

const isNothing = (found: readonly unknown[] | undefined): boolean => found === undefined || found.length === 0

describe(`a REST server (${target.name})`, { timeout: target.patience }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  }, target.patience)

  it('knows its network, its tip and its supply', async () => {
    const dag = await rest.getBlockDag()
    expect(dag.networkName).toMatch(/^kaspa-/)
    expect(Number(dag.virtualDaaScore)).toBeGreaterThan(0)
    const { circulatingSupply, maxSupply } = await rest.getCoinSupply()
    expect(BigInt(circulatingSupply)).toBeLessThan(BigInt(maxSupply))
    expect(Number(await rest.getCirculatingCoins())).toBeGreaterThan(0)
    expect(await rest.getHealth()).toMatchObject({ chaindServers: expect.any(Array) as unknown[] })
    expect((await rest.getChaindInfo()).serverVersion).toMatch(/^\d+\.\d+/)
    expect((await rest.getFeeEstimate()).priorityBucket.feerate).toBeGreaterThanOrEqual(0)
    expect((await rest.getHashrate()).hashrate).toBeGreaterThan(0)
  })

  it('tells the chain by rising blue score', () => {
    const scores = scene.blocks.map(({ blue_score }) => blue_score)
    expect(scores).toEqual([...scores].sort((left, right) => left - right))
  })

  it('knows a block of the chain, with and without its transactions', async () => {
    const block = await rest.getBlock(scene.accepting.hash, { includeTransactions: true })
    expect(block.verboseData.hash).toBe(scene.accepting.hash)
    expect(block.header.blueScore).toBe(String(scene.accepting.blue_score))
    const bare: ChainRestBlock = await rest.getBlock(scene.accepting.hash, { includeTransactions: false })
    expect(bare.transactions).toBeUndefined()
  })

  it('lists blocks from one of them on, itself the first', async () => {
    const { blockHashes } = await rest.getBlocks({ lowHash: scene.accepting.hash })
    expect(blockHashes?.[0]).toBe(scene.accepting.hash)
    expect(await rest.getBlocks({ lowHash: UNKNOWN })).toEqual({ blockHashes: [], blocks: [] })
  })

  it('finds blocks by blue score, one way at a time', async () => {
    const found = await rest.getBlocksFromBlueScore({ blueScore: scene.accepting.blue_score })
    expect(found.every(({ header }) => header.blueScore === String(scene.accepting.blue_score))).toBe(true)
  })

  it('knows an accepted transaction, however it is asked for', async () => {
    const { transactionId, accepting } = scene
    const [byId, [bySearch], [acceptance]] = await Promise.all([
      rest.getTransaction(transactionId),
      rest.searchTransactions({ transactionIds: [transactionId] }),
      rest.getTransactionAcceptance([transactionId]),
    ])
    expect(byId).toMatchObject({ transactionId, is_accepted: true, acceptingBlockHash: accepting.hash })
    expect(bySearch).toMatchObject({ transactionId, acceptingBlockHash: accepting.hash })
    expect(acceptance).toMatchObject({ transactionId, accepted: true, acceptingBlockHash: accepting.hash })
  })

  it('says null for a transaction that nobody knows, and leaves it out of a search', async () => {
    expect(await rest.getTransaction(UNKNOWN)).toBeNull()
    expect(await rest.searchTransactions({ transactionIds: [UNKNOWN] })).toEqual([])
    expect(await rest.getTransactionAcceptance([UNKNOWN])).toMatchObject([{ transactionId: UNKNOWN, accepted: false }])
  })

  it('does not know a block that is none', async () => {
    await expect(rest.getBlock(UNKNOWN)).rejects.toMatchObject({ code: 'http', status: 404 })
  })

  it('tells what an address holds, alone and among others', async () => {
    const { address } = scene
    const one = await rest.getAddressBalance(address, { forceRefresh: true })
    const [same] = await rest.getBalancesByAddresses([address], { forceRefresh: true })
    expect(one.address).toBe(address)
    expect(same?.address).toBe(address)
    expect(one.balance).toBe(Number(one.balanceExact))
  })

  it('lists what an address can spend, or says that it is too much', async () => {
    const { count } = await rest.getUtxoCountByAddress(scene.address)
    const listed = await rest.getUtxosByAddress(scene.address).catch((error: unknown) => error)
    if (listed instanceof ChainRestError) expect(listed.code).toBe('too-many')
    else {
      const entries = listed as Awaited<ReturnType<typeof rest.getUtxosByAddress>>
      expect(entries.every(({ address }) => address === scene.address)).toBe(true)
      expect(entries.every(({ utxoEntry }) => BigInt(utxoEntry.amount ?? 0) > 0n)).toBe(true)
    }
    expect(count).toBeGreaterThanOrEqual(0)
  })

  it('knows nothing of an address that nobody ever used', async () => {
    const { stranger: address } = target
    expect(await rest.getAddressBalance(address)).toEqual({ address, balance: 0, balanceExact: 0n })
    expect(await rest.getUtxoCountByAddress(address)).toEqual({ count: 0 })
    expect(await rest.getUtxosByAddress(address)).toEqual([])
    expect(await rest.getUtxosByAddresses([address])).toEqual([])
    expect(await rest.getAddressTransactionCount(address)).toEqual({ total: 0 })
    expect(await rest.getFullTransactionsByAddress(address)).toEqual([])
    expect(await rest.getFullTransactionsByAddressPage(address)).toEqual([])
    expect(await rest.getAddressesActive([address])).toMatchObject([{ address, active: false }])
    await expect(rest.getAddressName(address)).rejects.toMatchObject({ status: 404 })
    expect(await unlessSwitchedOff(rest.getAddressBalanceHistory(address, '2024-11'))).toSatisfy(isNothing)
  })

  it('weighs nothing of which it does not know what it spends', async () => {
    const transaction = {
      version: 0,
      inputs: [
        { previousOutpoint: { transactionId: UNKNOWN, index: 0 }, signatureScript: '', sequence: 0, sigOpCount: 1 },
      ],
      outputs: [{ amount: 1, scriptPublicKey: { version: 0, scriptPublicKey: `20${UNKNOWN}ac` } }],
    }
    await expect(rest.calculateTransactionMass(transaction)).rejects.toMatchObject({ code: 'http', status: 404 })
  })

  it('knows what a block pays, and when that falls', async () => {
    expect((await rest.getBlockReward()).blockreward).toBeGreaterThan(0)
    expect(Number(await rest.getBlockReward({ stringOnly: true }))).toBeGreaterThan(0)
    const next = await rest.getHalving()
    expect(next.nextHalvingTimestamp).toBeGreaterThan(1_600_000_000) // seconds
    expect(await rest.getHalving('nextHalvingDate')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  })

  it('lists the transactions of an address, newest first, page after page', async () => {
    const { address } = scene
    const { total } = await rest.getAddressTransactionCount(address)
    expect(total).toBeGreaterThan(0)
    const times: number[] = []
    let pages = 0
    for await (const page of rest.getFullTransactionsByAddressPages(address, { limit: 3 })) {
      times.push(...page.map(({ block_time = 0 }) => block_time))
      if (++pages === 4) break
    }
    expect(times.length).toBeGreaterThan(0)
    expect(times).toEqual([...times].sort((left, right) => right - left))
  })

  it('refuses what cannot be read, with its reasons', async () => {
    await expect(rest.request('GET', '/blocks', { query: { lowHash: 'abc' } })).rejects.toMatchObject({
      status: 422,
      body: { detail: [expect.objectContaining({ loc: ['query', 'lowHash'] })] },
    })
    await expect(rest.request('GET', '/nowhere')).rejects.toMatchObject({
      status: 404,
      hint: 'The server has no such route: check baseUrl.',
    })
  })

  it('answers what it may have switched off, or says that it has', async () => {
    const counts = await unlessSwitchedOff(rest.getTransactionsCount())
    if (counts !== undefined) expect(counts.regular).toBeGreaterThanOrEqual(0)
    const top = await unlessSwitchedOff(rest.getTopAddresses())
    if (top?.[0] !== undefined) expect(top[0].ranking.map(({ rank }) => rank).slice(0, 1)).toEqual([0])
    const history = await unlessSwitchedOff(rest.getHashrateHistory({ resolution: '1d' }))
    if (history !== undefined) expect(history).toBeInstanceOf(Array)
    const chain = await unlessSwitchedOff(rest.getVirtualChainFromBlock(scene.accepting.hash))
    if (chain !== undefined) expect(chain.removedChainBlockHashes).toEqual([])
  })
})
