import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInsufficientFunds, isOutputTooSmall } from '../../../../src/errors/payment-errors.js'
import { encodeAddress } from '../../../../src/model/address.js'
import { fromHex } from '../../../../src/model/hex.js'
import { toOutpointKey, type UtxoEntry } from '../../../../src/model/utxo.js'
import type { PendingTx } from '../../../../src/operations/transactions/records.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import { utxosOnceAccepted } from '../support/utxos-once-accepted.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'
import type { Account } from '../support/payment.js'

const KAS = 100_000_000n

/** Amounts of the UTXOs in hundredths of KAS; the small ones are near the storage mass limit. */
const AMOUNTS = [9n, 12n, 20n, 20n, 35n, 50n, 50n, 80n, 100n, 100n, 120n, 150n, 200n, 300n]

/** A random payment: number of UTXOs, share of their amount to pay, and its parts per recipient. */
const draws = fc.record({
  utxos: fc.integer({ min: 1, max: 4 }),
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

/** Random payments of the library, submitted to a node. */
export function randomPayments(node: NodeUnderTest): void {
  describe('sixty random payments', () => {
    it('are accepted by the node with the computed fee and storage mass', async () => {
      const operations = operationsOn(node, await loadSdk())
      const account = node.newAccount()
      const candidates = await fillCandidates(node, account)
      const accepted: string[] = []
      for (const draw of fc.sample(draws, { seed: 5, numRuns: 60 })) {
        const settings = toSettings(draw, candidates.slice(0, draw.utxos), account, node)
        const plan = await operations.create(settings).catch(ignoreUnpayable)
        for (const pending of plan?.transactions ?? []) {
          await expectAccepted(node, pending, account)
          accepted.push(pending.id)
          removeSpent(candidates, pending)
        }
      }
      expect(accepted.length).toBeGreaterThan(20)
      await mineAll(node)
    })
  })
}

/** UTXOs of all amounts, every third at the ECDSA address of the same key. */
async function fillCandidates(node: NodeUnderTest, account: Account): Promise<UtxoEntry[]> {
  const ecdsaKey = secp256k1.getPublicKey(fromHex(account.privateKey))
  const ecdsaAddress = encodeAddress(node.network.addressPrefix, 'PubKeyECDSA', ecdsaKey)
  const to = AMOUNTS.map((hundredths, at) => ({
    address: at % 3 === 2 ? ecdsaAddress : account.address,
    amount: (hundredths * KAS) / 100n,
  }))
  const ids: string[] = []
  for (let payer = 0; payer < 4; payer++) ids.push((await node.pay(account.address, KAS, { to })).transactionId)
  await utxosOnceAccepted(node, account.address, ids)
  const { entries } = await node.client.call('getUtxosByAddresses', { addresses: [account.address, ecdsaAddress] })
  return [...entries].sort((a, b) => (toOutpointKey(a.outpoint) < toOutpointKey(b.outpoint) ? -1 : 1))
}

function toSettings(
  { share, parts, payload, fee }: Draw,
  entries: UtxoEntry[],
  { address }: Account,
  node: NodeUnderTest,
) {
  const total = entries.reduce((sum, { amount }) => sum + amount, 0n)
  const whole = parts.reduce((sum, part) => sum + part, 0n) * 100n
  const outputs = parts.map((part) => ({
    address: node.newAccount().address,
    amount: (part * total * share) / whole + 1n,
  }))
  const settings = { entries, changeAddress: address, payload, ...fee }
  return outputs.length > 0 ? { ...settings, outputs } : settings
}

/** Some random payments cannot be funded. */
function ignoreUnpayable(error: unknown): undefined {
  if (!isInsufficientFunds(error) && !isOutputTooSmall(error)) throw error
}

async function expectAccepted(node: NodeUnderTest, pending: PendingTx, { privateKey }: Account): Promise<void> {
  pending.sign([privateKey])
  expect(await pending.submit()).toBe(pending.id)
  const request = { transactionId: pending.id, includeOrphanPool: false, filterTransactionPool: false }
  const { mempoolEntry } = await node.client.call('getMempoolEntry', request)
  expect(mempoolEntry.fee).toBe(pending.fee)
  expect(mempoolEntry.transaction.mass).toBe(BigInt(pending.serialize().mass))
}

/** Mines until the mempool is empty, for the following suites. */
async function mineAll(node: NodeUnderTest): Promise<void> {
  for (let blocks = 0; blocks < 20; blocks++) {
    await node.mine()
    if ((await node.client.call('getInfo', {})).mempoolSize === 0n) return
  }
}

function removeSpent(candidates: UtxoEntry[], pending: PendingTx): void {
  const spent = new Set(pending.serialize().inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  for (let at = candidates.length - 1; at >= 0; at--) {
    const entry = candidates[at]
    if (entry !== undefined && spent.has(toOutpointKey(entry.outpoint))) candidates.splice(at, 1)
  }
}
