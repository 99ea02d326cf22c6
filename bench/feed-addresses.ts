import { AddressKeeper } from '../src/feed/address-keeper.js'
import { followWanted } from '../src/feed/requests.js'
import { encodeAddress } from '../src/model/address.js'
import { Openings } from '../src/streams/transfers/openings.js'
import { createWatchedAddresses } from '../src/streams/transfers/watched-addresses.js'
import type { BenchRow } from './row.js'

const ADDED = 1_000_000
/** Seconds of processor time. */
const LIMIT = 60
const BLOCKS = 1_000
/** Milliseconds of a block beside the addresses that were added. */
const BLOCK_LIMIT = 1

/** What addresses cost that are added to a running feed, without the node and the database. */
export async function run(): Promise<BenchRow[]> {
  const openings = new Openings()
  const adding = await cpuOf(() => add(ADDED, openings))
  const following = await cpuOf(() => {
    for (let block = 0; block < BLOCKS; block++) openings.toStarts(BigInt(1_000 + block))
  })
  const perBlock = (following / BLOCKS) * 1_000
  return [
    {
      what: `adding ${ADDED} addresses to a feed`,
      against: `${LIMIT} s of processor time`,
      ratio: adding / LIMIT,
      goal: '≤ 1 ×',
      met: adding <= LIMIT,
      detail: `${adding.toFixed(1)} s: requests, checks, the set, and the starts in each cursor`,
    },
    {
      what: `a block after ${ADDED} addresses were added`,
      against: `${BLOCK_LIMIT} ms`,
      ratio: perBlock / BLOCK_LIMIT,
      goal: '≤ 1 ×',
      met: perBlock <= BLOCK_LIMIT,
      detail: `${perBlock.toFixed(3)} ms of processor time for the starts in its cursor`,
    },
  ]
}

/** Adds addresses as a feed does: those of a batch count once it is stored, then the next ones are read. */
async function add(count: number, openings: Openings): Promise<void> {
  const watched = createWatchedAddresses()
  const table = followWanted(addresses(count)).against(new Set())
  const failures: unknown[] = []
  const resolveSince = () => Promise.resolve({ cursor: undefined })
  const keeper = new AddressKeeper(table, watched, 'testnet-10', resolveSince, (error) => failures.push(error))
  let batch: readonly string[] = []
  let blueScore = 0n
  watched.changes$.subscribe((change) => (batch = change.addresses))
  keeper.advance()
  while (watched.size < count || batch.length > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    if (failures.length > 0) throw failures[0]
    if (batch.length === 0) continue
    const added = batch
    batch = []
    openings.activate(added, ++blueScore)
    openings.toStarts(blueScore)
    keeper.stored(added, new Map(), [])
  }
}

async function cpuOf(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Distinct addresses, as an iterable that holds none of them. */
function* addresses(count: number): Iterable<string> {
  const payload = new Uint8Array(32)
  const view = new DataView(payload.buffer)
  for (let index = 0; index < count; index++) {
    view.setUint32(0, index + 1)
    yield encodeAddress('kaspatest', 'PubKey', payload)
  }
}
