import { isMature } from '../../../../src/model/spendable.js'
import type { NetworkParams } from '../../../../src/model/network.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { blockHash } from '../../../../src/model/block.js'
import type { TestClient } from './client.js'
import { createPayment, type Account } from './payment.js'

/** UTXOs of one key for the suites; each is returned once. */
export interface UtxoSupply {
  readonly account: Account
  take(): UtxoEntry
}

/** The smallest UTXO of the supply: 20 KAS. */
const MIN_AMOUNT = 2_000_000_000n

/** UTXOs created from one large UTXO. */
const OUTPUTS_PER_SPLIT = 40

/** UTXOs needed by all suites in both encodings. */
const UTXO_COUNT = 300

/**
 * Splits large UTXOs of a key in advance, so that `take` mines no blocks during a test.
 * Where the key has too few UTXOs, mines to it first; a coinbase output is spendable after 1,000 blocks.
 */
export async function openUtxoSupply(
  client: TestClient,
  account: Account,
  network: NetworkParams,
): Promise<UtxoSupply> {
  let utxos = await listUtxos(client, account, network)
  const missing = UTXO_COUNT - utxos.reduce((count, utxo) => count + (isLarge(utxo) ? OUTPUTS_PER_SPLIT : 1), 0)
  if (missing > 0) {
    await mineBlocks(client, account.address, Number(network.coinbaseMaturity) + missing + 1)
    utxos = await listUtxos(client, account, network)
  }
  const small = utxos.filter((utxo) => !isLarge(utxo))
  for (const utxo of utxos.filter(isLarge))
    if (small.length < UTXO_COUNT) small.push(...(await split(client, account, utxo)))
  return {
    account,
    take() {
      const utxo = small.pop()
      if (utxo === undefined)
        throw new Error(`The key of the contract tests has no more UTXOs of ${MIN_AMOUNT} sompi and more`)
      return utxo
    },
  }
}

const isLarge = ({ amount }: UtxoEntry): boolean => amount >= MIN_AMOUNT * BigInt(OUTPUTS_PER_SPLIT + 1)

async function listUtxos(
  client: TestClient,
  { address }: Account,
  { coinbaseMaturity }: NetworkParams,
): Promise<UtxoEntry[]> {
  const { virtualDaaScore } = await client.call('getServerInfo', {})
  const { entries } = await client.call('getUtxosByAddresses', { addresses: [address] })
  return entries.filter((entry) => entry.amount >= MIN_AMOUNT && isMature(entry, virtualDaaScore, coinbaseMaturity))
}

/** Splits a large UTXO into many small ones, and mines the transaction. */
async function split(client: TestClient, account: Account, utxo: UtxoEntry): Promise<UtxoEntry[]> {
  const to = Array.from({ length: OUTPUTS_PER_SPLIT }, () => ({ address: account.address, amount: MIN_AMOUNT }))
  const { transaction, change } = createPayment({ from: account, utxos: [utxo], to })
  await client.call('submitTransaction', { transaction, allowOrphan: false })
  await mineBlocks(client, account.address, 2)
  const outputs = to.map(({ amount }, index) => ({ ...change, amount, outpoint: { ...change.outpoint, index } }))
  return isLarge(change) ? outputs : [change, ...outputs]
}

async function mineBlocks(client: TestClient, payAddress: string, count: number): Promise<void> {
  for (let block = 0; block < count; block++) {
    const template = await client.call('getBlockTemplate', { payAddress, extraData: '' })
    await client.call('submitBlock', { block: template.block, allowNonDaaBlocks: false })
    await client.call('getBlock', { hash: blockHash(template.block.header), includeTransactions: false })
  }
}
