import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { SessionDropped } from '../../src/errors/payout-error.js'
import { toSinkError } from '../../src/sql/session.js'

const errorOf = (code: string): Error => toSinkError(Object.assign(new Error('The server says no'), { code }))

describe('an error of PostgreSQL', () => {
  it.each([
    ['a server that ends', '57P01'],
    ['a full disk', '53100'],
    ['a disk that fails', '58030'],
    ['a primary that has become a stand-by', '25006'],
    ['a transaction that failed before', '25P02'],
  ])('is worth another connection: %s', (_, code) => {
    expect(errorOf(code)).toBeInstanceOf(SessionDropped)
  })

  it.each([
    ['a missing right', '42501'],
    ['a value out of range', '22003'],
    ['damaged data', 'XX001'],
  ])('is final: %s', (_, code) => {
    expect(errorOf(code)).toBeInstanceOf(ChainError)
    expect(errorOf(code)).not.toBeInstanceOf(SessionDropped)
  })
})
