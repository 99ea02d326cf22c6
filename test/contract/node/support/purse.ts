import { isMature } from '../../../../src/model/maturity.js'
import type { NetworkParams } from '../../../../src/model/network.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { blockHash } from '../../../../src/model/block.js'
import type { TestClient } from './client.js'
import { createPayment, type Person } from './payment.js'

/** The coins that sentences spend: of one key, each given away once. */
export interface Purse {
  readonly owner: Person
  take(): UtxoEntry
}

/** A coin of the purse is worth 20 KAS or more. */
const WORTH = 2_000_000_000n

/** Coins made from one that is large enough. */
const PIECES = 40

/** As many coins do for all sentences in both encodings. */
const ENOUGH = 220

/**
 * Opens the purse of a key, with small coins for all that follows: no sentence has blocks mined under it when it takes one.
 * Where the key owns too little, it mines until it does not: a coinbase is spendable after 1,000 blocks.
 */
export async function openPurse(client: TestClient, owner: Person, network: NetworkParams): Promise<Purse> {
  let coins = await listCoins(client, owner, network)
  const missing = ENOUGH - coins.reduce((count, coin) => count + (isLarge(coin) ? PIECES : 1), 0)
  if (missing > 0) {
    await mineTo(client, owner.address, Number(network.coinbaseMaturity) + missing + 1)
    coins = await listCoins(client, owner, network)
  }
  const small = coins.filter((coin) => !isLarge(coin))
  for (const coin of coins.filter(isLarge)) if (small.length < ENOUGH) small.push(...(await split(client, owner, coin)))
  return {
    owner,
    take() {
      const coin = small.pop()
      if (coin === undefined)
        throw new Error(`The key of the contract tests has run out of coins of ${WORTH} sompi and more`)
      return coin
    },
  }
}

const isLarge = ({ amount }: UtxoEntry): boolean => amount >= WORTH * BigInt(PIECES + 1)

async function listCoins(
  client: TestClient,
  { address }: Person,
  { coinbaseMaturity }: NetworkParams,
): Promise<UtxoEntry[]> {
  const { virtualDaaScore } = await client.call('getServerInfo', {})
  const { entries } = await client.call('getUtxosByAddresses', { addresses: [address] })
  return entries.filter((entry) => entry.amount >= WORTH && isMature(entry, virtualDaaScore, coinbaseMaturity))
}

/** A large coin becomes many small ones: the payment stays in the mempool, whose coins can be spent at once, until it is mined. */
async function split(client: TestClient, owner: Person, coin: UtxoEntry): Promise<UtxoEntry[]> {
  const to = Array.from({ length: PIECES }, () => ({ address: owner.address, amount: WORTH }))
  const { transaction, change } = createPayment({ from: owner, coins: [coin], to })
  await client.call('submitTransaction', { transaction, allowOrphan: false })
  await mineTo(client, owner.address, 2)
  const pieces = to.map(({ amount }, index) => ({ ...change, amount, outpoint: { ...change.outpoint, index } }))
  return isLarge(change) ? pieces : [change, ...pieces]
}

async function mineTo(client: TestClient, payAddress: string, count: number): Promise<void> {
  for (let block = 0; block < count; block++) {
    const template = await client.call('getBlockTemplate', { payAddress, extraData: '' })
    await client.call('submitBlock', { block: template.block, allowNonDaaBlocks: false })
    await client.call('getBlock', { hash: blockHash(template.block.header), includeTransactions: false })
  }
}
