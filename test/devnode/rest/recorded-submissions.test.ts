import { describe, expect, it } from 'vitest'
import { recording, recordingsOf, world, type Recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

/**
 * The recorded network's genesis UTXOs, all of one address; the submitted transactions spend them with valid
 * signatures.
 */
const PREALLOCATED = Array.from({ length: 100 }, () => ({
  address: world.addresses.whale ?? '',
  amount: 12_345_678_901_234_567n,
}))
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Requests that were shortened for the recording cannot be replayed. */
const isWhole = ({ requestBody = '' }: Recording): boolean => !requestBody.includes('…')

const replay = () => {
  const indexer = createLocalIndexer(PREALLOCATED)
  indexer.mine(3)
  return indexer
}

describe('transactions submitted in sequence', () => {
  const indexer = replay()

  it.each(
    recordingsOf('submit')
      .filter(isWhole)
      .map((entry) => [entry.name, entry] as const),
  )('%s: has the recorded response', async (_, entry) => {
    const response = await indexer.request(entry.method, entry.path, entry.requestBody, JSON_HEADERS)
    expect({ status: response.status, body: response.body }).toEqual({ status: entry.status, body: entry.body })
    expect(response.headers).toEqual(entry.headers)
  })
})

/** The signed transaction that the shortened requests are variations of, as JSON. */
const SIGNED = recording('submit', 'bare-model-unwrapped').requestBody ?? ''
const withReplaced = (pattern: RegExp, by: string): string => SIGNED.replace(pattern, by)
const firstAmount = (by: string): string => withReplaced(/"amount":\d+/, `"amount":${by}`)

const INVALID: readonly (readonly [name: string, transaction: string])[] = [
  ['outpoint-nonhex', withReplaced(/"transactionId":"\w+"/, `"transactionId":"${'z'.repeat(64)}"`)],
  ['orphan-not-allowed', withReplaced(/"transactionId":"\w+"/, `"transactionId":"${'ab'.repeat(32)}"`)],
  ['amount-zero', firstAmount('0')],
  ['amount-negative', firstAmount('-1')],
  ['amount-over-u64', firstAmount('18446744073709551616')],
  ['amount-n-suffix', firstAmount('"250000000n"')],
  ['amount-hex', firstAmount('"0x10"')],
  ['amount-fraction', firstAmount('1.9')],
  ['amount-null', firstAmount('null')],
  ['amount-1e300', firstAmount('1e300')],
  ['version-too-big', withReplaced(/"version":0,"inputs"/, '"version":70000,"inputs"')],
  ['version-2', withReplaced(/"version":0,"inputs"/, '"version":2,"inputs"')],
  ['locktime-future', withReplaced(/"lockTime":0/, '"lockTime":400000000000')],
  ['subnetwork-coinbase', withReplaced(/"subnetworkId":"0{40}"/, `"subnetworkId":"01${'0'.repeat(38)}"`)],
  ['sequence-over-u64', withReplaced(/"sequence":0/, '"sequence":18446744073709551616')],
  ['sigopcount-300', withReplaced(/"sigOpCount":1/, '"sigOpCount":300')],
]

describe('a signed transaction with one invalid field', () => {
  const withoutIds = (body = ''): string => body.replace(/[0-9a-f]{64}/g, 'ID')

  it.each(INVALID)('%s: has the recorded error, except for ids', async (name, transaction) => {
    const recorded = recording('submit', name)
    const response = await replay().request('POST', '/transactions', `{"transaction":${transaction}}`, JSON_HEADERS)
    expect({ status: response.status, body: withoutIds(response.body) }).toEqual({
      status: recorded.status,
      body: withoutIds(recorded.body),
    })
    expect(response.headers).toEqual(recorded.headers)
  })
})
