import type { SpendControls } from '@x402/core/client'
import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { ASSET } from '../binding/requirements.js'
import { toX402Network } from '../networks.js'

export interface KasSpendControlOptions {
  readonly network: ChainNetwork
  /** Sompi of one payment, at most. */
  readonly maxAmountPerPayment: bigint
}

/**
 * The controls for `x402Client.setSpendControls`: KAS on one network, up to an amount in sompi. KAS is no default
 * asset: the upstream client would take its amount for dollars, one KAS for one dollar.
 */
export function kasSpendControls({ network, maxAmountPerPayment }: KasSpendControlOptions): SpendControls {
  if (typeof maxAmountPerPayment !== 'bigint' || maxAmountPerPayment <= 0n)
    throw invalidArgument('maxAmountPerPayment', '"maxAmountPerPayment" is no bigint above zero', 'It is in sompi.')
  return {
    allowedAssets: [
      { network: toX402Network(network), asset: ASSET, maxAmountPerPayment: String(maxAmountPerPayment) },
    ],
  }
}
