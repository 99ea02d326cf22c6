import { describe, expect, it } from 'vitest'
import { recording, recordingsOf, world, type Recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

/** The recorded network began with such coins, all of one address; what was submitted spends them with real signatures. */
const PREALLOCATED = Array.from({ length: 100 }, () => ({
  address: world.addresses.whale ?? '',
  amount: 12_345_678_901_234_567n,
}))
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Some requests were shortened for the recording, and cannot be sent again. */
const isWhole = ({ requestBody = '' }: Recording): boolean => !requestBody.includes('…')

const replay = () => {
  const indexer = createLocalIndexer(PREALLOCATED)
  indexer.mine(3)
  return indexer
}

describe('transactions submitted one after another', () => {
  const indexer = replay()

  it.each(
    recordingsOf('submit')
      .filter(isWhole)
      .map((entry) => [entry.name, entry] as const),
  )('%s: taken or refused as by the recorded server, word for word', async (_, entry) => {
    const answer = await indexer.ask(entry.method, entry.path, entry.requestBody, JSON_HEADERS)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: entry.status, body: entry.body })
    expect(answer.headers).toEqual(entry.headers)
  })
})

/** The signed transaction of which the shortened requests are variations, as JSON that may be spoilt. */
const SIGNED = recording('submit', 'bare-model-unwrapped').requestBody ?? ''
const spoilt = (pattern: RegExp, by: string): string => SIGNED.replace(pattern, by)
const firstAmount = (by: string): string => spoilt(/"amount":\d+/, `"amount":${by}`)

const SPOILT: readonly (readonly [name: string, transaction: string])[] = [
  ['outpoint-nonhex', spoilt(/"transactionId":"\w+"/, `"transactionId":"${'z'.repeat(64)}"`)],
  ['orphan-not-allowed', spoilt(/"transactionId":"\w+"/, `"transactionId":"${'ab'.repeat(32)}"`)],
  ['amount-zero', firstAmount('0')],
  ['amount-negative', firstAmount('-1')],
  ['amount-over-u64', firstAmount('18446744073709551616')],
  ['amount-n-suffix', firstAmount('"250000000n"')],
  ['amount-hex', firstAmount('"0x10"')],
  ['amount-fraction', firstAmount('1.9')],
  ['amount-null', firstAmount('null')],
  ['amount-1e300', firstAmount('1e300')],
  ['version-too-big', spoilt(/"version":0,"inputs"/, '"version":70000,"inputs"')],
  ['version-2', spoilt(/"version":0,"inputs"/, '"version":2,"inputs"')],
  ['locktime-future', spoilt(/"lockTime":0/, '"lockTime":400000000000')],
  ['subnetwork-coinbase', spoilt(/"subnetworkId":"0{40}"/, `"subnetworkId":"01${'0'.repeat(38)}"`)],
  ['sequence-over-u64', spoilt(/"sequence":0/, '"sequence":18446744073709551616')],
  ['sigopcount-300', spoilt(/"sigOpCount":1/, '"sigOpCount":300')],
]

describe('a signed transaction with one field spoilt', () => {
  const withoutIds = (body = ''): string => body.replace(/[0-9a-f]{64}/g, 'ID')

  it.each(SPOILT)('%s: refused as by the recorded server, ids apart', async (name, transaction) => {
    const recorded = recording('submit', name)
    const answer = await replay().ask('POST', '/transactions', `{"transaction":${transaction}}`, JSON_HEADERS)
    expect({ status: answer.status, body: withoutIds(answer.body) }).toEqual({
      status: recorded.status,
      body: withoutIds(recorded.body),
    })
    expect(answer.headers).toEqual(recorded.headers)
  })
})
