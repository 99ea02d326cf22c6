import { afterEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode, type DevnodeOptions } from '../../src/devnode/index.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { connect, type TestClient } from '../contract/node/support/client.js'

const KAS = 100_000_000n

let opened: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()))
  opened = []
})

const track = <T extends { close(): unknown }>(one: T): T => {
  opened.push(one)
  return one
}
const open = async (options: DevnodeOptions = {}): Promise<Devnode> =>
  track(await createDevnode({ blockInterval: 0, accounts: 2, ...options }))
const clientOf = async ({ urls }: Devnode): Promise<TestClient> => track(await connect(urls.borsh, createBorshCodec()))
const sinkOf = ({ expected }: Devnode): string => expected.chain().at(-1) ?? ''

const chainFrom = async (client: TestClient, startHash: string) =>
  client.call('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: false })

describe('fork', () => {
  it('shares the history and mines other blocks, also at the same time of a fixed clock', async () => {
    const devnode = await open({ now: () => 1_800_000_000_000 })
    await devnode.mine(3)
    const fork = track(await devnode.fork())
    expect(fork.expected.chain()).toEqual(devnode.expected.chain())
    const [own] = await devnode.mine()
    const [other] = await fork.mine()
    const [third] = await track(await devnode.fork()).mine()
    expect(new Set([own, other, third]).size).toBe(3)
    expect(fork.urls.borsh).not.toBe(devnode.urls.borsh)
  })

  it('starts behind with a snapshot', async () => {
    const devnode = await open()
    const [, second] = await devnode.mine(2)
    const snapshot = devnode.snapshot()
    const [third = ''] = await devnode.mine()
    const fork = track(await devnode.fork({ snapshot }))
    expect(sinkOf(fork)).toBe(second)
    await expect(chainFrom(await clientOf(fork), third)).rejects.toThrow(`cannot find header ${third}`)
    await expect(devnode.fork({ snapshot: 7 })).rejects.toThrow('There is no snapshot 7')
  })
})

describe('sync', () => {
  it('reorganises to the heavier branch of the other node, and keeps its own where that is heavier', async () => {
    const devnode = await open()
    await devnode.mine(2)
    const fork = track(await devnode.fork())
    const own = await devnode.mine(2)
    const others = await fork.mine(4)
    const client = await clientOf(devnode)
    await client.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })

    expect(await fork.sync(devnode)).toEqual({ removed: [], added: [] })
    expect(await devnode.sync(fork)).toEqual({ removed: [...own].reverse(), added: others })
    const { removedChainBlockHashes, addedChainBlockHashes } = (await client.waitFor('virtual-chain-changed')).data
    expect([removedChainBlockHashes, addedChainBlockHashes]).toEqual([[...own].reverse(), others])
    expect(devnode.expected.utxos()).toEqual(expect.arrayContaining([...fork.expected.utxos()]))
  })

  it('accepts a double spend on the branch that wins, and payments that no consensus rule of a miner allows', async () => {
    const devnode = await open()
    const [alice, bob] = devnode.accounts
    const fork = track(await devnode.fork())
    const lost = await devnode.fund(alice!.address, KAS) // both spend the faucet's only UTXO
    const won = await fork.fund(bob!.address, 2n * KAS)
    await fork.fund(bob!.address, 7n, { coinbase: true }) // another subsidy than the network's
    await fork.mine(2)
    await devnode.sync(fork)
    const accepted = devnode.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds)
    expect([accepted.includes(won), accepted.includes(lost)]).toEqual([true, false])
    expect(devnode.expected.balances([bob!.address])).toEqual(fork.expected.balances([bob!.address]))
  })

  it('takes a number of blocks, and headers without bodies as in IBD: every known block seems to be removed', async () => {
    const devnode = await open()
    const snapshot = devnode.snapshot()
    const mined = await devnode.mine(5)
    const behind = track(await devnode.fork({ snapshot }))
    await behind.sync(devnode, { headersOnly: true })
    const client = await clientOf(behind)
    expect(await chainFrom(client, mined[4]!)).toMatchObject({
      removedChainBlockHashes: [...mined].reverse(),
      addedChainBlockHashes: [],
    })
    expect((await client.call('getSink', {})).sink).toBe(devnode.expected.chain()[0])
    expect(await client.call('getBlockCount', {})).toEqual({ blockCount: 0n, headerCount: 4n })
    await behind.sync(devnode, { blocks: 3 })
    expect((await chainFrom(client, mined[4]!)).removedChainBlockHashes).toEqual([mined[4], mined[3]])
    await behind.sync(devnode)
    expect(behind.expected.chain()).toEqual(devnode.expected.chain())
    expect((await chainFrom(client, mined[4]!)).removedChainBlockHashes).toEqual([])
  })

  it('does not merge a branch that the peer has abandoned', async () => {
    const devnode = await open()
    const [alice] = devnode.accounts
    const fork = track(await devnode.fork())
    const dropped = await devnode.fund(alice!.address, KAS)
    await fork.sync(devnode)
    await devnode.reorg({ depth: 1, drop: [dropped] })
    await fork.sync(devnode)
    await fork.mine(2)
    const accepted = fork.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds)
    expect(accepted).not.toContain(dropped)
  })

  it('rejects a node of another network', async () => {
    const [devnode, stranger] = [await open(), await open()]
    await expect(devnode.sync(stranger)).rejects.toThrow('The peer is a node of another network')
  })
})

describe('restart with a snapshot', () => {
  it('restores an older state without notifying the clients that were connected', async () => {
    const devnode = await open()
    await devnode.mine(2)
    const snapshot = devnode.snapshot()
    const [, , lost = ''] = await devnode.mine(3)
    const before = await clientOf(devnode)
    await before.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: false })
    await devnode.restart({ snapshot })
    expect(devnode.expected.chain()).toHaveLength(3)
    expect(before.notifications).toEqual([])
    await expect(chainFrom(await clientOf(devnode), lost)).rejects.toThrow(`cannot find header ${lost}`)
  })
})

describe('prune', () => {
  it('removes history below the pruning point with the errors of the node', async () => {
    const devnode = await open()
    const mined = await devnode.mine(10)
    devnode.prune({ depth: 3, headers: 2 })
    const client = await clientOf(devnode)
    const [unknown = '', header = '', root = ''] = [mined[1], mined[5], mined[6]]
    await expect(chainFrom(client, unknown)).rejects.toThrow(`cannot find header ${unknown}`)
    await expect(chainFrom(client, header)).rejects.toThrow(
      'the queried hash does not have retention root on its chain',
    )
    expect((await chainFrom(client, root)).addedChainBlockHashes).toEqual(mined.slice(7))
    await expect(client.call('getBlock', { hash: unknown, includeTransactions: false })).rejects.toThrow('cannot find')
    const { block } = await client.call('getBlock', { hash: header, includeTransactions: true })
    expect([block.transactions, block.verboseData?.isHeaderOnly]).toEqual([[], true])
    expect((await client.call('getBlockDagInfo', {})).pruningPointHash).toBe(root)
    await devnode.mine()
    expect(devnode.expected.chain()).toHaveLength(12)
  })

  it('reports no retention root for a branch that left the chain below it', async () => {
    const devnode = await open()
    const [first = ''] = await devnode.mine()
    await devnode.reorg({ depth: 1, drop: ['00'.repeat(32)] })
    await devnode.mine(5)
    devnode.prune({ depth: 2 })
    await expect(chainFrom(await clientOf(devnode), first)).rejects.toThrow('retention root')
  })

  it('rejects a depth beyond the chain', async () => {
    const devnode = await open()
    expect(() => devnode.prune({ depth: 1 })).toThrow('Pruning keeps 0 to 0 blocks, not 1')
  })
})

describe('a non-standard script in a coinbase', () => {
  it('fails every V2 page that has the block that accepts it, at Low and above', async () => {
    const devnode = await open()
    await devnode.mine(1, { script: '51' })
    await devnode.mine() // its coinbase pays the miner of the block before
    await devnode.mine() // accepts that coinbase
    await devnode.mine()
    const client = await clientOf(devnode)
    const [genesis = '', first = '', second = '', third = '', fourth] = devnode.expected.chain()
    const from = (startHash: string, dataVerbosityLevel: 'None' | 'Low' | 'High' | 'Full') =>
      client.call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel })
    for (const level of ['Low', 'High', 'Full'] as const) {
      await expect(from(genesis, level)).rejects.toThrow('The address is invalid')
      await expect(from(second, level)).rejects.toThrow('The address is invalid')
      expect((await from(third, level)).addedChainBlockHashes).toEqual([fourth])
    }
    expect((await from(genesis, 'None')).addedChainBlockHashes).toEqual([first, second, third, fourth])
    await expect(devnode.mine(1, { script: '5' })).rejects.toThrow('The script is invalid')
  })
})

describe('expected.transfers', () => {
  it('has credits and debits of the chain up to the sink, whose sums are the UTXO set that the sink has', async () => {
    const devnode = await open()
    const [alice, bob] = devnode.accounts
    await devnode.fund(alice!.address, 5n * KAS)
    await devnode.fund(bob!.address, 3n * KAS)
    await devnode.mine()
    const transfers = devnode.expected.transfers([alice!.address, bob!.address])
    expect(transfers.map(({ direction, address, amount }) => [direction, address, amount])).toEqual([
      ['credit', alice!.address, 5n * KAS],
      ['credit', bob!.address, 3n * KAS],
    ])
    expect(transfers.map(({ acceptingBlockHash }) => acceptingBlockHash)).toEqual(devnode.expected.chain().slice(2))
    const all = devnode.expected.transfers()
    const spent = new Set(all.filter(({ direction }) => direction === 'debit').map(({ outpoint }) => outpoint))
    expect(spent.size).toBe(2) // the faucet's
  })
})
