import type * as Kaspa from 'kaspa-wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'

/** The official SDK's own RPC client, which knows nothing of us: what it understands, others will. */
let kaspa: typeof Kaspa

beforeAll(async () => {
  Object.assign(globalThis, { WebSocket }) // it takes the surroundings' WebSocket, and Node 20 has none
  kaspa = (await import('kaspa-wasm')).default
})

const KAS = 100_000_000n

/** What the SDK calls each event. */
const EVENTS = [
  'block-added',
  'virtual-chain-changed',
  'utxos-changed',
  'sink-blue-score-changed',
  'virtual-daa-score-changed',
  'new-block-template',
] as const

interface SdkEvent {
  readonly type: string
  readonly data: Record<string, unknown>
}

describe.each(['Borsh', 'SerdeJson'] as const)("the SDK's RpcClient 0.15.2 in %s", (encoding) => {
  let devnode: Devnode
  let rpc: Kaspa.RpcClient

  beforeAll(async () => {
    devnode = await createDevnode({ blockInterval: 0, seed: 7 })
    const url = encoding === 'Borsh' ? devnode.urls.borsh : devnode.urls.json
    rpc = new kaspa.RpcClient({ url, encoding: kaspa.Encoding[encoding], networkId: 'simnet' })
    await rpc.connect({ strategy: kaspa.ConnectStrategy.Fallback })
  })
  afterAll(async () => {
    await rpc.disconnect()
    await devnode.close()
  })

  /** Collects what the client tells its listeners, and resolves when it is enough. */
  const listen = (isEnough: (heard: readonly SdkEvent[]) => boolean): Promise<readonly SdkEvent[]> =>
    new Promise((resolve) => {
      const heard: SdkEvent[] = []
      const note = (event: unknown) => {
        heard.push(event as SdkEvent)
        if (isEnough(heard)) resolve(heard)
      }
      for (const type of EVENTS) rpc.addEventListener(type, note)
    })

  /** It resolves its subscribing before the request leaves, so the node is asked until all addresses and scopes are placed. */
  const placed = async (scopes: number, addresses: number) => {
    const watched = () => {
      const subscriptions = devnode.connections()[0]?.subscriptions ?? []
      const utxos = subscriptions.find((scope) => scope.type === 'utxos-changed')
      return subscriptions.length === scopes && utxos?.addresses.length === addresses
    }
    while (!watched()) await rpc.ping()
  }

  it('reads who the node is', async () => {
    expect(await rpc.getServerInfo()).toMatchObject({
      networkId: 'simnet',
      hasUtxoIndex: true,
      isSynced: true,
      serverVersion: '2.1.0',
    })
    expect(await rpc.getBlockDagInfo()).toMatchObject({
      network: 'simnet',
      virtualDaaScore: devnode.truth.virtualDaaScore(),
    })
  })

  it('reads balances and coins', async () => {
    const [account] = devnode.accounts
    const { balance } = await rpc.getBalanceByAddress({ address: account!.address })
    expect(balance).toBe(1_000n * KAS)
    const { entries } = await rpc.getUtxosByAddresses([account!.address])
    expect(entries.map(({ amount }) => amount)).toEqual(
      devnode.truth.utxos([account!.address]).map(({ amount }) => amount),
    )
    expect(entries.every((entry) => entry.address?.toString() === account!.address)).toBe(true)
  })

  it('hears every event of a block that it subscribed to', async () => {
    await rpc.subscribeBlockAdded()
    await rpc.subscribeVirtualChainChanged(true)
    await rpc.subscribeUtxosChanged([devnode.accounts[1]!.address])
    await rpc.subscribeSinkBlueScoreChanged()
    await rpc.subscribeVirtualDaaScoreChanged()
    await rpc.subscribeNewBlockTemplate()
    await placed(EVENTS.length, 1)
    const heard = listen((events) => EVENTS.every((type) => events.some((event) => event.type === type)))
    await devnode.fund(devnode.accounts[1]!.address, 5n * KAS)
    const events = await heard
    const utxos = events.find(({ type }) => type === 'utxos-changed')?.data as { added: Kaspa.UtxoEntryReference[] }
    expect(utxos.added.map(({ amount }) => amount)).toEqual([5n * KAS])
    expect(events.find(({ type }) => type === 'virtual-daa-score-changed')?.data).toEqual({
      virtualDaaScore: devnode.truth.virtualDaaScore(),
    })
  })

  it('pays, and sees the payment arrive', async () => {
    const [payer, , payee] = devnode.accounts
    await rpc.subscribeUtxosChanged([payee!.address])
    await placed(EVENTS.length, 2)
    const { entries } = await rpc.getUtxosByAddresses([payer!.address])
    const { transactions } = await kaspa.createTransactions({
      entries,
      outputs: [{ address: payee!.address, amount: 12n * KAS + KAS / 2n }],
      changeAddress: payer!.address,
      priorityFee: 400_000n, // by itself it would pay 1 sompi a gram, which no node takes since 2.0
      networkId: 'simnet',
    })
    const [pending] = transactions
    pending!.sign([payer!.privateKeyHex])
    const arrived = listen((events) =>
      events.some(({ type, data }) => type === 'utxos-changed' && addedTo(data, payee!.address)),
    )
    const transactionId = await pending!.submit(rpc)
    expect(devnode.truth.mempool()).toEqual([transactionId])
    await devnode.mine(2)
    await arrived
    expect((await rpc.getBalanceByAddress({ address: payee!.address })).balance).toBe(1_012n * KAS + KAS / 2n)
    expect(devnode.truth.accepted().flatMap((one) => one.acceptedTransactionIds)).toContain(transactionId)
  })

  it("is refused in the node's own words", async () => {
    const hash = 'ee'.repeat(32)
    await expect(rpc.getBlock({ hash, includeTransactions: false })).rejects.toThrow(`cannot find header ${hash}`)
  })
})

const addedTo = (data: Record<string, unknown>, address: string): boolean =>
  (data.added as Kaspa.UtxoEntryReference[]).some((entry) => entry.address?.toString() === address)
