import type { X402Payment } from '../../../src/x402/settlement.js'

/** A claimed payment of a transaction that begins with these digits. */
export const paymentOf = (start: string, fields: Partial<X402Payment> = {}): X402Payment => ({
  network: 'kaspa:simnet',
  transactionId: start.padEnd(64, '0'),
  state: 'claimed',
  requestHash: '11'.repeat(32),
  payloadHash: '22'.repeat(32),
  outpoints: [`${start.padEnd(64, 'f')}:0`],
  payTo: 'kaspasim:payee',
  amount: 50_000_000n,
  payer: 'kaspasim:payer',
  transaction: '{}',
  confirmations: 0,
  acceptedBlueScore: null,
  conflict: null,
  wasServed: false,
  handler: null,
  servingSince: null,
  response: null,
  version: 0,
  claimedAt: 1_700_000_000_000,
  ...fields,
})
