import type { ChainNetwork } from 'vue-chain/streams'
import { sompiToKaspa } from 'vue-chain/streams'
import type { Database } from './database.js'

/** An address as the API shows it; amounts in KAS. */
export interface AddressInfo {
  readonly address: string
  readonly balance: string
  /** The newest first. */
  readonly transfers: readonly unknown[]
}

/** The feed follows the address from now on; its balance begins with what it has. */
export async function watch({ query }: Database, network: ChainNetwork, address: string): Promise<void> {
  const sql = 'insert into vue_chain.watched_address (network, address) values ($1, $2) on conflict do nothing'
  await query(sql, [network, address])
}

/** Undefined where the address is not watched, or the feed has not stored its balance yet. */
export async function read(
  { query }: Database,
  network: ChainNetwork,
  address: string,
): Promise<AddressInfo | undefined> {
  const balance = await query('select amount::text from vue_chain.balance where network = $1 and address = $2', [
    network,
    address,
  ])
  const [row] = balance.rows
  if (row === undefined) return undefined
  const transfers = await query(
    `select direction, amount::text, transaction_id, accepted_at from vue_chain.transfer
     where network = $1 and address = $2 order by sequence desc limit 20`,
    [network, address],
  )
  return { address, balance: toKaspa(row.amount), transfers: transfers.rows.map(toTransfer) }
}

const toKaspa = (sompi: unknown): string => sompiToKaspa(BigInt(String(sompi)))

const toTransfer = ({ amount, ...transfer }: Readonly<Record<string, unknown>>) => ({
  ...transfer,
  amount: toKaspa(amount),
})
