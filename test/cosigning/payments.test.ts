import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL } from '../full.js'
import { addressOfPublicKey } from '../../src/model/address.js'
import { openCosigners, payment, toText, type CosigningHarness } from './cosigners.js'

/** Payments of several signers on a network in memory: every subset of signers, in every order. */

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

/** The ordered choices of `size` of the numbers below `count`. */
function arrangements(count: number, size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]]
  return arrangements(count, size - 1).flatMap((chosen) =>
    Array.from({ length: count }, (_, next) => next)
      .filter((next) => !chosen.includes(next))
      .map((next) => [...chosen, next]),
  )
}

const ACCOUNTS = [
  { threshold: 1, count: 2 },
  { threshold: 2, count: 3 },
  { threshold: 2, count: 3, ecdsa: true },
  ...(FULL
    ? [
        { threshold: 3, count: 5 },
        { threshold: 3, count: 5, ecdsa: true },
      ]
    : []),
]

describe.each(ACCOUNTS)('$threshold of $count, ECDSA $ecdsa', (shape) => {
  let harness: CosigningHarness
  beforeAll(async () => {
    harness = await openCosigners(shape, 2 * arrangements(shape.count, shape.threshold).length)
  })
  afterAll(() => harness.close())

  it.each(arrangements(shape.count, shape.threshold).map((order) => [order] as const))(
    'pays with the signatures of %j',
    async (signing) => {
      const { cosigners, devnode } = harness
      let text = toText(payment(harness, harness.funds(2), RECIPIENT))
      for (const at of signing) {
        const proposal = await cosigners[at]!.open(text, { reserveFor: 0 })
        expect(proposal.isComplete).toBe(false)
        const signed = await proposal.signAsync({ privateKeys: cosigners[at]!.privateKeys })
        text = signed.toPskb()
      }
      const last = cosigners[signing.at(-1)!]!
      const complete = await last.open(text)
      expect(complete.isComplete).toBe(true)
      expect(complete.rejectedSignatures).toEqual([])
      const [pending] = await complete.finalize()
      const id = await pending!.submit()
      expect(id).toBe(complete.review.transactions[0]!.id)
      await devnode.mine(1)
      const paid = await last.engine.rpc.getUtxosByAddresses([RECIPIENT])
      expect(paid.map(({ outpoint }) => outpoint.transactionId)).toContain(id)
    },
  )
})
