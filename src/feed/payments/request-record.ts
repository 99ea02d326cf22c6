import { toPaymentUri } from '../../model/payment-uri.js'
import { toStored } from '../../streams/requests/terms.js'
import { stateAt, type FeedPosition } from './evaluate.js'
import type { PaymentRequestRecord } from './payment.js'
import type { RequestRow } from './request-rows.js'

/** A request as callers read it, at a position of the feed. */
export function toRequestRecord(row: RequestRow, position: FeedPosition): PaymentRequestRecord {
  const { id, terms, createdAt, metadata, version, isClosed, refunded, record } = row
  const { address, index = null, amount, expiresAt, label, message } = terms
  const state = stateAt(row, record, position)
  return {
    id,
    address,
    index,
    amount,
    createdAt,
    expiresAt,
    metadata,
    uri: toPaymentUri({ address, amount, label, message }),
    stored: toStored(terms),
    version,
    refundable: state.received > refunded ? state.received - refunded : 0n,
    isClosed,
    state,
  }
}
