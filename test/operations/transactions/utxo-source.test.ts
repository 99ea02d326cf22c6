import { describe, expect, it, vi } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import { createUtxoPart, createUtxoRows } from '../../../src/model/utxo-source/rows.js'
import { UtxoSource } from '../../../src/model/utxo-source/source.js'
import type { Outpoint, UtxoEntry } from '../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { createCurrentEffects } from '../../../src/streams/utxos/unconfirmed/effects.js'
import { createRecords } from '../../../src/streams/utxos/unconfirmed/records.js'
import { createUtxoSets } from '../../../src/streams/utxos/store/utxo-sets.js'
import { createView, type View } from '../../../src/streams/utxos/view/view.js'
import { KAS, alice, bob, scriptAddress, utxo } from './accounts.js'
import { followPlan } from './checked-plan.js'
import { noSdk } from './planned.js'
import { createScriptedDependencies } from './scripted-dependencies.js'

const pay = (entries: UtxoSource, amount = KAS): CreateTransactionSettings => ({
  entries,
  outputs: [{ address: bob.address, amount }],
  changeAddress: alice.address,
})

function columnsOf(entries: readonly UtxoEntry[]) {
  const columns = toUtxoColumns(entries)
  if (columns === undefined) throw new Error('The entries do not fit into columns')
  return columns
}

const sourceOf = (entries: readonly UtxoEntry[]): UtxoSource =>
  UtxoSource.of(createUtxoRows([createUtxoPart(columnsOf(entries))]), null)

/** A view of Alice's address after a snapshot of `count` entries. */
function viewOf(count: number): View {
  const sets = createUtxoSets()
  const set = sets.open(alice.address)
  for (const type of ['placed', 'fetchStarted'] as const) sets.dispatch(set, { type })
  const one = utxo(KAS)
  const outpointOf = (n: number): Outpoint => ({ transactionId: n.toString(16).padStart(64, '0'), index: 0 })
  const snapshot = columnsOf(
    Array.from({ length: count }, (_, n) => ({ ...one, amount: KAS + BigInt(n), outpoint: outpointOf(n) })),
  )
  sets.load([set], finish(sets.prepare(snapshot)))
  const effects = createCurrentEffects(
    createRecords(() => undefined),
    sets,
  )
  const view = createView(sets, effects, { coinbaseMaturity: 1000n, mempoolInterval: 0 })
  view.setScore(1000n) // first: an entry above the score becomes a record
  view.add(set)
  return view
}

describe('a payment from a source', () => {
  it('never spends what is not the script of its address, bound by a covenant, or not spendable with a key', async () => {
    const deps = createScriptedDependencies(noSdk)
    const { create } = createTransactions(deps)
    const own = [utxo(2n * KAS, 0), utxo(3n * KAS, 1)]
    const others = [
      utxo(100n * KAS, 2, { scriptPublicKey: toScriptPublicKey(bob.address) }),
      utxo(200n * KAS, 3, { covenantId: 'ab'.repeat(32) }),
      utxo(300n * KAS, 4, { address: scriptAddress }),
      utxo(400n * KAS, 5, { scriptPublicKey: { version: 1, script: '' } }),
    ]
    const source = sourceOf([...others, ...own])
    const { outputs: _, ...sweep } = pay(source)
    for (const settings of [pay(source, 4n * KAS), sweep]) {
      const [seen] = followPlan(own, await create(settings)) // throws for an input that is not among them
      expect(seen?.spent).toHaveLength(2)
    }
    await expect(create(pay(source, 5n * KAS))).rejects.toMatchObject({ spendable: 5n * KAS, invalid: 500n * KAS })
    expect(deps.warnings[0]?.[1]).toMatchObject({ count: 2 })
  })

  it('rejects a source of another network before any call', async () => {
    const deps = createScriptedDependencies(noSdk)
    const mainnet = 'kaspa:qr0lr4ml9fn3chekrqmjdkergxl93l4wrk3dankcgvjq776s9wn9jkdskewva'
    await expect(
      createTransactions(deps).estimate(pay(sourceOf([utxo(KAS, 0, { address: mainnet })]))),
    ).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'entries',
      message: 'The entry belongs to another network than simnet',
    })
    expect(deps.calls).toEqual([])
  })

  it('creates the ids of the UTXOs that it spends, and no others', async () => {
    const view = viewOf(20_000)
    const { create, estimate } = createTransactions(createScriptedDependencies(noSdk))
    const { source } = view.state()
    const decode = vi.spyOn(TextDecoder.prototype, 'decode') // every id of a row is decoded from its bytes
    const idsCreated = (): number => decode.mock.results.reduce((sum, { value }) => sum + String(value).length / 64, 0)
    try {
      await estimate(pay(source))
      const { transactions } = await create(pay(source, 50n * KAS))
      const spent = transactions.flatMap((each) => each.serialize().inputs)
      expect(idsCreated()).toBeLessThanOrEqual(2 * spent.length)
      expect([view.state().entries.length, source.size]).toEqual([20_000, 20_000])
      expect(idsCreated()).toBeGreaterThanOrEqual(20_000)
    } finally {
      decode.mockRestore()
    }
  })
})
