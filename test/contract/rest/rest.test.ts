import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import type { ChainRestBlock } from '../../../src/rest/records/blocks.js'
import type { ChainRestVcBlock } from '../../../src/rest/records/acceptance.js'
import { RELAYABLE } from '../../relayable-transaction.js'
import { openTarget, type Target } from './target.js'

const UNKNOWN = 'ab'.repeat(32)

const target: Target = await openTarget()
const { rest } = target

afterAll(() => target.close())

/** A range of the chain behind the tip, with a transaction and an address in it. */
interface Sample {
  readonly blocks: readonly ChainRestVcBlock[]
  readonly accepting: ChainRestVcBlock
  readonly transactionId: string
  readonly address: string
}

/** Ignores the error of a disabled endpoint; every other error fails the test. */
async function unlessDisabled<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ChainRestError && (error.status === 503 || error.status === 404)) return undefined
    throw error
  }
}

/**
 * Distances behind the tip in blue scores: a minute of a busy network, so that no reorg reverts the sample during the
 * tests; further where the indexer is behind its node, nearer on a short chain.
 */
const DISTANCES = [600, 6_000, 60, 10]

async function openSample(): Promise<Sample> {
  const { blueScore } = await rest.getVirtualSelectedParentBlueScore()
  for (const distance of DISTANCES) {
    const sample = await findSample(Math.max(blueScore - (blueScore % 10) - distance, 0))
    if (sample !== undefined) return sample
  }
  throw new Error('The indexer has accepted nothing near the tip of its node')
}

async function findSample(blueScoreGte: number): Promise<Sample | undefined> {
  const blocks = await rest.getVirtualChain({ blueScoreGte })
  const outputs = blocks.flatMap((accepting) =>
    (accepting.transactions ?? []).map(({ transaction_id, inputs = [], outputs: [output] = [] }) => ({
      blocks,
      accepting,
      transactionId: transaction_id,
      address: output?.script_public_key_address ?? '',
      isCoinbase: inputs.length === 0,
    })),
  )
  // a coinbase address is a pool, which may have more UTXOs than a server lists
  const found = outputs.filter(({ address }) => address !== '')
  return found.find(({ isCoinbase }) => !isCoinbase) ?? found[0]
}

const isNothing = (found: readonly unknown[] | undefined): boolean => found === undefined || found.length === 0

describe(`a REST server (${target.name})`, () => {
  let sample: Sample
  beforeAll(async () => {
    sample = await openSample()
  })

  it('returns network, tip and supply', async () => {
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

  it('lists the chain by ascending blue score', () => {
    const scores = sample.blocks.map(({ blue_score }) => blue_score)
    expect(scores).toEqual([...scores].sort((left, right) => left - right))
  })

  it('returns a chain block with and without transactions', async () => {
    const block = await rest.getBlock(sample.accepting.hash, { includeTransactions: true })
    expect(block.verboseData.hash).toBe(sample.accepting.hash)
    expect(block.header.blueScore).toBe(String(sample.accepting.blue_score))
    const bare: ChainRestBlock = await rest.getBlock(sample.accepting.hash, { includeTransactions: false })
    expect(bare.transactions).toBeUndefined()
  })

  it('lists blocks from a given block, including it', async () => {
    const { blockHashes } = await rest.getBlocks({ lowHash: sample.accepting.hash })
    expect(blockHashes?.[0]).toBe(sample.accepting.hash)
    expect(await rest.getBlocks({ lowHash: UNKNOWN })).toEqual({ blockHashes: [], blocks: [] })
  })

  it('finds blocks by blue score', async () => {
    const found = await rest.getBlocksFromBlueScore({ blueScore: sample.accepting.blue_score })
    expect(found.every(({ header }) => header.blueScore === String(sample.accepting.blue_score))).toBe(true)
  })

  it('returns an accepted transaction from every endpoint', async () => {
    const { transactionId, accepting } = sample
    const [byId, [bySearch], [acceptance]] = await Promise.all([
      rest.getTransaction(transactionId),
      rest.searchTransactions({ transactionIds: [transactionId] }),
      rest.getTransactionAcceptance([transactionId]),
    ])
    expect(byId).toMatchObject({ transactionId, is_accepted: true, acceptingBlockHash: accepting.hash })
    expect(bySearch).toMatchObject({ transactionId, acceptingBlockHash: accepting.hash })
    expect(acceptance).toMatchObject({ transactionId, accepted: true, acceptingBlockHash: accepting.hash })
  })

  it('returns null for an unknown transaction, and omits it from a search', async () => {
    expect(await rest.getTransaction(UNKNOWN)).toBeNull()
    expect(await rest.searchTransactions({ transactionIds: [UNKNOWN] })).toEqual([])
    expect(await rest.getTransactionAcceptance([UNKNOWN])).toMatchObject([{ transactionId: UNKNOWN, accepted: false }])
  })

  it('rejects an unknown block', async () => {
    await expect(rest.getBlock(UNKNOWN)).rejects.toMatchObject({ code: 'http', status: 404 })
  })

  it('returns the balance of an address, alone and in a list', async () => {
    const { address } = sample
    const one = await rest.getAddressBalance(address, { forceRefresh: true })
    const [same] = await rest.getBalancesByAddresses([address], { forceRefresh: true })
    expect(one.address).toBe(address)
    expect(same?.address).toBe(address)
    expect(one.balance).toBe(Number(one.balanceExact))
  })

  it('lists the UTXOs of an address, or rejects with too-many', async () => {
    const { count } = await rest.getUtxoCountByAddress(sample.address)
    const listed = await rest.getUtxosByAddress(sample.address).catch((error: unknown) => error)
    if (listed instanceof ChainRestError) expect(listed.code).toBe('too-many')
    else {
      const entries = listed as Awaited<ReturnType<typeof rest.getUtxosByAddress>>
      expect(entries.every(({ address }) => address === sample.address)).toBe(true)
      expect(entries.every(({ utxoEntry }) => BigInt(utxoEntry.amount ?? 0) > 0n)).toBe(true)
    }
    expect(count).toBeGreaterThanOrEqual(0)
  })

  it('returns empty results for an unused address', async () => {
    const { unusedAddress: address } = target
    expect(await rest.getAddressBalance(address)).toEqual({ address, balance: 0, balanceExact: 0n })
    expect(await rest.getUtxoCountByAddress(address)).toEqual({ count: 0 })
    expect(await rest.getUtxosByAddress(address)).toEqual([])
    expect(await rest.getUtxosByAddresses([address])).toEqual([])
    expect(await rest.getAddressTransactionCount(address)).toEqual({ total: 0 })
    expect(await rest.getFullTransactionsByAddress(address)).toEqual([])
    expect(await rest.getFullTransactionsByAddressPage(address)).toEqual([])
    expect(await rest.getAddressesActive([address])).toMatchObject([{ address, active: false }])
    await expect(rest.getAddressName(address)).rejects.toMatchObject({ status: 404 })
    expect(await unlessDisabled(rest.getAddressBalanceHistory(address, '2024-11'))).toSatisfy(isNothing)
  })

  it('rejects the mass of a transaction with unknown inputs', async () => {
    const transaction = {
      version: 0,
      inputs: [
        { previousOutpoint: { transactionId: UNKNOWN, index: 0 }, signatureScript: '', sequence: 0, sigOpCount: 1 },
      ],
      outputs: [{ amount: 1, scriptPublicKey: { version: 0, scriptPublicKey: `20${UNKNOWN}ac` } }],
    }
    await expect(rest.calculateTransactionMass(transaction)).rejects.toMatchObject({ code: 'http', status: 404 })
  })

  it('returns the block reward and the next halving', async () => {
    expect((await rest.getBlockReward()).blockreward).toBeGreaterThan(0)
    expect(Number(await rest.getBlockReward({ stringOnly: true }))).toBeGreaterThan(0)
    const next = await rest.getHalving()
    expect(next.nextHalvingTimestamp).toBeGreaterThan(1_600_000_000) // seconds
    expect(await rest.getHalving('nextHalvingDate')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  })

  it('pages the transactions of an address, newest first', async () => {
    const { address } = sample
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

  it('rejects invalid requests with details', async () => {
    await expect(rest.request('GET', '/blocks', { query: { lowHash: 'abc' } })).rejects.toMatchObject({
      status: 422,
      body: { detail: [expect.objectContaining({ loc: ['query', 'lowHash'] })] },
    })
    await expect(rest.request('GET', '/nowhere')).rejects.toMatchObject({
      status: 404,
      hint: 'The server has no such route: check baseUrl.',
    })
  })

  it('begins with the oldest transaction of an address after 0, and pages to the newest', async () => {
    const { address } = sample
    const { total } = await rest.getAddressTransactionCount(address)
    const ids = new Set<string | undefined>()
    let [newest, pages] = [0, 0]
    for await (const page of rest.getFullTransactionsByAddressPages(address, { after: 0, limit: 3 })) {
      const times = page.map(({ block_time = 0 }) => block_time)
      expect(times.at(-1)).toBeGreaterThan(newest)
      newest = times[0] ?? newest
      for (const { transactionId } of page) ids.add(transactionId)
      if (++pages === 20) break
    }
    expect(ids.size).toBeGreaterThanOrEqual(Math.min(total, 3))
    if (pages < 20) expect(ids.size).toBeGreaterThanOrEqual(total)
  })

  it('has the error shapes that hints depend on', async () => {
    const errorOf = (request: Promise<unknown>) => request.catch((error: unknown) => error)
    const wrongChecksum = `${sample.address.slice(0, -1)}${sample.address.endsWith('q') ? 'p' : 'q'}`
    expect(await errorOf(rest.request('GET', `/addresses/${wrongChecksum}/balance`))).toMatchObject({
      status: 400,
      body: { detail: `Invalid address: ${wrongChecksum}` },
    })
    expect(await errorOf(rest.request('GET', `/addresses/${sample.address}/utxos?x=1`))).toMatchObject({
      status: 422,
      body: { detail: [expect.objectContaining({ loc: ['query', 'x'] })] },
    })
    expect(await errorOf(rest.request('GET', `/transactions/${UNKNOWN}`))).toMatchObject({
      status: 404,
      body: { detail: 'Transaction not found' },
    })
    expect(await errorOf(rest.request('POST', '/info/blockdag'))).toMatchObject({
      status: 405,
      body: { detail: 'Method Not Allowed' },
    })
    expect(await errorOf(rest.request('POST', '/transactions', { body: { allowOrphan: false } }))).toMatchObject({
      status: 422,
      body: { detail: [expect.objectContaining({ loc: ['body', 'transaction'] })] },
    })
  })

  it('resolves with the node’s words for a transaction that it refuses', async () => {
    expect(await rest.submitTransaction(RELAYABLE)).toEqual({
      outcome: 'unknown',
      transactionId: expect.any(String),
      error: expect.stringMatching(/Rejected transaction [0-9a-f]{64}: transaction [0-9a-f]{64} is an orphan/),
    })
  })

  it('receives no request for a transaction that every node refuses', async () => {
    await expect(rest.submitTransaction({ version: 0, inputs: [], outputs: [] })).rejects.toMatchObject({
      code: 'invalid-argument',
      outcome: 'unsent',
      message: expect.stringContaining('was not sent: transaction has no inputs'),
    })
  })

  it('omits the extra fields of a block that were not requested', async () => {
    const { extra } = await rest.getBlock(sample.accepting.hash)
    expect(Object.values(extra ?? {})).not.toContain(null)
    expect(extra ?? {}).not.toHaveProperty('color')
  })

  it('responds on optional endpoints, or reports them as disabled', async () => {
    const counts = await unlessDisabled(rest.getTransactionsCount())
    if (counts !== undefined) expect(counts.regular).toBeGreaterThanOrEqual(0)
    const top = await unlessDisabled(rest.getTopAddresses())
    if (top?.[0] !== undefined) expect(top[0].ranking.map(({ rank }) => rank).slice(0, 1)).toEqual([0])
    const history = await unlessDisabled(rest.getHashrateHistory({ resolution: '1d' }))
    if (history !== undefined) expect(history).toBeInstanceOf(Array)
    const chain = await unlessDisabled(rest.getVirtualChainFromBlock(sample.accepting.hash))
    if (chain !== undefined) expect(chain.removedChainBlockHashes).toEqual([])
  })
})
