import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOfPublicKey } from '../../src/model/address.js'
import type { ChainEngine } from '../../src/engine/engine.js'
import { type Pskt, psktTransaction } from '../../src/model/pskb/records.js'
import { withReplaced } from '../../src/operations/cosigning/review.js'
import type { AccountValue } from '../../src/model/cosigning/account-value.js'
import { transactionId } from '../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { TransactionSigner } from '../../src/sdk/port.js'
import {
  FEE,
  KAS,
  openCosigners,
  payment,
  rootOf,
  toPskt,
  toText,
  type AccountShape,
  type CosigningHarness,
  type OpenNetwork,
} from './cosigners.js'

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

/** Every subset of signers, of small accounts every order of them, and of large ones the first signers alone. */
function signings({ threshold, count }: AccountShape): readonly (readonly number[])[] {
  if (count > 5) return [Array.from({ length: threshold }, (_, at) => at)]
  return arrangements(count, threshold).filter(
    (order) => count <= 3 || order.every((each, at) => at === 0 || each > order[at - 1]!),
  )
}

/** Payments of several signers: every subset of signers. */
export function describePayments(accounts: readonly AccountShape[], openNetwork: OpenNetwork): void {
  describe.each(accounts)('$threshold of $count, ECDSA $ecdsa', (shape) => {
    let harness: CosigningHarness
    beforeAll(async () => {
      harness = await openCosigners(shape, signings(shape).length + 3, openNetwork)
    })
    afterAll(() => harness.close())

    it.each(signings(shape).map((order) => [order] as const))('pays with the signatures of %j', async (signing) => {
      const { cosigners, mine } = harness
      let text = toText(payment(harness, harness.funds(), RECIPIENT))
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
      await mine()
      const paid = await last.engine.rpc.getUtxosByAddresses([RECIPIENT])
      expect(paid.map(({ outpoint }) => outpoint.transactionId)).toContain(id)
    })

    it('replaces a payment by the signatures of others', async () => {
      const { cosigners, mine } = harness
      const entries = harness.funds()
      const pay = async (pskt: Pskt, signing: readonly number[]) => {
        let text = toText(pskt)
        for (const at of signing) {
          const proposal = await cosigners[at]!.open(text, { reserveFor: 0 })
          text = (await proposal.signAsync({ privateKeys: cosigners[at]!.privateKeys })).toPskb()
        }
        const [pending] = await (await cosigners[signing[0]!]!.open(text)).finalize()
        return pending!.submit()
      }
      const all = cosigners.map((_, at) => at)
      const replaces = await pay(payment(harness, entries, RECIPIENT), all.slice(0, shape.threshold))
      const other = payment(harness, entries, RECIPIENT)
      const [paid, change] = other.outputs
      const dearer = { ...other, outputs: [paid!, { ...change!, amount: change!.amount - 4n * FEE }] }
      const id = await pay(withReplaced(dearer, replaces), all.slice(-shape.threshold))
      expect(await areInMempool(cosigners[0]!.engine, [replaces, id])).toEqual([false, true])
      await mine()
    })

    it('pays by two transactions, signed by a mnemonic and a signer, submitted by several cosigners at once', async () => {
      const { cosigners, mine, value } = harness
      const first = toPskt(value, {
        entries: harness.funds(2),
        outputs: [{ address: value.addressAt({ cosigner: 1, change: true, index: 1 }), amount: 20n * KAS - 2n * FEE }],
      })
      const chained: UtxoEntry = {
        outpoint: { transactionId: transactionId(psktTransaction(first)), index: 0 },
        amount: 20n * KAS - 2n * FEE,
        scriptPublicKey: first.outputs[0]!.scriptPublicKey,
        blockDaaScore: 2n ** 64n - 1n,
        isCoinbase: false,
      }
      let proposal = await cosigners[0]!.open(toText(first, payment(harness, [chained], RECIPIENT)))
      expect(proposal.review).toMatchObject({
        transactions: [{ isFinal: false, recipients: [], change: 0n, fee: 2n * FEE }, { isFinal: true }],
        recipients: [{ address: RECIPIENT, amount: 3n * KAS }],
        fee: 3n * FEE,
        change: 17n * KAS - 3n * FEE,
        spendsFromAccount: 3n * KAS + 3n * FEE,
        areAmountsVerified: true,
        areAmountsCommitted: true,
        isAmountMemoryDurable: false,
      })
      proposal = await proposal.signAsync({ mnemonic: cosigners[0]!.mnemonic })
      for (const other of cosigners.slice(1, shape.threshold)) {
        const opened = await other.open(proposal.toPskb({ compact: true }), { reserveFor: 0 })
        const signed = await opened.signAsync({ signer: signerOf(other.mnemonic, value) })
        proposal = proposal.combine(signed.toPskb({ onlySignatures: true, upperCase: true }))
      }
      const pending = await proposal.finalize()
      const [other, engine] = [cosigners[1]!, cosigners[0]!.engine]
      const theirs = await (await other.open(other.cosigning.toPskb(pending))).finalize()
      const restored = await Promise.all(pending.map((each) => engine.transactions.restore(each.serialize())))
      for (const [at, { id }] of pending.entries()) {
        const submitted = [pending, theirs, restored].map((all) => all[at]!.submit())
        expect(await Promise.all(submitted)).toEqual([id, id, id])
      }
      await mine()
      const paid = await cosigners[0]!.engine.rpc.getUtxosByAddresses([RECIPIENT])
      expect(paid.map(({ outpoint }) => outpoint.transactionId)).toContain(pending[1]!.id)
    })
  })
}

/** Whether the mempool has transactions. */
const areInMempool = (engine: ChainEngine, ids: readonly string[]): Promise<readonly boolean[]> =>
  Promise.all(
    ids.map((transactionId) =>
      engine.rpc.getMempoolEntry(transactionId).then(
        () => true,
        () => false,
      ),
    ),
  )

/** Signs as a device does that has the mnemonic, by the paths of the requests. */
function signerOf(mnemonic: string, value: AccountValue): TransactionSigner {
  const root = rootOf(mnemonic)
  return {
    sign: async (requests) =>
      requests.map(({ keyPath, publicKey, sighash, redeemScript, threshold }) => {
        const key = root.derive(keyPath!).privateKey!
        expect(redeemScript).toContain(publicKey)
        expect(threshold).toBe(value.threshold)
        return value.ecdsa ? secp256k1.sign(sighash, key, { prehash: false, lowS: true }) : schnorr.sign(sighash, key)
      }),
  }
}
