import { ChainError } from '../../errors/chain-error.js'
import type { CheckedUtxos } from './check-entries.js'
import type { ManagedAddresses } from './dependencies.js'

/**
 * Throws `ChainError` (`managed-by-journal`) where a UTXO is of an address that a payment queue pays from: a second
 * path would spend what the queue has claimed.
 */
export function requireUnmanaged({ source }: CheckedUtxos, managed: ManagedAddresses | undefined): void {
  if (managed === undefined || managed.size === 0) return
  for (const { columns } of source.rows.parts)
    for (const { address } of columns.scripts) {
      const queue = address === undefined ? undefined : managed.get(address)
      if (queue !== undefined) throw managedBy(String(address), queue)
    }
}

/** The error of a second path to the addresses of a queue. */
export const managedBy = (address: string, queue: string): ChainError =>
  new ChainError(`The payment queue "${queue}" pays from ${address}`, {
    code: 'managed-by-journal',
    argument: 'entries',
    hint: 'Pay with payouts.pay(), or leave the UTXOs of this address out.',
  })
