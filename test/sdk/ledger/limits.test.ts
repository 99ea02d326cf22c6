import { describe, expect, it } from 'vitest'
import { isSignerLimit } from '../../../src/errors/payment-errors.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SignerLimits, TransactionSigner } from '../../../src/sdk/port.js'
import { KAS, bob, carol } from '../../operations/transactions/accounts.js'
import { addressAt, ledgerNode, utxoAt } from './ledger-account.js'

const LIMITS: SignerLimits = {
  maxInputs: 15,
  maxRecipients: 1,
  change: 'own-path',
  payload: false,
  schemes: ['schnorr'],
  maxOutpointIndex: 255,
  maxAmount: BigInt(Number.MAX_SAFE_INTEGER),
  account: 0,
  commitAmounts: false,
}

const signer = (limits = LIMITS): TransactionSigner => ({
  limits,
  sign: () => Promise.reject(new Error('The signer was reached')),
})

const receive = addressAt(0, 0)
const entries = Array.from({ length: 20 }, (_, at) => utxoAt(receive, KAS, at))
const settings = {
  entries,
  outputs: [{ address: bob.address, amount: 2n * KAS }],
  changeAddress: addressAt(1, 0),
  signer: signer(),
}
const { estimate, create, send } = createTransactions(ledgerNode().deps)

describe('limits of a signer', () => {
  const refused: [string, object, string, string][] = [
    ['two recipients', { outputs: [...settings.outputs, ...settings.outputs] }, 'maxRecipients', 'outputs'],
    ['a payload', { payload: 'ab' }, 'payload', 'payload'],
    ['change of another person', { changeAddress: bob.address }, 'change', 'changeAddress'],
    ['change of another account', { changeAddress: addressAt(1, 0, 1) }, 'change', 'changeAddress'],
    ['sequences that commit to amounts', { commitAmounts: true }, 'commitAmounts', 'commitAmounts'],
    [
      'a payment above the numbers of its package',
      { outputs: [{ address: bob.address, amount: 2n ** 53n }] },
      'maxAmount',
      'outputs[0].amount',
    ],
  ]
  it.each(refused)(
    '%s: refused by estimate, create and send before the node is called',
    async (_, given, limit, argument) => {
      const { deps } = ledgerNode()
      const operations = createTransactions(deps)
      for (const operation of [operations.estimate, operations.create, operations.send]) {
        const error: unknown = await operation({ ...settings, ...given }).catch((cause: unknown) => cause)
        expect(error).toMatchObject({ code: 'unsupported', limit, argument })
        expect(isSignerLimit(error)).toBe(true)
      }
      expect(deps.calls).toEqual([])
    },
  )

  it('compounds what exceeds the inputs of one transaction', async () => {
    const outputs = [{ address: bob.address, amount: 18n * KAS }]
    const { transactions } = await create({ ...settings, outputs })
    const sizes = transactions.map((transaction) => transaction.serialize().inputs.length)
    expect(sizes).toEqual([15, 5])
    await expect(estimate({ ...settings, outputs })).resolves.toMatchObject({ transactions: 2 })
    await expect(estimate({ ...settings, outputs, signer: undefined })).resolves.toMatchObject({ transactions: 1 })
  })

  it('gives all inputs sequence 0', async () => {
    const { transactions } = await create(settings)
    expect(transactions[0]?.serialize().inputs.map(({ sequence }) => sequence)).toEqual(['0', '0', '0'])
  })

  it('leaves out UTXOs that it cannot sign, and lists their sum', async () => {
    const others = [
      utxoAt(receive, 5n * KAS, 256),
      utxoAt(receive, 2n ** 53n, 1, 'aa'.repeat(32)), // 90,071,992.54740992 KAS
      utxoAt(carol.ecdsaAddress, 3n * KAS, 2, 'bb'.repeat(32)),
      utxoAt(addressAt(0, 0, 1), 7n * KAS, 3, 'cc'.repeat(32)),
      utxoAt(bob.address, 11n * KAS, 4, 'dd'.repeat(32)),
    ]
    const device = 2n ** 53n + 26n * KAS
    const outputs = [{ address: bob.address, amount: 20n * KAS }]
    await expect(estimate({ ...settings, outputs, entries: [...entries, ...others] })).rejects.toMatchObject({
      code: 'insufficient-funds',
      spendable: 20n * KAS,
      device,
      hint: '90072018.54740992 KAS are in UTXOs that the signer cannot sign.',
    })
    const within = await create({ ...settings, entries: [utxoAt(receive, 5n * KAS, 255), ...others] })
    expect(within.transactions[0]?.serialize().inputs.map(({ previousOutpoint: { index } }) => index)).toEqual([255])
  })

  it('does not mind where a payment without change goes', async () => {
    const { outputs: _, ...consolidation } = settings
    const summary = await estimate({ ...consolidation, changeAddress: bob.address })
    expect(summary.transactions).toBe(2)
  })

  it('are not those of a payment with keys', async () => {
    await expect(estimate({ ...settings, signer: undefined, payload: 'ab' })).resolves.toMatchObject({
      transactions: 1,
    })
  })

  it.each([0, 1.5, -1])('rejects %d inputs', async (maxInputs) => {
    await expect(estimate({ ...settings, signer: signer({ maxInputs }) })).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'signer.limits.maxInputs',
    })
  })

  it('reach the signer only where the payment fits', async () => {
    await expect(send(settings)).rejects.toMatchObject({ code: 'failed', argument: 'signer', outcome: 'unsent' })
  })
})
