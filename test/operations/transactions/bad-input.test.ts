import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { isInsufficientFunds } from '../../../src/errors/insufficient-funds.js'
import { isOutputTooSmall } from '../../../src/errors/output-too-small.js'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, coin, coins } from './people.js'
import { createWorld } from './world.js'

const MAINNET = 'kaspa:qr0lr4ml9fn3chekrqmjdkergxl93l4wrk3dankcgvjq776s9wn9jkdskewva'

const good: CreateTransactionSettings = {
  entries: coins([100n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
}

const noSdk = (): never => {
  throw new Error('planning asked for the SDK')
}

const paying = (amount: bigint, address = bob.address): Partial<CreateTransactionSettings> => ({
  outputs: [{ address, amount }],
})

/** The error of settings that are good but for `bad`; proves that the node was not asked and nothing reserved. */
async function refusal(bad: object, asked: readonly string[] = []): Promise<ChainError> {
  const world = createWorld(noSdk)
  const { estimate, create } = createTransactions(world)
  const settings = { ...good, ...bad }
  const errors = await Promise.all(
    [estimate(settings), create(settings)].map((each) => each.catch((error: unknown) => error)),
  )
  expect(errors.map(String)).toEqual([String(errors[0]), String(errors[0])])
  expect(new Set(world.calls)).toEqual(new Set(asked))
  expect(world.held.size).toBe(0)
  const [error] = errors
  if (!(error instanceof ChainError)) throw new Error(`no error of ours: ${String(error)}`)
  return error
}

describe('a bad argument is named, before the node is asked:', () => {
  it.each<[string, object, string, string]>([
    [
      'an amount of 0',
      paying(0n),
      'outputs[0].amount',
      '"outputs[0].amount" must be an amount above zero, in sompi, as a bigint',
    ],
    [
      'a negative amount',
      paying(-1n),
      'outputs[0].amount',
      '"outputs[0].amount" must be an amount above zero, in sompi, as a bigint',
    ],
    [
      'an amount as a number',
      { outputs: [{ address: bob.address, amount: 5 }] },
      'outputs[0].amount',
      '"outputs[0].amount" must be an amount above zero, in sompi, as a bigint',
    ],
    [
      'an amount beyond all coins',
      paying(MAX_SOMPI + 1n),
      'outputs[0].amount',
      '"outputs[0].amount" must be an amount above zero, in sompi, as a bigint',
    ],
    [
      'amounts that are too much together',
      { outputs: [...(paying(MAX_SOMPI).outputs ?? []), ...(paying(1n).outputs ?? [])] },
      'outputs',
      'The outputs hold more than there will ever be',
    ],
    [
      'an address of another network',
      paying(KAS, MAINNET),
      'outputs[0].address',
      'The address belongs to another network than simnet',
    ],
    [
      'an address with a wrong checksum',
      paying(
        KAS,
        bob.address.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
      ),
      'outputs[0].address',
      'The address has a wrong checksum',
    ],
    ['no address', { outputs: [{ amount: KAS }] }, 'outputs[0].address', '"outputs[0].address" must be an address'],
    [
      'outputs that are no list',
      { outputs: { address: bob.address, amount: KAS } },
      'outputs',
      '"outputs" must be an array of { address, amount }',
    ],
    [
      'a thousand outputs',
      { outputs: Array.from({ length: 1000 }, () => ({ address: bob.address, amount: KAS })) },
      'outputs',
      'A transaction has at most 999 recipients and change',
    ],
    [
      'a change address of another network',
      { changeAddress: MAINNET },
      'changeAddress',
      'The address belongs to another network than simnet',
    ],
    ['no change address', { changeAddress: undefined }, 'changeAddress', '"changeAddress" must be an address'],
    ['both fees', { feeRate: 100, priorityFee: 0n }, 'feeRate', 'Both feeRate and priorityFee are given'],
    [
      'a negative priority fee',
      { priorityFee: -1n },
      'priorityFee',
      '"priorityFee" must be an amount in sompi, as a bigint, zero or more',
    ],
    ['a negative fee rate', { feeRate: -1 }, 'feeRate', '"feeRate" must be a number of sompi per gram, zero or more'],
    [
      'a fee rate that is no number',
      { feeRate: Number.NaN },
      'feeRate',
      '"feeRate" must be a number of sompi per gram, zero or more',
    ],
    [
      'an endless fee rate',
      { feeRate: Infinity },
      'feeRate',
      '"feeRate" must be a number of sompi per gram, zero or more',
    ],
    ['a payload of odd length', { payload: 'abc' }, 'payload', 'The payload is not hex'],
    ['a payload that is no hex', { payload: 'zz' }, 'payload', 'The payload is not hex'],
    ['another network', { networkId: 'mainnet' }, 'networkId', 'The app is on simnet, not on "mainnet"'],
    ['entries that are no list', { entries: undefined }, 'entries', '"entries" must be an array of UTXO entries'],
    [
      'an entry of another network',
      { entries: [{ ...coin(KAS), address: MAINNET }] },
      'entries[0].address',
      'The entry belongs to another network than simnet',
    ],
    [
      'an entry without amount',
      { entries: [coin(0n)] },
      'entries[0].amount',
      '"entries[0].amount" must be a bigint above zero',
    ],
    [
      'an entry without place',
      { entries: [{ ...coin(KAS), outpoint: { transactionId: 'ab', index: 0 } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" names no transaction',
    ],
  ])('%s', async (_, bad, argument, message) => {
    expect(await refusal(bad)).toMatchObject({ code: 'invalid-argument', argument, message })
  })
})

describe('what cannot be paid', () => {
  it('is told with all sums: more than the balance', async () => {
    const error = await refusal({ ...paying(100n * KAS) }, ['getFeeEstimate'])
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

  it('is told with what is there but cannot be spent yet', async () => {
    const world = createWorld(noSdk)
    const entries = [
      coin(KAS, 0),
      coin(2n * KAS, 1),
      coin(4n * KAS, 2, { isCoinbase: true, blockDaaScore: 1500n }),
      coin(100_000n, 3),
    ]
    world.reservations.reserve([coin(0n, 1).outpoint])
    const error: unknown = await createTransactions(world)
      .estimate({ ...good, ...paying(3n * KAS), entries })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: 'insufficient-funds',
      spendable: KAS,
      immature: 4n * KAS,
      reserved: 2n * KAS,
      dust: 100_000n,
      hint: '4 KAS are mined and not ripe yet. 2 KAS are taken by payments under way. 0.001 KAS lie in coins that cost more to spend than they hold.',
    })
  })

  it('is told where there is no coin at all', async () => {
    expect(await refusal({ entries: [] }, ['getFeeEstimate'])).toMatchObject({
      code: 'insufficient-funds',
      spendable: 0n,
      required: 10n * KAS + 162_400n,
    })
  })

  it('is told of 5,000 coins of dust', async () => {
    const error = await refusal({ entries: coins(Array.from({ length: 5000 }, () => 100_000n)), ...paying(KAS) }, [
      'getFeeEstimate',
    ])
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: 0n, dust: 500_000_000n })
    expect(error.hint).toBe('5 KAS lie in coins that cost more to spend than they hold.')
  })

  it('is told of 5,000 coins that are just worth their fee', async () => {
    const error = await refusal({ entries: coins(Array.from({ length: 5000 }, () => 114_000n)), ...paying(5n * KAS) }, [
      'getFeeEstimate',
    ])
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: 570_000_000n })
  })

  it('names the output that is too small, the smallest there could be, and why', async () => {
    const error = await refusal({ outputs: [...(paying(KAS).outputs ?? []), ...(paying(1000n).outputs ?? [])] }, [
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

  it('is told where a rate leaves a rest that fits nowhere, with both ways out', async () => {
    const error = await refusal({ ...paying(100n * KAS - 5_000_000n), feeRate: 100 })
    expect(error.message).toBe(
      '0.048376 KAS would be left over: too much for a fee of 100 sompi per gram, too little for an output of its own',
    )
    expect(error.hint).toBe('Pay 0.048376 KAS more, or 0.151624 KAS less; or give priorityFee in place of feeRate.')
    if (!isInsufficientFunds(error)) throw error
    expect(error.required).toBeGreaterThan(error.spendable)
    const { estimate } = createTransactions(createWorld(noSdk))
    for (const amount of [100n * KAS - 162_400n, 100n * KAS - 5_000_000n - 15_162_400n]) {
      await expect(estimate({ ...good, ...paying(amount), feeRate: 100 })).resolves.toMatchObject({ transactions: 1 })
    }
  })

  it('is a payload that leaves no room for an input', async () => {
    expect(await refusal({ payload: 'ab'.repeat(250_000) }, ['getFeeEstimate'])).toMatchObject({
      code: 'mass-exceeded',
      argument: 'payload',
      message: 'There is no room for an input beside the payload',
    })
  })
})
