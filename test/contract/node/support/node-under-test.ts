import { blockHash } from '../../../../src/model/block.js'
import type { NetworkParams, RpcEncoding } from '../../../../src/model/network.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { WireCodec } from '../../../../src/wrpc/codec.js'
import { connect, type TestClient } from './client.js'
import { createPayment, stranger, type Payment, type PaymentPlan, type Person } from './payment.js'
import type { Purse } from './purse.js'

/** One node, spoken to in one encoding. */
export interface NodeUnderTest {
  readonly encoding: RpcEncoding
  readonly codec: WireCodec
  readonly network: NetworkParams
  readonly url: string
  /** One connection that all sentences may use for plain calls. */
  readonly client: TestClient
  /** A connection of its own. */
  connect(): Promise<TestClient>
  stranger(): Person
  /** A spendable coin that nobody else uses, and its owner. */
  coin(): Promise<{ readonly coin: UtxoEntry; readonly owner: Person }>
  /** Takes a coin, pays from it, and submits: the payment then waits in the mempool. */
  pay(address: string, amount: bigint, plan?: Partial<PaymentPlan>): Promise<Payment>
  /** What a miner would submit now. */
  template(extraData?: string, address?: string): Promise<RpcRawBlock>
  submit(block: RpcRawBlock): Promise<string>
  /** Mines blocks by template, one on the other; resolves to the hash of the last. */
  mine(count?: number, address?: string): Promise<string>
  /** Mines until the transaction has left the mempool for a block; resolves to that block's hash. */
  include(transactionId: string): Promise<string>
}

export async function openNode(
  url: string,
  codec: WireCodec,
  network: NetworkParams,
  purse: (client: TestClient) => Promise<Purse>,
): Promise<NodeUnderTest> {
  const client = await connect(url, codec)
  const miner = stranger(network.addressPrefix)

  const template = async (extraData = '', address = miner.address) =>
    (await client.call('getBlockTemplate', { payAddress: address, extraData })).block
  const submit = async (block: RpcRawBlock) => {
    const { report } = await client.call('submitBlock', { block, allowNonDaaBlocks: false })
    if (report.type === 'reject') throw new Error(`The block was refused: ${report.reason}`)
    return blockHash(block.header)
  }
  const mine = async (count = 1, address?: string) => {
    let hash = ''
    for (let block = 0; block < count; block++) hash = await submit(await template('', address))
    return hash
  }
  const include = async (id: string): Promise<string> => {
    for (let tried = 0; tried < 10; tried++) {
      const hash = await mine()
      const { block } = await client.call('getBlock', { hash, includeTransactions: false })
      if (block.verboseData?.transactionIds.includes(id) === true) return hash
    }
    throw new Error(`Ten blocks went by without ${id}`)
  }
  const coin = async () => {
    const coins = await purse(client)
    return { owner: coins.owner, coin: coins.take() }
  }
  return {
    encoding: codec.encoding,
    codec,
    network,
    url,
    client,
    connect: () => connect(url, codec),
    stranger: () => stranger(network.addressPrefix),
    coin,
    async pay(address, amount, plan = {}) {
      const { owner, coin: spent } = await coin()
      const payment = createPayment({ from: owner, coins: [spent], to: [{ address, amount }], ...plan })
      await client.call('submitTransaction', { transaction: payment.transaction, allowOrphan: false })
      return payment
    },
    template,
    submit,
    mine,
    include,
  }
}
