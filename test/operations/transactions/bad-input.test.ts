import { describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import { KAS, bob, coin } from './people.js'
import { paying, refusal } from './refusal.js'

const MAINNET = 'kaspa:qr0lr4ml9fn3chekrqmjdkergxl93l4wrk3dankcgvjq776s9wn9jkdskewva'

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
    ['no output', { outputs: [undefined] }, 'outputs[0].address', '"outputs[0].address" must be an address'],
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
      '"entries[0].amount" must be a bigint above zero, and no more than there will ever be',
    ],
    [
      'an entry that holds more than all coins',
      { entries: [coin(2n ** 64n + KAS)] },
      'entries[0].amount',
      '"entries[0].amount" must be a bigint above zero, and no more than there will ever be',
    ],
    [
      'an entry at a place beyond all places',
      { entries: [{ ...coin(KAS), outpoint: { transactionId: 'ab'.repeat(32), index: 2 ** 32 } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" names no transaction output',
    ],
    [
      'an entry whose address is null',
      { entries: [{ ...coin(KAS), address: null }] },
      'entries[0].address',
      '"entries[0].address" must be text, or left out',
    ],
    [
      'an entry whose covenant is null',
      { entries: [{ ...coin(KAS), covenantId: null }] },
      'entries[0].covenantId',
      '"entries[0].covenantId" must be hex, or left out',
    ],
    [
      'an entry without place',
      { entries: [{ ...coin(KAS), outpoint: { transactionId: 'ab', index: 0 } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" names no transaction output',
    ],
    [
      'an entry whose place is not counted',
      { entries: [{ ...coin(KAS), outpoint: { transactionId: 'ab'.repeat(32), index: '0' } }] },
      'entries[0].outpoint',
      '"entries[0].outpoint" names no transaction output',
    ],
    ['no entry', { entries: [null] }, 'entries[0].outpoint', '"entries[0].outpoint" names no transaction output'],
    [
      'an entry whose script is a text',
      { entries: [{ ...coin(KAS), scriptPublicKey: '0000' }] },
      'entries[0].scriptPublicKey',
      '"entries[0].scriptPublicKey" must be a version and a script, in hex',
    ],
    [
      'an entry whose score is a text',
      { entries: [{ ...coin(KAS), blockDaaScore: '500' }] },
      'entries[0].blockDaaScore',
      '"entries[0].blockDaaScore" must be a bigint',
    ],
    [
      'an entry that may be coinbase or not',
      { entries: [{ ...coin(KAS), isCoinbase: undefined }] },
      'entries[0].isCoinbase',
      '"entries[0].isCoinbase" must be true or false',
    ],
  ])('%s', async (_, bad, argument, message) => {
    expect(await refusal(bad)).toMatchObject({ code: 'invalid-argument', argument, message })
  })
})
