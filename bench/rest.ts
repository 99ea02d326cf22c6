import { QueryClient } from '@tanstack/query-core'
import { createRestClient } from '../src/rest/client.js'
import { parseJson } from '../src/rest/decoding/json.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const ADDRESS = 'kaspasim:qq2pfqdlzxq76cd2qf03lecg76xtqxxze8twkuvuek2t8ahlv9fss8gx7zape'
const SAMPLES = 15

/** A cached read against query-core, and a lossless parse against `JSON.parse`. */
export async function run(): Promise<BenchRow[]> {
  return [await cachedRead(), parse('with long integers', true), parse('without', false)]
}

/** Alternates both sides, so that load on the machine affects both. */
async function cachedRead(): Promise<BenchRow> {
  const body = JSON.stringify({ address: ADDRESS, balance: 5 })
  const fetcher = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }))
  const rest = createRestClient({ baseUrl: 'https://indexer.test', staleTime: Infinity, fetcher })
  const client = new QueryClient()
  const query = {
    queryKey: ['balance', ADDRESS],
    queryFn: () => Promise.resolve({ address: ADDRESS, balance: 5 }),
    staleTime: Infinity,
  }
  const ours: number[] = []
  const theirs: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    ours.push(await timePerCall(() => rest.getAddressBalance(ADDRESS)))
    theirs.push(await timePerCall(() => client.query(query)))
  }
  client.clear()
  rest.dispose()
  return toRow('a cached REST read', 'query-core’s query', median(ours), median(theirs), 1.2, 'µs')
}

const CALLS = 20_000

/** Microseconds. */
async function timePerCall(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < CALLS; at++) await call()
  return ((performance.now() - start) * 1000) / CALLS
}

function parse(what: string, isLong: boolean): BenchRow {
  const text = transactionsOf(5_000_000, isLong)
  const ours: number[] = []
  const theirs: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    ours.push(timeOf(() => parseJson(text)))
    theirs.push(timeOf(() => JSON.parse(text)))
  }
  return toRow(`a lossless parse of 5 MB ${what}`, 'JSON.parse', median(ours), median(theirs), 3, 'ms')
}

function timeOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** A list of transactions in the format of the indexer, of about `bytes` bytes. */
function transactionsOf(bytes: number, isLong: boolean): string {
  const amount = isLong ? '1192567684821667387' : '500000000'
  const id = 'e1'.repeat(32)
  const output = `{"transaction_id":"${id}","index":0,"amount":${amount},"script_public_key":"20${id}ac","script_public_key_address":"${ADDRESS}","script_public_key_type":"pubkey"}`
  const input = `{"transaction_id":"${id}","index":0,"previous_outpoint_hash":"${id}","previous_outpoint_index":"0","previous_outpoint_amount":${amount},"signature_script":"41${id}${id}01","sig_op_count":"1"}`
  const transaction = `{"transaction_id":"${id}","mass":"2036","payload":null,"block_time":1795233096585,"is_accepted":true,"inputs":[${input}],"outputs":[${output},${output}]}`
  return `[${Array.from({ length: Math.ceil(bytes / transaction.length) }, () => transaction).join(',')}]`
}

function toRow(what: string, against: string, ours: number, theirs: number, limit: number, unit: string): BenchRow {
  const ratio = ours / theirs
  const detail = `${ours.toFixed(2)} ${unit} against ${theirs.toFixed(2)} ${unit}`
  return { what, against, ratio, goal: `≤ ${limit} ×`, met: ratio <= limit, detail }
}
