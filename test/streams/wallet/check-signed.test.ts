import { describe, expect, it } from 'vitest'
import { ChainWalletError } from '../../../src/errors/wallet-error.js'
import { checkSigned } from '../../../src/streams/wallet/check-signed.js'
import type { WalletSignRequest } from '../../../src/wallets/port.js'

const input = (index: number, signatureScript = '') => ({
  transactionId: '11'.repeat(32),
  index,
  sequence: '0',
  signatureScript,
})
const signature = (type: string) => `41${'ab'.repeat(64)}${type}`
const toJson = (...inputs: object[]) => JSON.stringify({ inputs })

/** Input 0 of two, to be signed with All. */
const request: WalletSignRequest = {
  txJson: toJson(input(0), input(1)),
  signInputs: [{ index: 0, sighashType: 1 }],
  inputs: 'named',
}

describe('a signed transaction', () => {
  it.each([
    ['is signed as requested', toJson(input(0, signature('01')), input(1))],
    ['lacks a signature', request.txJson],
    ['is signed by a script', toJson(input(0, '51'), input(1))],
  ])('is returned if it %s', (_, signed) => {
    expect(checkSigned(request, signed)).toBe(signed)
  })

  it.each([
    ['Input 1 was signed without being requested', toJson(input(0, signature('01')), input(1, signature('01')))],
    ['Input 0 was signed with sighash type 130, not 1', toJson(input(0, signature('82')), input(1))],
    ['Input 1 spends another output', toJson(input(0, signature('01')), input(2))],
    ['The transaction has other inputs', toJson(input(0, signature('01')))],
    ['The result is not the JSON of a transaction', '{}'],
    ['The result is not the JSON of a transaction', '{'],
  ])('is refused: %s', (details, signed) => {
    const check = () => checkSigned(request, signed)
    expect(check).toThrow(ChainWalletError)
    expect(check).toThrow(expect.objectContaining({ code: 'unexpected-answer', cause: signed, details }))
  })

  it('is refused with a sequence that was rounded', () => {
    const txJson = toJson({ ...input(0), sequence: 2 ** 63 })
    const rounded = { txJson, signInputs: [{ index: 0, sighashType: 1 }], inputs: 'all' } as const
    expect(() => checkSigned(rounded, txJson)).toThrow(
      expect.objectContaining({ code: 'unexpected-answer', details: 'Input 0 has a rounded sequence' }),
    )
  })
})
