import type * as Kaspa from 'kaspa-wasm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'

/** The official SDK's RPC client, an independent implementation of the protocol. */
let kaspa: typeof Kaspa

beforeAll(async () => {
  vi.stubGlobal('WebSocket', WebSocket) // the SDK uses the global WebSocket, which Node 20 does not have
  kaspa = (await import('kaspa-wasm')).default
})

afterAll(() => void vi.unstubAllGlobals())

const KAS = 100_000_000n

/** The SDK's event names. */
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

  /** Collects the client's events until `isComplete` holds. */
  const receive = (isComplete: (received: readonly SdkEvent[]) => boolean): Promise<readonly SdkEvent[]> =>
    new Promise((resolve) => {
      const received: SdkEvent[] = []
      const handler = (event: unknown) => {
        received.push(event as SdkEvent)
        if (isComplete(received)) resolve(received)
      }
      for (const type of EVENTS) rpc.addEventListener(type, handler)
    })

  /** Polls the node until subscriptions are placed: the client resolves before it sends the request. */
  const placed = async (scopes: number, addresses: number) => {
    const watched = () => {
      const subscriptions = devnode.connections()[0]?.subscriptions ?? []
      const utxos = subscriptions.find((scope) => scope.type === 'utxos-changed')
      return subscriptions.length === scopes && utxos?.addresses.length === addresses
    }
    while (!watched()) await rpc.ping()
  }

  it('reads server info and DAG info', async () => {
    expect(await rpc.getServerInfo()).toMatchObject({
      networkId: 'simnet',
      hasUtxoIndex: true,
      isSynced: true,
      serverVersion: '2.1.0',
    })
    expect(await rpc.getBlockDagInfo()).toMatchObject({
      network: 'simnet',
      virtualDaaScore: devnode.expected.virtualDaaScore(),
    })
  })

  it('reads balances and UTXOs', async () => {
    const [account] = devnode.accounts
    const { balance } = await rpc.getBalanceByAddress({ address: account!.address })
    expect(balance).toBe(1_000n * KAS)
    const { entries } = await rpc.getUtxosByAddresses([account!.address])
    expect(entries.map(({ amount }) => amount)).toEqual(
      devnode.expected.utxos([account!.address]).map(({ amount }) => amount),
    )
    expect(entries.every((entry) => entry.address?.toString() === account!.address)).toBe(true)
  })

  it('receives every subscribed event of a block', async () => {
    await rpc.subscribeBlockAdded()
    await rpc.subscribeVirtualChainChanged(true)
    await rpc.subscribeUtxosChanged([devnode.accounts[1]!.address])
    await rpc.subscribeSinkBlueScoreChanged()
    await rpc.subscribeVirtualDaaScoreChanged()
    await rpc.subscribeNewBlockTemplate()
    await placed(EVENTS.length, 1)
    const received = receive((events) => EVENTS.every((type) => events.some((event) => event.type === type)))
    await devnode.fund(devnode.accounts[1]!.address, 5n * KAS)
    const events = await received
    const utxos = events.find(({ type }) => type === 'utxos-changed')?.data as { added: Kaspa.UtxoEntryReference[] }
    expect(utxos.added.map(({ amount }) => amount)).toEqual([5n * KAS])
    expect(events.find(({ type }) => type === 'virtual-daa-score-changed')?.data).toEqual({
      virtualDaaScore: devnode.expected.virtualDaaScore(),
    })
  })

  it('pays and receives the notification of the payment', async () => {
    const [payer, , payee] = devnode.accounts
    await rpc.subscribeUtxosChanged([payee!.address])
    await placed(EVENTS.length, 2)
    const { entries } = await rpc.getUtxosByAddresses([payer!.address])
    const { transactions } = await kaspa.createTransactions({
      entries,
      outputs: [{ address: payee!.address, amount: 12n * KAS + KAS / 2n }],
      changeAddress: payer!.address,
      priorityFee: 400_000n, // the default of 1 sompi a gram is below the minimum of nodes since 2.0
      networkId: 'simnet',
    })
    const [pending] = transactions
    pending!.sign([payer!.privateKeyHex])
    const arrived = receive((events) =>
      events.some(({ type, data }) => type === 'utxos-changed' && addedTo(data, payee!.address)),
    )
    const transactionId = await pending!.submit(rpc)
    expect(devnode.expected.mempool()).toEqual([transactionId])
    await devnode.mine(2)
    await arrived
    expect((await rpc.getBalanceByAddress({ address: payee!.address })).balance).toBe(1_012n * KAS + KAS / 2n)
    expect(devnode.expected.accepted().flatMap((one) => one.acceptedTransactionIds)).toContain(transactionId)
  })

  it("gets the node's error text", async () => {
    const hash = 'ee'.repeat(32)
    await expect(rpc.getBlock({ hash, includeTransactions: false })).rejects.toThrow(`cannot find header ${hash}`)
  })
})

const addedTo = (data: Record<string, unknown>, address: string): boolean =>
  (data.added as Kaspa.UtxoEntryReference[]).some((entry) => entry.address?.toString() === address)
