import type { StoredPaymentRequest } from '../../../../src/streams/requests/terms.js'

/** A request as a shop's server stored it. */
export const STORED: StoredPaymentRequest = {
  network: 'mainnet',
  address: 'kaspa:qqkqkzjvr7zwxxmjxjkmxxdwju9kjs6e9u82uh59z07vgaks6gg62v8707g73',
  amount: '1250000000',
  tolerance: '0',
  confirmations: 10,
  createdAt: '1000',
  expiresAt: 4_102_444_800_000,
  label: 'Shop',
}
