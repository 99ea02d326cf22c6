import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { MEMPOOL_FULL, ROWS } from '../submission-replies/rows.js'
import { startGateway, type Gateway, type Handling } from './gateway.js'
import { startKaspad, type Kaspad } from './kaspad.js'
import { fundAccounts, mine, recipient, settled, startQueue, timesPaid, type TestQueue } from './payout-queue.js'

/** How long a node refuses everything with one text, in ms. */
const REFUSED_FOR = Number(process.env.REFUSED_FOR ?? 60_000)
/** What kaspad refuses a transaction with. */
const REFUSALS = [...new Set([...ROWS.map(({ reply }) => reply), MEMPOOL_FULL])].filter((reply) => reply !== 'taken')
const RIVAL = 'ab'.repeat(32)

let takeAccount: Awaited<ReturnType<typeof fundAccounts>>
let node: Kaspad
let gateway: Gateway
let queue: TestQueue

beforeAll(async () => {
  node = await startKaspad()
  takeAccount = await fundAccounts(REFUSALS.length + 3, node)
})
afterAll(() => node.close())
beforeEach(async () => {
  gateway = await startGateway(node.url)
  queue = startQueue(takeAccount(), memoryJournal(), [gateway], { fee: { bumpAfter: 2_000 } })
})
afterEach(async () => {
  await queue.end()
  await gateway.close()
})

async function expectPaidOnce(ids: readonly number[]): Promise<void> {
  await settled(queue, ids, node)
  expect(await timesPaid(ids.map(recipient), node)).toEqual(ids.map(() => 1))
}

/** Pays while blocks are mined. */
async function payMany(count: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let payment = 0; payment < count; payment++) {
    ids.push(await queue.pay())
    await mine(node)
  }
  return ids
}

describe('pays each payout once behind a gateway that', () => {
  it.each<readonly [string, readonly Handling[]]>([
    ['swallows submissions', ['swallow', 'forward']],
    ['repeats them', ['repeat']],
    ['swallows, repeats and forwards them, and drops replies', ['swallow', 'drop-reply', 'repeat', 'forward']],
  ])('%s', async (_, handlings) => {
    const random = createRandom(3)
    gateway.handle(() => handlings[Math.floor(random() * handlings.length)] ?? 'forward')
    const ids = await payMany(40)
    await expectPaidOnce(ids)
    expect(gateway.handled()).toBeGreaterThan(0)
  })
})

it.each(REFUSALS)('pays each payout once where its node refuses everything for a minute: %s', async (reply) => {
  const [before] = await payMany(1)
  gateway.handle(
    () => (id) => reply.replace('<id>', id).replace('<rival>', RIVAL).replace('<outpoint>', `(${RIVAL}, 0)`),
  )
  const [refused] = await payMany(1)
  const end = performance.now() + REFUSED_FOR
  while (performance.now() < end) await mine(node)
  const handled = gateway.handled()
  expect(handled).toBeGreaterThan(1)
  expect(await queue.stateOf(refused ?? -1)).toMatch(/signed|relayed/) // whatever was said, it is not paid
  gateway.handle(() => 'forward')
  const [after] = await payMany(1)
  await expectPaidOnce([before, refused, after].flatMap((id) => id ?? []))
})
