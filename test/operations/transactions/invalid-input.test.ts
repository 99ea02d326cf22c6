import { describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import { KAS, bob, utxo } from './accounts.js'
import { paying, planningError } from './planning-error.js'

const MAINNET = 'kaspa:qr0lr4ml9fn3chekrqmjdkergxl93l4wrk3dankcgvjq776s9wn9jkdskewva'

describe('an invalid argument is rejected before any call:', () => {
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
      'an amount above the maximum supply',
      paying(MAX_SOMPI + 1n),
      'outputs[0].amount',
      '"outputs[0].amount" must be an amount above zero, in sompi, as a bigint',
    ],
    [
      'amounts whose sum exceeds the maximum supply',
      { outputs: [...(paying(MAX_SOMPI).outputs ?? []), ...(paying(1n).outputs ?? [])] },
      'outputs',
      'The outputs exceed the maximum supply',
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
    ['no output', { outputs: [undefined] }, 'outputs[0].address', '"outputs[0].address" must be an address'],
    [
      'outputs that are not a list',
      { outputs: { address: bob.address, amount: KAS } },
      'outputs',
      '"outputs" must be an array of { address, amount }, not empty',
    ],
    ['empty outputs', { outputs: [] }, 'outputs', '"outputs" must be an array of { address, amount }, not empty'],
    [
      'undefined outputs',
      { outputs: undefined },
      'outputs',
      '"outputs" must be an array of { address, amount }, not empty',
    ],
    ['an unknown setting', { feerate: 200 }, 'feerate', 'There is no setting "feerate"'],
    ['an inherited name', { toString: 1 }, 'toString', 'There is no setting "toString"'],
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
    [
      'a negative fee rate',
      { feeRate: -1 },
      'feeRate',
      '"feeRate" must be a number of sompi per gram, zero or more, or low, normal or priority',
    ],
    [
      'a fee rate that is not a number',
      { feeRate: Number.NaN },
      'feeRate',
      '"feeRate" must be a number of sompi per gram, zero or more, or low, normal or priority',
    ],
    [
      'an infinite fee rate',
      { feeRate: Infinity },
      'feeRate',
      '"feeRate" must be a number of sompi per gram, zero or more, or low, normal or priority',
    ],
    ['a payload of odd length', { payload: 'abc' }, 'payload', 'The payload is not hex'],
    ['a payload that is not hex', { payload: 'zz' }, 'payload', 'The payload is not hex'],
    ['another network', { networkId: 'mainnet' }, 'networkId', 'The app is on simnet, not on "mainnet"'],
    ['entries that are not a list', { entries: undefined }, 'entries', '"entries" must be an array of UTXO entries'],
    [
      'an entry of another network',
      { entries: [{ ...utxo(KAS), address: MAINNET }] },
      'entries[0].address',
      'The entry belongs to another network than simnet',
    ],
    [
      'an entry without amount',
      { entries: [utxo(0n)] },
      'entries[0].amount',
      '"entries[0].amount" must be a bigint above zero, and at most the maximum supply',
    ],
    [
      'an entry above the maximum supply',
      { entries: [utxo(2n ** 64n + KAS)] },
      'entries[0].amount',
      '"entries[0].amount" must be a bigint above zero, and at most the maximum supply',
    ],
    [
      'an entry with an output index above 32 bits',
      { entries: [{ ...utxo(KAS), outpoint: { transactionId: 'ab'.repeat(32), index: 2 ** 32 } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" is not the outpoint of a transaction output',
    ],
    [
      'an entry whose address is null',
      { entries: [{ ...utxo(KAS), address: null }] },
      'entries[0].address',
      '"entries[0].address" must be text, or left out',
    ],
    [
      'an entry whose covenant is null',
      { entries: [{ ...utxo(KAS), covenantId: null }] },
      'entries[0].covenantId',
      '"entries[0].covenantId" must be hex, or left out',
    ],
    [
      'an entry with a malformed outpoint',
      { entries: [{ ...utxo(KAS), outpoint: { transactionId: 'ab', index: 0 } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" is not the outpoint of a transaction output',
    ],
    [
      'an entry whose output index is a string',
      { entries: [{ ...utxo(KAS), outpoint: { transactionId: 'ab'.repeat(32), index: '0' } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" is not the outpoint of a transaction output',
    ],
    [
      'no entry',
      { entries: [null] },
      'entries[0].outpoint',
      '"entries[0].outpoint" is not the outpoint of a transaction output',
    ],
    [
      'an entry whose script is a string',
      { entries: [{ ...utxo(KAS), scriptPublicKey: '0000' }] },
      'entries[0].scriptPublicKey',
      '"entries[0].scriptPublicKey" must be a version and a script, in hex',
    ],
    [
      'an entry whose score is a string',
      { entries: [{ ...utxo(KAS), blockDaaScore: '500' }] },
      'entries[0].blockDaaScore',
      '"entries[0].blockDaaScore" must be a bigint',
    ],
    [
      'an entry without isCoinbase',
      { entries: [{ ...utxo(KAS), isCoinbase: undefined }] },
      'entries[0].isCoinbase',
      '"entries[0].isCoinbase" must be true or false',
    ],
  ])('%s', async (_, bad, argument, message) => {
    expect(await planningError(bad)).toMatchObject({ code: 'invalid-argument', argument, message })
  })
})
