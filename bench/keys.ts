import { createSdk } from '#sdk'
import { createKeys } from '../src/operations/keys/keys.js'
import { loadSdk } from '../src/sdk/wasm/load.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

type Sdk = ReturnType<typeof createSdk>

const COUNT = 1000
const ROUNDS = 15
const LIMIT = 1.1
const MNEMONIC = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** The first 1,000 public keys of a mnemonic with their addresses, against the bare SDK. */
export async function run(): Promise<BenchRow[]> {
  const port = await loadSdk()
  const keys = createKeys(() => port)
  const sdk = createSdk()
  await sdk.default()
  const ours = (): unknown => keys.derivePublicKeys(MNEMONIC, 'mainnet', COUNT, 0)
  return [
    compare('the SDK, both read from its objects', ours, () => keysAndAddresses(sdk)),
    compare("the SDK's addresses alone, as strings", ours, () => addressesAlone(sdk)),
  ]
}

const addressesAlone = (sdk: Sdk): unknown => generatorOf(sdk).receiveAddressAsStrings('mainnet', 0, COUNT)

const keysAndAddresses = (sdk: Sdk): unknown =>
  generatorOf(sdk)
    .receivePubkeys(0, COUNT)
    .map((found, index) => {
      const key = typeof found === 'string' ? new sdk.PublicKey(found) : found
      return { index, publicKeyHex: key.toString(), address: key.toAddress('mainnet').toString() }
    })

function generatorOf(sdk: Sdk): ReturnType<Sdk['PublicKeyGenerator']['fromMasterXPrv']> {
  const master = new sdk.XPrv(new sdk.Mnemonic(MNEMONIC).toSeed(''))
  return sdk.PublicKeyGenerator.fromMasterXPrv(master, false, 0n)
}

/** Alternates both sides, so that drift affects both; the first round is a warm-up. */
function compare(against: string, ours: () => unknown, theirs: () => unknown): BenchRow {
  const times = Array.from({ length: ROUNDS + 1 }, () => [timed(ours), timed(theirs)] as const).slice(1)
  const [own, their] = [median(times.map(([time]) => time)), median(times.map(([, time]) => time))]
  return {
    what: `derive ${COUNT} public keys and addresses`,
    against,
    ratio: own / their,
    goal: `≤ ${LIMIT} ×`,
    met: own / their <= LIMIT,
    detail: `${own.toFixed(0)} ms against ${their.toFixed(0)} ms, median of ${ROUNDS}`,
  }
}

function timed(call: () => unknown): number {
  const from = performance.now()
  call()
  return performance.now() - from
}
