import { describe, expect, it } from 'vitest'
import { toStored, toTerms, type StoredPaymentRequest } from '../../../src/streams/requests/terms.js'

const STORED: StoredPaymentRequest = {
  network: 'simnet',
  address: 'kaspasim:qq3v55pepenq7cqsxmwh2q4mjuaae5gykhwt3uh8fh5wm3kzj2cr5rvnsgqwe',
  amount: '1250000000',
  tolerance: '0',
  confirmations: 100,
  createdAt: '18446744073709551615',
  expiresAt: 1_764_000_900_000,
  label: 'Shop',
}

describe('a stored payment request', () => {
  it('is the same after JSON and after its terms were read', () => {
    const read = JSON.parse(JSON.stringify(STORED)) as StoredPaymentRequest
    expect(toStored(toTerms(read))).toEqual(STORED)
  })

  it.each<[string, object]>([
    ['amount', { amount: '12.5' }],
    ['amount', { amount: '0' }],
    ['tolerance', { tolerance: '1250000000' }],
    ['confirmations', { confirmations: -1 }],
    ['createdAt', { createdAt: 17 }],
    ['expiresAt', { expiresAt: Number.NaN }],
    ['index', { index: 1.5 }],
    ['network', { network: 'simnet-2' }],
    ['address', { address: STORED.address.replace('kaspasim', 'kaspa') }],
    ['address', { network: 'mainnet' }],
    ['price', { price: 4 }],
  ])('is refused with the name of the field "%s"', (argument, change) => {
    expect(() => toTerms({ ...STORED, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument }),
    )
  })
})
