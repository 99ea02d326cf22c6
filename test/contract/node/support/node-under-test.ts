import { blockHash } from '../../../../src/model/block.js'
import type { NetworkParams, RpcEncoding } from '../../../../src/model/network.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { WireCodec } from '../../../../src/wrpc/codec.js'
import { connectBy, type TestClient } from './client.js'
import { createPayment, newAccount, type Payment, type PaymentPlan, type Account } from './payment.js'
import { openWebSocket } from './test-socket.js'
import type { UtxoSupply } from './utxo-supply.js'

/** A node in one encoding. */
export interface NodeUnderTest {
  readonly encoding: RpcEncoding
  readonly codec: WireCodec
  readonly network: NetworkParams
  readonly url: string
  /** A connection that all suites share for calls without subscriptions. */
  readonly client: TestClient
  /** Opens a separate connection. */
  connect(): Promise<TestClient>
  newAccount(): Account
  /** A spendable UTXO, returned once, and the account of its address. */
  utxo(): Promise<{ readonly utxo: UtxoEntry; readonly account: Account }>
  /** Submits a payment from a new UTXO; the transaction is then in the mempool. */
  pay(address: string, amount: bigint, plan?: Partial<PaymentPlan>): Promise<Payment>
  /** A block template. */
  template(extraData?: string, address?: string): Promise<RpcRawBlock>
  submit(block: RpcRawBlock): Promise<string>
  /** Mines blocks from templates; resolves to the hash of the last. */
  mine(count?: number, address?: string): Promise<string>
  /** Mines until a block includes the transaction; resolves to the hash of the block. */
  include(transactionId: string): Promise<string>
}

export async function openNode(
  url: string,
  codec: WireCodec,
  network: NetworkParams,
  utxoSupply: (client: TestClient) => Promise<UtxoSupply>,
  connect: () => Promise<TestClient> = () => connectBy(openWebSocket, url, codec),
): Promise<NodeUnderTest> {
  const client = await connect()
  const miner = newAccount(network.addressPrefix)

  const template = async (extraData = '', address = miner.address) =>
    (await client.call('getBlockTemplate', { payAddress: address, extraData })).block
  const submit = async (block: RpcRawBlock) => {
    const { report } = await client.call('submitBlock', { block, allowNonDaaBlocks: false })
    if (report.type === 'reject') throw new Error(`The block was rejected: ${report.reason}`)
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
    throw new Error(`Ten blocks do not include ${id}`)
  }
  const utxo = async () => {
    const utxos = await utxoSupply(client)
    return { account: utxos.account, utxo: utxos.take() }
  }
  return {
    encoding: codec.encoding,
    codec,
    network,
    url,
    client,
    connect,
    newAccount: () => newAccount(network.addressPrefix),
    utxo,
    async pay(address, amount, plan = {}) {
      const { account, utxo: spent } = await utxo()
      const payment = createPayment({ from: account, utxos: [spent], to: [{ address, amount }], ...plan })
      await client.call('submitTransaction', { transaction: payment.transaction, allowOrphan: false })
      return payment
    },
    template,
    submit,
    mine,
    include,
  }
}
