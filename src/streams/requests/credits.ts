import type { Transfer } from '../transfers/transfer.js'
import type { RequestTerms } from './terms.js'

/** What decides whether a transfer pays a request. */
export type PayingTransfer = Pick<
  Transfer,
  'address' | 'direction' | 'isCoinbase' | 'isChange' | 'isInternal' | 'isOpening' | 'acceptingDaaScore'
>

/**
 * Whether a transfer pays a request: a credit of its address that is no change, no coinbase and no payment of one's
 * own. An opening credit counts where its block is younger than the request: an older output was there before the
 * order. Outputs that a covenant binds are transfers only where a key alone may spend them.
 */
export const isPaymentOf = (
  { address, createdAt }: Pick<RequestTerms, 'address' | 'createdAt'>,
  transfer: PayingTransfer,
): boolean =>
  transfer.direction === 'credit' &&
  transfer.address === address &&
  !transfer.isCoinbase &&
  !transfer.isChange &&
  !transfer.isInternal &&
  (!transfer.isOpening || transfer.acceptingDaaScore > createdAt)
