import { describe, expect, it } from 'vitest'
import { isInsufficientFunds, isOutputTooSmall } from '../../../src/errors/payment-errors.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { toError } from '../../../src/operations/transactions/plan/failure.js'
import { plan } from '../../../src/operations/transactions/plan/plan.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, scriptAddress, utxo, utxos } from './accounts.js'
import { classified } from './classified.js'
import { validSettings, noSdk, paying, planningError } from './planning-error.js'
import { createScriptedDependencies } from './scripted-dependencies.js'

describe('a payment that cannot be planned', () => {
  it('reports all sums where the amount exceeds the balance', async () => {
    const error = await planningError({ ...paying(100n * KAS) }, ['getFeeEstimate'])
    expect(error.message).toBe('100.001624 KAS are needed, fee included, and 100 KAS can be spent')
    if (!isInsufficientFunds(error)) throw error
    const { spendable, immature, reserved, dust, required } = error
    expect({ spendable, immature, reserved, dust, required }).toEqual({
      spendable: 100n * KAS,
      immature: 0n,
      reserved: 0n,
      dust: 0n,
      required: 100n * KAS + 162_400n,
    })
  })

  it('reports immature, reserved, dust and bound sums', async () => {
    const deps = createScriptedDependencies(noSdk)
    const entries = [
      utxo(KAS, 0),
      utxo(2n * KAS, 1),
      utxo(4n * KAS, 2, { isCoinbase: true, blockDaaScore: 1500n }),
      utxo(100_000n, 3),
      utxo(8n * KAS, 4, { covenantId: 'cc'.repeat(32) }),
      utxo(16n * KAS, 5, { covenantId: 'cc'.repeat(32), address: scriptAddress }),
    ]
    deps.reservations.reserve({ id: '', inputs: [utxo(2n * KAS, 1)], outputs: [] })
    const error: unknown = await createTransactions(deps)
      .estimate({ ...validSettings, ...paying(3n * KAS), entries })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: 'insufficient-funds',
      spendable: KAS,
      immature: 4n * KAS,
      reserved: 2n * KAS,
      dust: 100_000n,
      bound: 8n * KAS,
      hint: '4 KAS are immature mining rewards. 2 KAS are reserved by pending payments. 0.001 KAS are in UTXOs that cost more to spend than they hold. 8 KAS are bound by covenants: spendBound: true spends them and ends the rights that they carry.',
    })
  })

  it('reports the required amount without any entry', async () => {
    expect(await planningError({ entries: [] }, ['getFeeEstimate'])).toMatchObject({
      code: 'insufficient-funds',
      spendable: 0n,
      required: 10n * KAS + 162_400n,
    })
  })

  it('reports 5,000 UTXOs of dust', async () => {
    const error = await planningError(
      { entries: utxos(Array.from({ length: 5000 }, () => 100_000n)), ...paying(KAS) },
      ['getFeeEstimate'],
    )
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: 0n, dust: 500_000_000n })
    expect(error.hint).toBe('5 KAS are in UTXOs that cost more to spend than they hold.')
  })

  it('reports 5,000 UTXOs just above the dust limit', async () => {
    const error = await planningError(
      { entries: utxos(Array.from({ length: 5000 }, () => 114_000n)), ...paying(5n * KAS) },
      ['getFeeEstimate'],
    )
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: 570_000_000n })
  })

  it('names an output that is too small, and the smallest valid amount', async () => {
    const error = await planningError({ outputs: [...(paying(KAS).outputs ?? []), ...(paying(1000n).outputs ?? [])] }, [
      'getFeeEstimate',
    ])
    if (!isOutputTooSmall(error)) throw error
    expect(error).toMatchObject({
      code: 'mass-exceeded',
      argument: 'outputs[1].amount',
      smallest: 2_040_817n,
      limit: 500_000n,
    })
    expect(error.message).toBe('An output of 0.00001 KAS is too small: the smallest is 0.02040817 KAS')
    expect(error.hint).toContain('KIP-9')
  })

  it('names how many of 60 outputs of 1 KAS fit one transaction, and how many transactions pay all', async () => {
    const recipients = (count: number) => ({
      outputs: Array.from({ length: count }, () => ({ address: bob.address, amount: KAS })),
    })
    const entries = utxos([100_000n * KAS])
    const error = await planningError({ entries, ...recipients(60) }, ['getFeeEstimate'])
    if (!isOutputTooSmall(error)) throw error
    expect(error).toMatchObject({
      code: 'mass-exceeded',
      argument: 'outputs',
      fits: 50,
      hint: expect.stringMatching(/^Pay them in 2 transactions, as the queue of vue-chain\/payouts does\./) as string,
    })
    expect(error.message).toMatch(/^60 outputs do not fit one transaction: their storage mass is \d{6} grams$/)
    const { estimate } = createTransactions(createScriptedDependencies(noSdk))
    await expect(estimate({ ...validSettings, entries, ...recipients(49) })).resolves.toMatchObject({ transactions: 1 })
  })

  it('names no number of transactions where one of the outputs fits none', async () => {
    const outputs = [
      { address: bob.address, amount: KAS },
      { address: bob.address, amount: 1000n },
    ]
    expect(await planningError({ outputs }, ['getFeeEstimate'])).toMatchObject({
      argument: 'outputs[1].amount',
      fits: 1,
      hint: expect.stringMatching(/^Nodes count/) as string,
    })
  })

  it('computes the smallest output also where the UTXOs do not cover all raised outputs', async () => {
    const toTwentyOutputs = (amount: bigint) => ({
      outputs: Array.from({ length: 20 }, () => ({ address: bob.address, amount })),
    })
    const error = await planningError({ entries: utxos([KAS]), ...toTwentyOutputs(4_000_000n) }, ['getFeeEstimate'])
    if (!isOutputTooSmall(error)) throw error
    expect(error.smallest).toBe(39_998_401n) // 25,000 grams each, 500,000 together
    expect(error.fits).toBe(2) // 250,000 grams each
    const { estimate } = createTransactions(createScriptedDependencies(noSdk))
    const payable = {
      ...validSettings,
      entries: utxos([20n * error.smallest + 1_000_000n]),
      ...toTwentyOutputs(error.smallest),
    }
    await expect(estimate(payable)).resolves.toMatchObject({ transactions: 1 })
  })

  it.each([
    [300_000n, {}, 2_162_400n],
    [530_000n, { priorityFee: 0n }, 2_162_400n],
    [10_000_000n, { feeRate: 3000 }, 59_644_256n],
  ])('reports a single UTXO of %s sompi that is too small to consolidate', async (amount, fee, required) => {
    const deps = createScriptedDependencies(noSdk)
    const consolidation = { entries: utxos([amount]), changeAddress: alice.address, ...fee }
    const error: unknown = await createTransactions(deps)
      .estimate(consolidation)
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: amount, required })
    expect(error).toMatchObject({ hint: 'Consolidate them together with other UTXOs.' })
    const payable = { ...consolidation, entries: utxos([required]) }
    await expect(createTransactions(deps).estimate(payable)).resolves.toMatchObject({ transactions: 1 })
  })

  it('reports unusable change under a rate, with both alternatives', async () => {
    const error = await planningError({ ...paying(100n * KAS - 5_000_000n), feeRate: 100 })
    expect(error.message).toBe(
      '0.048376 KAS would be left over: too much for a fee of 100 sompi per gram, too little for an output of its own',
    )
    expect(error.hint).toBe('Pay 0.048376 KAS more, or 0.151624 KAS less; or give priorityFee in place of feeRate.')
    if (!isInsufficientFunds(error)) throw error
    expect(error.required).toBeGreaterThan(error.spendable)
    const { estimate } = createTransactions(createScriptedDependencies(noSdk))
    for (const amount of [100n * KAS - 162_400n, 100n * KAS - 5_000_000n - 15_162_400n]) {
      await expect(estimate({ ...validSettings, ...paying(amount), feeRate: 100 })).resolves.toMatchObject({
        transactions: 1,
      })
    }
  })

  it.each([[[]], [[KAS]]])('rejects a replacement whose inputs do not fit beside its payload', (amounts) => {
    const policy = { kind: 'minimum', rate: 100 } as const
    const candidates = classified([], policy, utxos(Array.from({ length: 88 }, () => KAS)))
    const change = toScriptPublicKey(alice.address)
    const outputs = amounts.map((value) => ({ value, scriptPublicKey: change }))
    const planned = plan({ outputs, change, payload: 'ab'.repeat(245_000), policy, priorityFee: 0n }, candidates)
    if (planned.kind !== 'impossible') throw new Error('The payment was planned')
    expect(toError(planned, candidates, policy)).toMatchObject({
      code: 'mass-exceeded',
      argument: 'payload',
      message: '88 inputs do not fit beside the payload',
    })
  })

  it('rejects a payload beside which no input fits', async () => {
    expect(await planningError({ payload: 'ab'.repeat(250_000) }, ['getFeeEstimate'])).toMatchObject({
      code: 'mass-exceeded',
      argument: 'payload',
      message: 'An input does not fit beside the payload',
    })
  })
})
