import { schnorr } from '@noble/curves/secp256k1.js'
import { createLedger, type Ledger } from '../src/devnode/ledger/ledger.js'
import { addressOfPublicKey, encodeAddress } from '../src/model/address.js'
import { blake2b256 } from '../src/model/hashing.js'
import { toHex } from '../src/model/hex.js'
import { sighash } from '../src/model/sighash.js'
import { NATIVE_SUBNETWORK, type Transaction } from '../src/model/transaction.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import type { BenchRow } from './row.js'

/** What the simulated network must bear, each against the limit that is set for it, in processor time: the machine may be busy. */

const COIN = 10_000_000_000n
const FEE = 1_000_000n
const KEY = new Uint8Array(32).fill(0x33)
const OWNER = addressOfPublicKey(toHex(schnorr.getPublicKey(KEY)), 'kaspasim')

/** A script that anybody satisfies, so that blocks full of its spends measure the ledger and not the curve. */
const ANYONE = encodeAddress('kaspasim', 'ScriptHash', blake2b256(Uint8Array.of(0x51)))

const BLOCKS = 100
const PER_BLOCK = 100
const PAYMENTS = 600
const HELD = 100_000

export async function run(): Promise<BenchRow[]> {
  await Promise.resolve()
  return [start(), hold(), mining(), admission()]
}

function start(): BenchRow {
  const seconds = timed(() => createLedger({ faucet: 10n ** 17n, genesisCoins: coinsFor(OWNER, 10) }))
  return row('start a network with ten funded accounts', seconds, 1, `${(1000 * seconds).toFixed(1)} ms`)
}

function hold(): BenchRow {
  globalThis.gc?.()
  const before = process.memoryUsage()
  const ledger = createLedger({ genesisCoins: coinsFor(OWNER, HELD) })
  const seconds = timed(() => ledger.answer('getUtxosByAddresses', { addresses: [OWNER] }, 0))
  globalThis.gc?.()
  const after = process.memoryUsage()
  const megabytes = Math.max(after.heapUsed - before.heapUsed, after.rss - before.rss) / 1e6
  const detail = `${megabytes.toFixed(0)} MB of 200; all of them listed in ${(1000 * seconds).toFixed(0)} ms (${String(ledger.truth.utxos().length)})`
  return row(`hold ${String(HELD)} coins of one address`, megabytes, 200, detail)
}

function mining(): BenchRow {
  const ledger = createLedger({ genesisCoins: coinsFor(ANYONE, BLOCKS * PER_BLOCK) })
  const coins = ledger.truth.utxos([ANYONE])
  let seconds = 0
  for (let block = 0; block < BLOCKS; block++) {
    for (const coin of coins.slice(block * PER_BLOCK, (block + 1) * PER_BLOCK)) submit(ledger, payByAnyone(coin))
    seconds += timed(() => ledger.mine({ now: 1_800_000_000_000 + 100 * block }))
  }
  const detail = `${(BLOCKS / seconds).toFixed(0)} blocks a second, ${String(ledger.truth.mempool().length)} transactions left`
  return row(`mine ${String(BLOCKS)} blocks of ${String(PER_BLOCK)} transactions`, seconds, 1, detail)
}

function admission(): BenchRow {
  const ledger = createLedger({ genesisCoins: coinsFor(OWNER, PAYMENTS) })
  const payments = ledger.truth.utxos([OWNER]).map(signedPayment)
  const seconds = timed(() => {
    for (const signed of payments) submit(ledger, signed)
  })
  const detail = `${(PAYMENTS / seconds).toFixed(0)} a second, ${String(ledger.truth.mempool().length)} of them`
  return row(`verify and admit ${String(PAYMENTS)} payments of one input`, seconds, PAYMENTS / 300, detail)
}

const coinsFor = (address: string, count: number) => Array.from({ length: count }, () => ({ address, amount: COIN }))

function submit(ledger: Ledger, transaction: Transaction): void {
  const answer = ledger.answer('submitTransaction', { transaction, allowOrphan: false }, 0)
  if (!answer.ok) throw new Error(answer.message)
}

function payment(
  { outpoint, amount, scriptPublicKey }: UtxoEntry,
  signatureScript: string,
  sigOpCount: number,
): Transaction {
  const input = { previousOutpoint: outpoint, signatureScript, sequence: 0n, sigOpCount }
  const outputs = [{ value: amount - FEE, scriptPublicKey }]
  return {
    version: 0,
    inputs: [input],
    outputs,
    lockTime: 0n,
    subnetworkId: NATIVE_SUBNETWORK,
    gas: 0n,
    payload: '',
    mass: 0n,
  }
}

const payByAnyone = (coin: UtxoEntry): Transaction => payment(coin, '0151', 0)

function signedPayment(coin: UtxoEntry): Transaction {
  const signature = schnorr.sign(sighash(payment(coin, '', 1), 0, [coin]), KEY, new Uint8Array(32))
  return payment(coin, `41${toHex(signature)}01`, 1)
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
