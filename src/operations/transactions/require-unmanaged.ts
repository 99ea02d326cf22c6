import { ChainError } from '../../errors/chain-error.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { ManagedAddresses } from './dependencies.js'
import type { CheckedSettings } from './settings.js'

/**
 * Throws `ChainError` (`managed-by-journal`) where a UTXO is of an address that a payment queue pays from, by its
 * script where it names none: a second path would spend what the queue has claimed. `fixed`: spent in any case.
 */
export function requireUnmanaged(
  { network, utxos }: Pick<CheckedSettings, 'network' | 'utxos'>,
  managed: ManagedAddresses | undefined,
  fixed: readonly Pick<UtxoEntry, 'address' | 'scriptPublicKey'>[] = [],
): void {
  if (managed === undefined || managed.size === 0) return
  const scripts = utxos.source.rows.parts.flatMap(({ columns }) => columns.scripts)
  for (const { address, scriptPublicKey } of [...scripts, ...fixed]) {
    const paying = address ?? toAddress(scriptPublicKey, NETWORKS[network].addressPrefix) ?? ''
    const queue = managed.get(paying)
    if (queue !== undefined) throw managedBy(paying, queue)
  }
}

/** The error of a second path to the addresses of a queue. */
export const managedBy = (address: string, queue: string): ChainError =>
  new ChainError(`The payment queue "${queue}" pays from ${address}`, {
    code: 'managed-by-journal',
    argument: 'entries',
    hint: 'Pay with payouts.pay(), or leave the UTXOs of this address out.',
  })
