import { isKeyAddress } from './address.js'
import type { UtxoEntry } from './utxo.js'

/**
 * Whether an output counts for its address. An output that a covenant binds does where a key alone may spend it,
 * although that ends the right that it may carry; elsewhere the script of the covenant decides who may.
 */
export const isCountedOutput = ({
  address,
  covenantId,
}: Pick<UtxoEntry, 'covenantId'> & { readonly address: string }): boolean =>
  covenantId === undefined || isKeyAddress(address)
