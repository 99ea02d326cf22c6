import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInsufficientFunds } from '../../../../src/errors/insufficient-funds.js'
import { isOutputTooSmall } from '../../../../src/errors/output-too-small.js'
import { encodeAddress } from '../../../../src/model/address.js'
import { fromHex } from '../../../../src/model/hex.js'
import { toOutpointKey, type UtxoEntry } from '../../../../src/model/utxo.js'
import type { PendingTx } from '../../../../src/operations/transactions/records.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import { coinsOnceAccepted } from '../support/coins-once-accepted.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'
import type { Person } from '../support/payment.js'

const KAS = 100_000_000n

/** What each coin is worth, in hundredths of KAS: from the edge of storage mass to everyday sums. */
const WORTHS = [9n, 12n, 20n, 20n, 35n, 50n, 50n, 80n, 100n, 100n, 120n, 150n, 200n, 300n]

/** A payment as chance draws it: from so many coins, shares of what they are worth to so many recipients. */
const draws = fc.record({
  coins: fc.integer({ min: 1, max: 4 }),
  share: fc.bigInt({ min: 5n, max: 99n }),
  parts: fc.array(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 5 }),
  payload: fc.oneof(
    fc.constant(''),
    fc.integer({ min: 1, max: 2000 }).map((bytes) => 'ab'.repeat(bytes)),
  ),
  fee: fc.oneof(
    fc.constant({}),
    fc.record({ priorityFee: fc.bigInt({ min: 0n, max: KAS / 50n }) }),
    fc.record({ feeRate: fc.double({ min: 0, max: 400, noNaN: true }) }),
  ),
})

type Draw = typeof draws extends fc.Arbitrary<infer Value> ? Value : never

/** Payments of ours of many shapes, judged by a node. */
export function randomPayments(node: NodeUnderTest): void {
  describe('of sixty payments that chance has drawn', () => {
    it('a node takes every transaction, for the fee and at the storage mass that we told', async () => {
      const operations = operationsOn(node, await loadSdk())
      const person = node.stranger()
      const purse = await fillPurse(node, person)
      const taken: string[] = []
      for (const draw of fc.sample(draws, { seed: 5, numRuns: 60 })) {
        const settings = toSettings(draw, purse.slice(0, draw.coins), person, node)
        const plan = await operations.create(settings).catch(unlessImpossible)
        for (const pending of plan?.transactions ?? []) {
          await expectTaken(node, pending, person)
          taken.push(pending.id)
          forget(purse, pending)
        }
      }
      expect(taken.length).toBeGreaterThan(20)
      await mineAll(node)
    })
  })
}

/** Coins of all worths for somebody, every third at the ECDSA address of the same key. */
async function fillPurse(node: NodeUnderTest, person: Person): Promise<UtxoEntry[]> {
  const ecdsaKey = secp256k1.getPublicKey(fromHex(person.privateKey))
  const ecdsaAddress = encodeAddress(node.network.addressPrefix, 'PubKeyECDSA', ecdsaKey)
  const to = WORTHS.map((hundredths, at) => ({
    address: at % 3 === 2 ? ecdsaAddress : person.address,
    amount: (hundredths * KAS) / 100n,
  }))
  const ids: string[] = []
  for (let payer = 0; payer < 4; payer++) ids.push((await node.pay(person.address, KAS, { to })).transactionId)
  await coinsOnceAccepted(node, person.address, ids)
  const { entries } = await node.client.call('getUtxosByAddresses', { addresses: [person.address, ecdsaAddress] })
  return [...entries].sort((a, b) => (toOutpointKey(a.outpoint) < toOutpointKey(b.outpoint) ? -1 : 1))
}

function toSettings(
  { share, parts, payload, fee }: Draw,
  entries: UtxoEntry[],
  { address }: Person,
  node: NodeUnderTest,
) {
  const there = entries.reduce((sum, { amount }) => sum + amount, 0n)
  const whole = parts.reduce((sum, part) => sum + part, 0n) * 100n
  const outputs = parts.map((part) => ({
    address: node.stranger().address,
    amount: (part * there * share) / whole + 1n,
  }))
  return { entries, outputs, changeAddress: address, payload, ...fee }
}

/** Chance may draw what cannot be paid. */
function unlessImpossible(error: unknown): undefined {
  if (!isInsufficientFunds(error) && !isOutputTooSmall(error)) throw error
}

async function expectTaken(node: NodeUnderTest, pending: PendingTx, { privateKey }: Person): Promise<void> {
  pending.sign([privateKey])
  expect(await pending.submit()).toBe(pending.id)
  const request = { transactionId: pending.id, includeOrphanPool: false, filterTransactionPool: false }
  const { mempoolEntry } = await node.client.call('getMempoolEntry', request)
  expect(mempoolEntry.fee).toBe(pending.fee)
  expect(mempoolEntry.transaction.mass).toBe(BigInt(pending.serialize().mass))
}

/** Mines until nothing waits any more: what comes next wants blocks of its own. */
async function mineAll(node: NodeUnderTest): Promise<void> {
  for (let blocks = 0; blocks < 20; blocks++) {
    await node.mine()
    if ((await node.client.call('getInfo', {})).mempoolSize === 0n) return
  }
}

/** What is spent is in the purse no more. */
function forget(purse: UtxoEntry[], pending: PendingTx): void {
  const spent = new Set(pending.serialize().inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  for (let at = purse.length - 1; at >= 0; at--) {
    const entry = purse[at]
    if (entry !== undefined && spent.has(toOutpointKey(entry.outpoint))) purse.splice(at, 1)
  }
}
