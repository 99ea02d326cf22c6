import { isMature } from '../../../../src/model/maturity.js'
import type { NetworkParams } from '../../../../src/model/network.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { blockHash } from '../../../../src/model/block.js'
import type { TestClient } from './client.js'
import { createPayment, type Person } from './payment.js'

/** The coins that sentences spend: of one key, each given away once. */
export interface Purse {
  readonly owner: Person
  take(): Promise<UtxoEntry>
}

/** A coin of the purse is worth 20 KAS or more. */
const WORTH = 2_000_000_000n

/** Coins made from one. */
const PIECES = 40

/** Opens the purse of a key. Where the key owns nothing spendable, it mines until it does: a coinbase is spendable after 1,000 blocks. */
export async function openPurse(client: TestClient, owner: Person, network: NetworkParams): Promise<Purse> {
  const spent = new Set<string>()
  const list = async () => {
    const { virtualDaaScore } = await client.call('getServerInfo', {})
    const { entries } = await client.call('getUtxosByAddresses', { addresses: [owner.address] })
    const spendable = entries.filter((entry) => isMature(entry, virtualDaaScore, network.coinbaseMaturity))
    return spendable.filter(({ outpoint, amount }) => !spent.has(toKey(outpoint)) && amount >= WORTH)
  }
  let coins = await list()
  for (let rewards = 0; coins.length === 0; rewards++) {
    await mineTo(client, owner.address, rewards === 0 ? Number(network.coinbaseMaturity) + 2 : 1)
    coins = await list()
  }
  return {
    owner,
    async take() {
      for (let coin = coins.pop(); coin !== undefined; coin = coins.pop()) {
        spent.add(toKey(coin.outpoint))
        if (coin.amount < WORTH * BigInt(PIECES + 1)) return coin
        coins = [...coins, ...(await split(client, owner, coin))]
      }
      throw new Error('The key of the contract tests has run out of coins of 20 KAS')
    },
  }
}

/** A large coin becomes many: the payment stays in the mempool, whose coins can be spent at once, until it is mined. */
async function split(client: TestClient, owner: Person, coin: UtxoEntry): Promise<UtxoEntry[]> {
  const to = Array.from({ length: PIECES }, () => ({ address: owner.address, amount: WORTH }))
  const { transaction, change } = createPayment({ from: owner, coins: [coin], to })
  await client.call('submitTransaction', { transaction, allowOrphan: false })
  await mineTo(client, owner.address, 2)
  const pieces = to.map(({ amount }, index) => ({ ...change, amount, outpoint: { ...change.outpoint, index } }))
  return [change, ...pieces]
}

async function mineTo(client: TestClient, payAddress: string, count: number): Promise<void> {
  for (let block = 0; block < count; block++) {
    const template = await client.call('getBlockTemplate', { payAddress, extraData: '' })
    await client.call('submitBlock', { block: template.block, allowNonDaaBlocks: false })
    await client.call('getBlock', { hash: blockHash(template.block.header), includeTransactions: false })
  }
}

const toKey = ({ transactionId, index }: UtxoEntry['outpoint']): string => `${transactionId}:${index}`
