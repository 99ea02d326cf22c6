import { expect, it } from 'vitest'
import { toScriptPublicKey } from '../../../src/model/address.js'
import type { UnconfirmedTransaction } from '../../../src/model/unconfirmed-transaction.js'
import { checkEntries } from '../../../src/operations/transactions/check-entries.js'
import { chainableOf, changeOf } from '../../../src/operations/transactions/own-change.js'
import { createScriptClasses } from '../../../src/operations/transactions/script-classes.js'
import { KAS, alice, bob, utxo } from './accounts.js'

const classify = createScriptClasses()
const idOf = (n: number): string => n.toString(16).padStart(64, '0')
const [own, other] = [toScriptPublicKey(alice.address), toScriptPublicKey(bob.address)]

/** Payment `n`: its first output goes to Bob, its second one returns. */
const paymentOf = (
  n: number,
  ...spends: readonly (readonly [id: string, index: number])[]
): UnconfirmedTransaction => ({
  id: idOf(n),
  inputs: spends.map(([transactionId, index]) => ({ outpoint: { transactionId, index } })),
  outputs: [
    { value: KAS, scriptPublicKey: other },
    { value: BigInt(n) * KAS, scriptPublicKey: own },
  ],
})
const given = utxo(KAS, 0)
const first = [given.outpoint.transactionId, given.outpoint.index] as const
const settings = { network: 'simnet', utxos: checkEntries([given], 'simnet', classify), change: own } as const
const change = (payments: readonly UnconfirmedTransaction[]) =>
  changeOf(settings as Parameters<typeof changeOf>[0], payments)
const numbers = (found: ReturnType<typeof change>): readonly number[] =>
  found.map(({ outpoint: { transactionId } }) => Number.parseInt(transactionId, 16)).sort()

it('finds the unspent change of payments that spend a given UTXO, and not of others', () => {
  const chain = [paymentOf(1, first), paymentOf(2, [idOf(1), 1]), paymentOf(3, ['ab'.repeat(32), 0])]
  expect(change(chain)).toMatchObject([
    { outpoint: { transactionId: idOf(2), index: 1 }, amount: 2n * KAS, address: alice.address },
  ])
  expect(change([...chain].reverse())).toEqual(change(chain))
  expect(change([paymentOf(4, [idOf(5), 1]), paymentOf(5, [idOf(4), 1])])).toEqual([]) // made up by another script
})

it.each<[string, readonly UnconfirmedTransaction[], number, readonly number[]]>([
  ['no payment before', [paymentOf(1, first)], 0, []],
  ['one', [paymentOf(1, first)], 1, [1]],
  ['one too many', [paymentOf(1, first), paymentOf(2, [idOf(1), 1])], 1, []],
  ['two', [paymentOf(1, first), paymentOf(2, [idOf(1), 1])], 2, [2]],
  ['one that is accepted', [paymentOf(9, first), paymentOf(2, [idOf(9), 1])], 1, [2]],
  ['one that was not sent', [paymentOf(8, first)], 10, []],
  ['one after one that was not sent', [paymentOf(8, first), paymentOf(2, [idOf(8), 1])], 10, []],
  ['one and its replacement', [paymentOf(1, first), paymentOf(2, first)], 10, []],
])('chains to payments that nodes have, up to a depth: %s', (_, payments, limit, expected) => {
  const rules = { limit, isPending: (id: string) => id !== idOf(9), isRelayed: (id: string) => id !== idOf(8) }
  expect(numbers(chainableOf(change(payments), payments, rules))).toEqual(expected)
})
