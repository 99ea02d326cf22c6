import type { PaymentPayload } from '@x402/core/types'
import { describe, expect, it } from 'vitest'
import { verifyTransaction } from '../../src/operations/transactions/verify-transaction.js'
import { BINDING_VERSION, digestOf } from '../../src/x402/binding/binding.js'
import { checkExpiry, checkPayment, type CheckedPayment } from '../../src/x402/server/check-payment.js'
import { isRefusal } from '../../src/x402/server/refusal.js'
import { kaspaPrice } from '../../src/x402/server/kaspa-exact.js'
import { runs } from '../full.js'
import { damageText, randomOf } from '../wrpc/mutation.js'
import { REQUEST, signedPayment, STRANGER, TERMS, type PaymentChanges } from './support/signed-payment.js'

export function paymentTests(): void {
  const RULES = { network: 'simnet', maxFee: 10_000_000n, maxInputs: 3 } as const
  const check = (payment: PaymentPayload, terms = TERMS, request = REQUEST) =>
    checkPayment(payment, terms, { request }, RULES)
  const reasonOf = (found: ReturnType<typeof check>): string => (isRefusal(found) ? found.reason : 'valid')
  /** A payment whose record was changed after it was signed. */
  function edited(
    change: (transaction: Record<string, unknown> & { inputs: { utxo: object }[]; outputs: object[] }) => void,
  ) {
    const payment = signedPayment()
    const transaction = JSON.parse(String(payment.payload.transaction)) as Parameters<typeof change>[0]
    change(transaction)
    return { ...payment, payload: { ...payment.payload, transaction: JSON.stringify(transaction) } }
  }

  describe('checkPayment', () => {
    it('computes id, fee and masses of a valid payment', () => {
      const found = check(signedPayment()) as CheckedPayment
      expect(found).toMatchObject({ amount: 50_000_000n, payTo: TERMS.payTo })
      const { computeMass, fee, storageMass, addresses } = found.verified
      expect([fee, computeMass, storageMass > 0n, addresses]).toEqual([203_600n, 2_036n, true, [found.payer]])
    })

    it.each<readonly [string, PaymentChanges]>([
      ['invalid_amount', { pays: 49_999_999n }],
      ['invalid_amount', { pays: 50_000_001n }],
      ['invalid_outputs', { change: STRANGER }],
      ['invalid_outputs', { change: TERMS.payTo }],
      ['invalid_transaction', { transaction: { payload: 'ab' } }],
      ['invalid_transaction', { transaction: { lockTime: 1n } }],
      ['invalid_transaction', { sequence: 600n }],
      ['valid', { sequence: 1n << 40n }],
      ['too_many_inputs', { inputs: 4 }],
      ['request_mismatch', { request: { ...REQUEST, method: 'POST' } }],
      ['request_mismatch', { request: { ...REQUEST, body: 'other' } }],
      ['payer_mismatch', { bindingKey: '09'.repeat(32) }],
      ['requirements_mismatch', { terms: { maxTimeoutSeconds: 61 } }],
      ['requirements_mismatch', { terms: { amount: '1' } }],
    ])('refuses with %s: %o', (reason, changes) => {
      expect(reasonOf(check(signedPayment(changes)))).toBe(reason)
    })

    it.each<readonly [string, PaymentPayload]>([
      ['unsigned', edited(({ inputs }) => Object.assign(inputs[0]!, { signatureScript: `41${'00'.repeat(64)}01` }))],
      ['invalid_transaction', edited(({ inputs }) => Object.assign(inputs[0]!, { signatureScript: '' }))],
      ['unsigned', edited(({ inputs }) => Object.assign(inputs[0]!.utxo, { amount: '1000000001' }))],
      ['invalid_transaction', edited(({ inputs }) => Object.assign(inputs[0]!, { sequence: '0' }))],
      [
        'payer_mismatch',
        edited((transaction) => Object.assign(delete transaction.id && transaction.inputs[0]!, { sequence: '0' })),
      ],
      ['invalid_utxo', edited(({ inputs }) => Object.assign(inputs[0]!, { utxo: undefined }))],
      [
        'invalid_transaction',
        edited(({ outputs }) =>
          Object.assign(outputs[0]!, { covenant: { authorizingInput: 0, covenantId: 'ab'.repeat(32) } }),
        ),
      ],
      ['invalid_transaction', edited((transaction) => (transaction.storageMass = '1'))],
      ['invalid_transaction', edited((transaction) => (transaction.gas = '01'))],
    ])('refuses a record that was changed: %s', (reason, payment) => {
      const found = reasonOf(check(payment))
      expect(found === reason || (reason === 'unsigned' && found === 'invalid_transaction')).toBe(true)
    })

    it('refuses terms with a number beyond those of JSON', () => {
      const text = JSON.stringify(signedPayment()).replace('"maxTimeoutSeconds":60', '"maxTimeoutSeconds":1e999')
      expect(reasonOf(check(JSON.parse(text) as PaymentPayload))).toBe('requirements_mismatch')
    })

    it('refuses a payment that is nested without end', () => {
      let nested: unknown = 0
      for (let depth = 0; depth < 60_000; depth++) nested = [nested]
      expect(reasonOf(check({ ...signedPayment(), extensions: { nested } }))).toBe('invalid_payload')
    })

    it('refuses another scheme, network and asset, and a fee above the limit', () => {
      const offers = [
        ['unsupported_scheme', { scheme: 'upto' }],
        ['invalid_network', { network: 'kaspa:mainnet' }],
        ['invalid_asset', { asset: 'USDC' }],
      ] as const
      for (const [reason, terms] of offers)
        expect(reasonOf(check(signedPayment({ terms }), { ...TERMS, ...terms }))).toBe(reason)
      expect(reasonOf(checkPayment(signedPayment(), TERMS, { request: REQUEST }, { ...RULES, maxFee: 203_599n }))).toBe(
        'fee_too_high',
      )
      expect(checkExpiry(1_000, 60, 1_000)).toMatchObject({ reason: 'expired' })
      expect(checkExpiry(61_001, 60, 1_000)).toMatchObject({ reason: 'expiry_too_late' })
      expect(checkExpiry(61_000, 60, 1_000)).toBe(undefined)
    })

    it('never throws for damaged payments, and accepts none that says something else', () => {
      const payment = signedPayment()
      const text = JSON.stringify(payment)
      const random = randomOf(Number(process.env.FUZZ_SEED ?? 402))
      const { verified } = check(payment) as CheckedPayment
      for (let run = 0; run < runs(1_000, 100_000); run++) {
        const [isInner, damaged] = [
          run % 2 === 0,
          damageText(run % 2 === 0 ? String(payment.payload.transaction) : text, random),
        ]
        let hostile: unknown
        try {
          hostile = isInner
            ? { ...payment, payload: { ...payment.payload, transaction: damaged } }
            : JSON.parse(damaged)
        } catch {
          continue // the upstream server refuses what is no JSON
        }
        const found = check(hostile as PaymentPayload)
        if (!isRefusal(found)) expect([run, found.verified.id, found.amount]).toEqual([run, verified.id, 50_000_000n])
      }
    })
  })

  it('hashes bindings as kaspa-x402 does', () => {
    // protocol/vectors/x402-http/exact-transaction.json, of the profile additive
    const fields = {
      ...{ scope: BINDING_VERSION, network: 'kaspa:testnet-10', profile: 'additive', paymentOutputIndex: 0 },
      transactionId: '15876a8014e1787d432d062a49002b083d0289891b53f731a59c7758d84d2c7e',
      amount: '20000000',
      payTo: 'kaspatest:ppakk4efunamcdw5uqglluwam94r747ftxdcyw423rx8rdyx9w4r78eljka3q',
      payToScriptPublicKey: '0000aa207b6b5729e4fbbc35d4e011fff1ddd96a3f57c9599b823aaa88cc71b4862baa3f87',
      paymentRequirementsHash: 'cb65bf5ec0bf33d8c9e4af76bdc409786580e619f3904732eb64bdde09259437',
      ...{ requestHash: '99'.repeat(32), challengeId: '91'.repeat(32), paymentIdentifier: 'exact_http_vector_0001' },
      ...{ inputIndex: 1, expiresAt: '2099-01-01T00:00:00.000Z' },
    }
    expect(digestOf(fields)).toBe('13955da86b891b0c109fc62aedcdf0fe400dbded4bb65a64b89d43105c0c0f95')
  })

  it('verifies the standard-native transaction of kaspa-x402', () => {
    const input = {
      previousOutpoint: { transactionId: '70'.repeat(32), index: 0 },
      sequence: '18446744073709551615',
      sigOpCount: 1,
      signatureScript:
        '416f19fc3a1159eae0f4488158c9a32e26d28b5875d665a3002a1a62ace4f1e5cd28ba1b0dbe3c3b4ccf9e7facb22891173854989c77a6edf7d4c286b15ac70c8a01',
      utxo: {
        amount: '50000000',
        scriptPublicKey: `000020989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6fac`,
      },
    }
    const outputs = [
      {
        value: '20000000',
        scriptPublicKey: '000020f991f944d1e1954a7fc8b9bf62e0d78f015f4c07762d505e20e6c45260a3661bac',
      },
      {
        value: '29800000',
        scriptPublicKey: '000020989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6fac',
      },
    ].map((output) => ({ ...output, covenant: null }))
    const found = verifyTransaction(
      { version: 0, inputs: [input], outputs, storageMass: '63557' },
      { network: 'testnet-10' },
    )
    // its signature is valid; its fee of 200,000 sompi is below the minimum of today's nodes
    expect(found).toMatchObject({ isValid: false, reason: 'rules' })
    expect(found).toHaveProperty('message', expect.stringContaining('200000 fees'))
  })

  describe('kaspaPrice', () => {
    it('is in KAS or sompi, and what one transaction can pay', () => {
      expect([kaspaPrice('0.5 KAS').amount, kaspaPrice({ asset: 'KAS', amount: '50000000' }).amount]).toEqual([
        '50000000',
        '50000000',
      ])
      expect(kaspaPrice('0.02 KAS').amount).toBe('2000000')
      for (const price of ['0.5', '$0.5', 0.5, '0 KAS', '-1 KAS', { asset: 'USDC', amount: '1' }])
        expect(() => kaspaPrice(price)).toThrow('price')
      expect(() => kaspaPrice('0.0199 KAS')).toThrow('cannot be paid by one transaction')
    })
  })
}
