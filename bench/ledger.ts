import { schnorr } from '@noble/curves/secp256k1.js'
import { createLedger, type Ledger } from '../src/devnode/ledger/ledger.js'
import { addressOfPublicKey, encodeAddress } from '../src/model/address.js'
import { blake2b256 } from '../src/model/hashing.js'
import { toHex } from '../src/model/hex.js'
import { sighash } from '../src/model/sighash.js'
import { createTransaction, type Transaction } from '../src/model/transaction.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import type { BenchRow } from './row.js'

/** Load limits of the simulated network, in processor time, so that other processes do not count. */

const UTXO = 10_000_000_000n
const FEE = 1_000_000n
const KEY = new Uint8Array(32).fill(0x33)
const ADDRESS = addressOfPublicKey(toHex(schnorr.getPublicKey(KEY)), 'kaspasim')

/** A script that needs no signature, so that full blocks measure the ledger without signature checks. */
const ANYONE_CAN_SPEND = encodeAddress('kaspasim', 'ScriptHash', blake2b256(Uint8Array.of(0x51)))

const BLOCKS = 100
const PER_BLOCK = 100
const PAYMENTS = 600
const UTXO_COUNT = 100_000

export async function run(): Promise<BenchRow[]> {
  await Promise.resolve()
  return [start(), memory(), mining(), admission()]
}

function start(): BenchRow {
  const seconds = timed(() => createLedger({ faucet: 10n ** 17n, genesisUtxos: utxosFor(ADDRESS, 10) }))
  return row('start a network with ten funded accounts', seconds, 1, `${(1000 * seconds).toFixed(1)} ms`)
}

function memory(): BenchRow {
  globalThis.gc?.()
  const before = process.memoryUsage()
  const ledger = createLedger({ genesisUtxos: utxosFor(ADDRESS, UTXO_COUNT) })
  const seconds = timed(() => ledger.call('getUtxosByAddresses', { addresses: [ADDRESS] }, 0))
  globalThis.gc?.()
  const after = process.memoryUsage()
  const megabytes = Math.max(after.heapUsed - before.heapUsed, after.rss - before.rss) / 1e6
  const detail = `${megabytes.toFixed(0)} MB of 200; all of them listed in ${(1000 * seconds).toFixed(0)} ms (${String(ledger.expected.utxos().length)})`
  return row(`hold ${String(UTXO_COUNT)} UTXOs of one address`, megabytes, 200, detail)
}

function mining(): BenchRow {
  const ledger = createLedger({ genesisUtxos: utxosFor(ANYONE_CAN_SPEND, BLOCKS * PER_BLOCK) })
  const utxos = ledger.expected.utxos([ANYONE_CAN_SPEND])
  let seconds = 0
  for (let block = 0; block < BLOCKS; block++) {
    for (const utxo of utxos.slice(block * PER_BLOCK, (block + 1) * PER_BLOCK)) submit(ledger, unsignedPayment(utxo))
    seconds += timed(() => ledger.mine({ now: 1_800_000_000_000 + 100 * block }))
  }
  const detail = `${(BLOCKS / seconds).toFixed(0)} blocks a second, ${String(ledger.expected.mempool().length)} transactions left`
  return row(`mine ${String(BLOCKS)} blocks of ${String(PER_BLOCK)} transactions`, seconds, 1, detail)
}

function admission(): BenchRow {
  const ledger = createLedger({ genesisUtxos: utxosFor(ADDRESS, PAYMENTS) })
  const payments = ledger.expected.utxos([ADDRESS]).map(signedPayment)
  const seconds = timed(() => {
    for (const signed of payments) submit(ledger, signed)
  })
  const detail = `${(PAYMENTS / seconds).toFixed(0)} a second, ${String(ledger.expected.mempool().length)} of them`
  return row(`verify and admit ${String(PAYMENTS)} payments of one input`, seconds, PAYMENTS / 300, detail)
}

const utxosFor = (address: string, count: number) => Array.from({ length: count }, () => ({ address, amount: UTXO }))

function submit(ledger: Ledger, transaction: Transaction): void {
  const result = ledger.call('submitTransaction', { transaction, allowOrphan: false }, 0)
  if (!result.ok) throw new Error(result.message)
}

function payment(
  { outpoint, amount, scriptPublicKey }: UtxoEntry,
  signatureScript: string,
  sigOpCount: number,
): Transaction {
  const input = { previousOutpoint: outpoint, signatureScript, sequence: 0n, sigOpCount }
  const outputs = [{ value: amount - FEE, scriptPublicKey }]
  return createTransaction({ inputs: [input], outputs })
}

const unsignedPayment = (utxo: UtxoEntry): Transaction => payment(utxo, '0151', 0)

function signedPayment(utxo: UtxoEntry): Transaction {
  const signature = schnorr.sign(sighash(payment(utxo, '', 1), 0, [utxo]), KEY, new Uint8Array(32))
  return payment(utxo, `41${toHex(signature)}01`, 1)
}

/** Seconds of processor time. */
function timed(work: () => unknown): number {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1e6
}

const row = (what: string, measured: number, limit: number, detail: string): BenchRow => ({
  what,
  against: 'its limit',
  ratio: measured / limit,
  goal: '≤ 1 ×',
  met: measured <= limit,
  detail,
})
