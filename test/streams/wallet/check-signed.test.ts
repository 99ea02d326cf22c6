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
const output = (value: unknown, scriptPublicKey: unknown = `000020${'cd'.repeat(32)}ac`) => ({ value, scriptPublicKey })
const toJson = (...inputs: object[]) => JSON.stringify({ inputs })

const SIGNED = [input(0, signature('01')), input(1)]

/** A signed transaction with two outputs, some of its fields replaced. */
const toPayment = (fields: object = {}, inputs: readonly object[] = SIGNED) =>
  JSON.stringify({
    id: '22'.repeat(32),
    version: 0,
    inputs,
    outputs: [output('9007199254740993'), output('5000')],
    lockTime: '0',
    gas: '0',
    subnetworkId: '00'.repeat(20),
    payload: 'c0ffee',
    ...fields,
  })

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
    expect(check).toThrow(expect.objectContaining({ code: 'unexpected-response', cause: signed, details }))
  })

  it('is refused with a sequence that was rounded', () => {
    const txJson = toJson({ ...input(0), sequence: 2 ** 63 })
    const rounded = { txJson, signInputs: [{ index: 0, sighashType: 1 }], inputs: 'all' } as const
    expect(() => checkSigned(rounded, txJson)).toThrow(
      expect.objectContaining({ code: 'unexpected-response', details: 'Input 0 has a rounded sequence' }),
    )
  })
})

/** The request of `toPayment`, unsigned. */
const payment: WalletSignRequest = { ...request, txJson: toPayment({}, [input(0), input(1)]) }

describe('a signed transaction with outputs', () => {
  it.each([
    ['the same text', toPayment()],
    ['hex digits in upper case', toPayment({ payload: 'C0FFEE' })],
    ['numbers for strings', toPayment({ version: '0', lockTime: 0 })],
    [
      'scripts as records',
      toPayment({
        outputs: [output('9007199254740993', { version: 0, script: `20${'cd'.repeat(32)}ac` }), output('5000')],
      }),
    ],
    ['another id and mass', toPayment({ id: 'ff', mass: '5', storageMass: '5' })],
  ])('is returned with %s', (_, signed) => {
    expect(checkSigned(payment, signed)).toBe(signed)
  })

  it.each([
    ['Output 0 differs', toPayment({ outputs: [output('9007199254740992'), output('5000')] })],
    ['Output 0 differs', toPayment({ outputs: [output(9007199254740992), output('5000')] })],
    ['Output 1 differs', toPayment({ outputs: [output('9007199254740993'), output('5000', '000051')] })],
    ['The transaction has other outputs', toPayment({ outputs: [output('9007199254740993')] })],
    ['The transaction has other outputs', toPayment({ outputs: undefined })],
    ['The transaction has another payload', toPayment({ payload: '' })],
    ['The transaction has another lock time', toPayment({ lockTime: '1' })],
    ['The transaction has another version', toPayment({ version: 1 })],
    ['The transaction has another gas', toPayment({ gas: '1' })],
    ['The transaction has another subnetwork', toPayment({ subnetworkId: `03${'00'.repeat(19)}` })],
    ['Input 1 has another sequence', toPayment({}, [SIGNED[0]!, { ...SIGNED[1], sequence: '1' }])],
  ])('is refused with the response as its cause: %s', (details, signed) => {
    const check = () => checkSigned(payment, signed)
    expect(check).toThrow(expect.objectContaining({ code: 'unexpected-response', cause: signed, details }))
  })

  it('advises to name every input only where an input was signed without being requested', () => {
    const hintOf = (signed: string): string | undefined => {
      try {
        checkSigned(payment, signed)
      } catch (error) {
        return (error as ChainWalletError).hint
      }
    }
    expect(hintOf(toPayment({}, [SIGNED[0]!, input(1, signature('01'))]))).toContain('Name every input')
    expect(hintOf(toPayment({}, [input(0, signature('82')), input(1)]))).not.toContain('Name every input')
    expect(hintOf(toPayment({ payload: '' }))).not.toContain('Name every input')
  })
})
