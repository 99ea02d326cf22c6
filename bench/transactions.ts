import { createSdk } from '#sdk'
import { toScriptPublicKey } from '../src/model/address.js'
import { createSentIds } from '../src/model/bounded-collections.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createTransactions } from '../src/operations/transactions/transactions.js'
import type { TransactionOperations } from '../src/operations/transactions/transaction-operations.js'
import type { SdkPort } from '../src/sdk/port.js'
import { loadSdk } from '../src/sdk/wasm/load.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

type Sdk = ReturnType<typeof createSdk>

const INPUTS = 1000
const ROUNDS = 11
const KAS = 100_000_000n
const KEY = '33'.repeat(32)
const BARE_SIGNATURES = "1,000 bare calls of the SDK's signScriptHash"

/** Input of both builders: spends 1,000 UTXOs except the fees, which needs compounding. */
interface Payment {
  readonly entries: UtxoEntry[]
  readonly outputs: { address: string; amount: bigint }[]
  readonly changeAddress: string
}

/** A payment from 1,000 UTXOs: planned and signed, planned only, and the memory after many plans. */
export async function run(): Promise<BenchRow[]> {
  const port = await loadSdk()
  const sdk = createSdk()
  await sdk.default()
  const ours = operationsOn(port)
  const payment = toPayment(port.address(port.publicKey(KEY).xOnly, 'mainnet'))
  return [
    await compare('create and sign 1,000 inputs, compounding', BARE_SIGNATURES, 1.1, {
      ours: () => createAndSign(ours, payment),
      theirs: signaturesAlone(port),
    }),
    await compare('create and sign 1,000 inputs, compounding', 'the SDK: Generator and sign, wrong for payloads', 2.2, {
      ours: () => createAndSign(ours, payment),
      theirs: () => generate(sdk, payment, [new sdk.PrivateKey(KEY)]),
    }),
    await compare('estimate a payment from 1,000 inputs', 'the SDK: Generator to its end', 1, {
      ours: () => ours.estimate({ ...payment, feeRate: 100 }),
      theirs: () => generate(sdk, payment, []),
    }),
    await memoryAfter(100, () => createAndSign(ours, payment)),
  ]
}

/** Our operations without a node: the settings contain the fee rate. */
function operationsOn(port: SdkPort): TransactionOperations {
  return createTransactions({
    network: () => 'mainnet',
    call: (method) => Promise.reject(new Error(`${method} was called`)),
    sentIds: createSentIds(),
    sdk: () => port,
    reservations: { reserved: () => [], reserve: () => () => undefined },
    onRejected: () => undefined,
    onReplaced: () => undefined,
    rememberChange: () => undefined,
    keyPathOf: () => undefined,
    signedAmounts: undefined,
    whenConnected: () => Promise.resolve(),
    now: () => Date.now(),
    pause: () => Promise.resolve(),
    logger: { warn: () => undefined },
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

/** Runs the SDK's Generator to its end; signs its transactions if keys are given. */
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

/** Alternates both sides, so that drift affects both; the first two rounds are a warm-up. */
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

/** As many bare signatures of the SDK, which derives the key pair again for each. */
function signaturesAlone(port: SdkPort): () => Promise<unknown> {
  const hashes = Array.from({ length: INPUTS }, (_, number) => new Uint8Array(32).fill(number))
  return () => Promise.resolve(port.signHashes(hashes, KEY))
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await call()
  return performance.now() - from
}

/** JavaScript heap and WASM memory after many plans, against the same after five. */
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
