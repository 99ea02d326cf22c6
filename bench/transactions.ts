import { createSdk } from '#sdk'
import { toScriptPublicKey } from '../src/model/address.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createTransactions, type TransactionOperations } from '../src/operations/transactions/transactions.js'
import type { SdkPort } from '../src/sdk/port.js'
import { loadSdk } from '../src/sdk/wasm/load.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

type Sdk = ReturnType<typeof createSdk>

const INPUTS = 1000
const ROUNDS = 11
const KAS = 100_000_000n
const KEY = '33'.repeat(32)

/** What both builders are asked: all of a thousand coins but the fees, so that they have to be moved together first. */
interface Payment {
  readonly entries: UtxoEntry[]
  readonly outputs: { address: string; amount: bigint }[]
  readonly changeAddress: string
}

/** A payment from 1,000 coins, planned and signed, planned alone, and the memory that plans leave behind. */
export async function run(): Promise<BenchRow[]> {
  const port = await loadSdk()
  const sdk = createSdk()
  await sdk.default()
  const ours = operationsOn(port)
  const payment = toPayment(port.address(port.publicKey(KEY).xOnly, 'mainnet'))
  return [
    withShare(
      await compare('create and sign 1,000 inputs, compounding', 'the SDK: Generator and sign', 0.5, {
        ours: () => createAndSign(ours, payment),
        theirs: () => generate(sdk, payment, [new sdk.PrivateKey(KEY)]),
      }),
      await signaturesAlone(port),
    ),
    await compare('estimate a payment from 1,000 inputs', 'the SDK: Generator to its end', 1, {
      ours: () => ours.estimate({ ...payment, feeRate: 100 }),
      theirs: () => generate(sdk, payment, []),
    }),
    await memoryAfter(100, () => createAndSign(ours, payment)),
  ]
}

/** Our operations with a node that is never asked: the settings name the fee. */
function operationsOn(port: SdkPort): TransactionOperations {
  return createTransactions({
    network: () => 'mainnet',
    call: (method) => Promise.reject(new Error(`${method} was asked for`)),
    sdk: () => port,
    reservations: { isReserved: () => false, reserve: () => () => undefined },
    rejected: () => undefined,
    replaced: () => undefined,
    whenConnected: () => Promise.resolve(),
    pause: () => Promise.resolve(),
  })
}

function toPayment(address: string): Payment {
  const scriptPublicKey = toScriptPublicKey(address)
  const entries = Array.from({ length: INPUTS }, (_, number) => ({
    address,
    outpoint: { transactionId: number.toString(16).padStart(64, '0'), index: 0 },
    amount: KAS,
    scriptPublicKey,
    blockDaaScore: 0n,
    isCoinbase: false,
  }))
  return { entries, outputs: [{ address, amount: BigInt(INPUTS) * KAS - 2n * KAS }], changeAddress: address }
}

async function createAndSign(operations: TransactionOperations, payment: Payment): Promise<void> {
  const { transactions } = await operations.create({ ...payment, feeRate: 100 })
  for (const transaction of transactions) transaction.sign([KEY])
}

/** Runs the SDK's own builder to its end; signs what it makes where there are keys. */
async function generate(sdk: Sdk, payment: Payment, keys: InstanceType<Sdk['PrivateKey']>[]): Promise<void> {
  const generator = new sdk.Generator({ ...payment, priorityFee: 0n, networkId: 'mainnet' } as ConstructorParameters<
    Sdk['Generator']
  >[0])
  for (
    let next: unknown = await generator.next();
    next instanceof sdk.PendingTransaction;
    next = await generator.next()
  ) {
    if (keys.length > 0) next.sign(keys)
    next.free()
  }
  generator.free()
}

/** Both take turns, so that drift hits both; the first two rounds warm and are left out. */
async function compare(
  what: string,
  against: string,
  limit: number,
  { ours, theirs }: { readonly ours: () => Promise<unknown>; readonly theirs: () => Promise<unknown> },
): Promise<BenchRow> {
  const times: (readonly [number, number])[] = []
  for (let round = 0; round < ROUNDS + 2; round++) times.push([await timed(ours), await timed(theirs)])
  const [own, their] = [median(times.slice(2).map(([time]) => time)), median(times.slice(2).map(([, time]) => time))]
  return {
    what,
    against,
    ratio: own / their,
    goal: `≤ ${limit} ×`,
    met: own / their <= limit,
    detail: `${own.toFixed(1)} ms against ${their.toFixed(1)} ms, median of ${ROUNDS}`,
  }
}

/** What the SDK takes for as many bare signatures, in ms: it derives the key pair anew for each, and nobody can spare it that. */
async function signaturesAlone(port: SdkPort): Promise<number> {
  const hashes = Array.from({ length: INPUTS }, (_, number) => new Uint8Array(32).fill(number))
  const times: number[] = []
  for (let round = 0; round < 5; round++) times.push(await timed(() => Promise.resolve(port.signHashes(hashes, KEY))))
  return median(times)
}

const withShare = (row: BenchRow, signing: number): BenchRow => ({
  ...row,
  detail: `${row.detail}; 1,000 bare signatures of the SDK's signScriptHash take ${signing.toFixed(1)} ms`,
})

async function timed(call: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await call()
  return performance.now() - from
}

/** JavaScript heap and WASM memory after many plans, against the same after the first few. */
async function memoryAfter(plans: number, plan: () => Promise<void>): Promise<BenchRow> {
  for (let round = 0; round < 5; round++) await plan()
  const before = memory()
  for (let round = 0; round < plans; round++) await plan()
  const after = memory()
  return {
    what: `memory after ${plans} plans of 1,000 inputs, signed`,
    against: 'the same after 5',
    ratio: after / before,
    goal: '≤ 1.1 ×',
    met: after / before <= 1.1,
    detail: `${(after / 2 ** 20).toFixed(1)} MiB against ${(before / 2 ** 20).toFixed(1)} MiB of heap and WASM memory`,
  }
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}
