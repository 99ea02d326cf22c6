import { filter, firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCosigning, type CosigningAccount } from '../../src/cosigning/index.js'
import { spendingOf } from '../../src/model/cosigning/spending-account.js'
import { KAS, kpubA, kpubB, kpubC, openCosigning, type CosigningHarness } from './harness.js'
import { describePlanning } from './planning-rows.js'

let harness: CosigningHarness
let alice: CosigningAccount

beforeAll(async () => {
  harness = await openCosigning()
  alice = await harness.open(kpubA)
})

afterAll(() => harness.close())

describe('an account of several signers', () => {
  it('is the same for every cosigner, who hands out addresses of the own branch', async () => {
    const { accountFromDescriptor } = createCosigning({ engine: harness.engine })
    const bob = await accountFromDescriptor(alice.descriptor, { own: kpubB, startIndex: 0 })
    expect(bob.descriptor).toBe(alice.descriptor)
    for (const [account, cosigner] of [
      [alice, 1],
      [bob, 2],
    ] as const) {
      const path = { cosigner, change: false, index: 0 }
      expect(await account.next()).toEqual({ ...path, address: alice.address(0, { cosigner }) })
    }
    expect(await alice.next({ change: true })).toMatchObject({ cosigner: 1, change: true, index: 0 })
    expect(await alice.next()).toMatchObject({ cosigner: 1, index: 1 })
  })

  it('hands nothing out without an own key, or before a scan', async () => {
    const { accountOf } = createCosigning({ engine: harness.engine })
    const keys = [kpubA, kpubB, kpubC]
    const watched = await accountOf({ threshold: 2, keys })
    await expect(watched.next()).rejects.toMatchObject({ code: 'invalid-argument', argument: 'own' })
    expect(() => watched.address(0)).toThrow(expect.objectContaining({ argument: 'cosigner' }))
    await expect(accountOf({ threshold: 2, keys, startIndex: 0 })).rejects.toMatchObject({ argument: 'startIndex' })
    const unscanned = await accountOf({ threshold: 2, keys, own: kpubB })
    await expect(unscanned.next()).rejects.toMatchObject({ code: 'account-not-scanned' })
    await expect(accountOf({ threshold: 2, keys, ownKey: kpubA } as never)).rejects.toMatchObject({
      argument: 'ownKey',
    })
  })

  it('reserves change addresses, and gives them back', async () => {
    const spending = spendingOf(alice)
    const [first, release] = [spending.nextChange(), spending.takeChange(spending.nextChange())]
    const second = spending.nextChange()
    spending.takeChange(second)
    expect([first.change, second.index - first.index]).toEqual([true, 1])
    release()
    expect(spending.nextChange()).toEqual(first)
    release()
    expect(await alice.next({ change: true })).toMatchObject(first)
    expect(spending.nextChange().index).toBe(second.index + 1)
  })

  it('finds used addresses of all branches, and moves behind them', async () => {
    const { devnode } = harness
    const { accountOf, accountFromDescriptor } = createCosigning({ engine: harness.engine })
    const ecdsa = await accountOf({ threshold: 2, keys: [kpubA, kpubB, kpubC], ecdsa: true })
    const paths = [
      { cosigner: 0, change: false, index: 3 },
      { cosigner: 1, change: true, index: 2 },
      { cosigner: 2, change: false, index: 21 },
      { cosigner: 2, change: false, index: 2 },
    ]
    for (const path of paths) await devnode.fund(ecdsa.addressAt(path), KAS)
    await devnode.mine(2)
    const scanned = await accountFromDescriptor(ecdsa.descriptor, {
      own: kpubC,
    })
    const { used, basis } = await scanned.scan({ history: false })
    const expected = [paths[0], paths[1], paths[3], paths[2]].map((path) => ({
      ...path,
      address: scanned.addressAt(path!),
    }))
    expect([used, basis]).toEqual([expected, 'utxos'])
    expect(await scanned.next()).toMatchObject({ cosigner: 0, index: 4 })
    expect(scanned.pathOf(expected[1]!.address)).toEqual(paths[1])
    expect([scanned.isChange(expected[1]!.address), scanned.isChange(expected[0]!.address)]).toEqual([true, false])
    expect(scanned.pathOf(alice.address(0))).toBeUndefined()
  })

  it('is followed where addresses are: UTXOs of each branch, and transfers', async () => {
    const { devnode, engine } = harness
    const { state$ } = engine.utxos(alice)
    const funded = firstValueFrom(state$.pipe(filter(({ balance }) => balance.mature === 5n * KAS)))
    await devnode.fund(alice.address(5, { cosigner: 0 }), 2n * KAS)
    await devnode.fund(alice.address(6, { cosigner: 2, change: true }), 3n * KAS)
    await devnode.mine(2)
    expect((await funded).entries.map(({ amount }) => amount)).toHaveLength(2)
    const transfers = engine.followTransfers({ addresses: alice, minConfirmations: 0 })
    for await (const { transactions } of transfers) {
      const credits = transactions.flatMap((one) => one.transfers).filter(({ amount }) => amount === 3n * KAS)
      if (credits.length === 0) continue
      expect(credits).toMatchObject([{ direction: 'credit', isOpening: true }])
      break
    }
  })
})

describePlanning()
