import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CosigningAccount } from '../../src/cosigning/index.js'
import type { ChainEngine } from '../../src/engine/engine.js'
import { toAddress } from '../../src/model/address.js'
import { spendingOf } from '../../src/model/cosigning/spending-account.js'
import { toHex } from '../../src/model/hex.js'
import { computeMass, relayMass } from '../../src/model/mass.js'
import { toTransaction } from '../../src/model/serialized-transaction.js'
import { createTransaction, type Transaction } from '../../src/model/transaction.js'
import { toOutpointKey } from '../../src/model/utxo.js'
import type { AccountPaymentSettings, PendingTx } from '../../src/operations/transactions/records.js'
import vectors from '../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }
import { rootOf } from './cosigners.js'
import { accountOfThree, KAS, kpubA, kpubB, kpubC, openCosigning, type CosigningHarness } from './harness.js'

/** Plans of payments of an account, on a network in memory. */
export function describePlanning(): void {
  let harness: CosigningHarness
  let engine: ChainEngine
  let account: CosigningAccount

  beforeAll(async () => {
    const addresses = [0, 1, 2, 3].map((index) => accountOfThree().addressAt({ cosigner: 2, change: false, index }))
    harness = await openCosigning(
      Array.from({ length: 40 }, (_, at) => ({ address: addresses[at % 4]!, amount: 2n * KAS })),
    )
    engine = harness.engine
    account = await harness.open(kpubA)
  })

  afterAll(() => harness.close())

  /** Everything of the account, and of a key beside it. */
  async function entriesOf(one: CosigningAccount) {
    const addresses = [0, 1, 2, 3].map((index) => one.address(index, { cosigner: 2 }))
    return engine.rpc.getUtxosByAddresses([...addresses, harness.devnode.accounts[0]!.address])
  }

  const settingsOf = async (amount: bigint): Promise<AccountPaymentSettings> => ({
    account,
    entries: await entriesOf(account),
    outputs: [{ address: harness.devnode.accounts[0]!.address, amount }],
  })

  /** The transaction as it is submitted: two signatures of 66 bytes and one push of the redeem script. */
  function withScripts(payment: PendingTx): Transaction {
    const transaction = toTransaction(payment.serialize())
    const signatureScript = '00'.repeat(2 * 66 + 2 + 102)
    return { ...transaction, inputs: transaction.inputs.map((input) => ({ ...input, signatureScript })) }
  }

  describe('a payment of an account of several signers', () => {
    it('spends outputs of the account alone, with N signature operations each and change of the own branch', async () => {
      const settings = await settingsOf(5n * KAS)
      const { transactions } = await engine.transactions.create(settings)
      const [payment] = transactions
      const { inputs, outputs } = payment!.serialize()
      expect(transactions).toHaveLength(1)
      expect(inputs.map(({ sigOpCount }) => sigOpCount)).toEqual([3, 3, 3])
      for (const address of payment!.addresses()) expect(account.pathOf(address)).toMatchObject({ cosigner: 2 })
      const change = spendingOf(account).nextChange()
      expect(change).toEqual({ cosigner: 1, change: true, index: 0 })
      expect(outputs.at(-1)!.scriptPublicKey).toEqual(account.scriptPublicKey(change))
    })

    it('has its final mass, to the gram', async () => {
      const { transactions } = await engine.transactions.create(await settingsOf(55n * KAS))
      const [payment] = transactions
      const final = withScripts(payment!)
      expect(payment!.mass).toBe(relayMass(final))
      const bare = createTransaction({ inputs: [], outputs: final.outputs })
      expect(computeMass(final) - computeMass(bare)).toBe(3_288n * BigInt(final.inputs.length))
      expect(payment!.fee).toBeGreaterThanOrEqual(100n * payment!.mass)
    })

    it('compounds where more than 30 inputs of 2-of-3 are needed', async () => {
      const { transactions, summary } = await engine.transactions.create(await settingsOf(70n * KAS))
      const counts = transactions.map((payment) => payment.serialize().inputs.length)
      expect(counts[0]).toBe(30)
      expect(summary.transactions).toBe(transactions.length)
      for (const payment of transactions) {
        expect(payment.mass).toBeLessThanOrEqual(100_000n)
        expect(payment.mass).toBe(relayMass(withScripts(payment)))
      }
    })

    it('plans the change that is free, and estimates the same', async () => {
      const settings = await settingsOf(KAS)
      const release = spendingOf(account).takeChange(spendingOf(account).nextChange())
      const { transactions, summary } = await engine.transactions.create(settings)
      const path = { cosigner: 1, change: true, index: 1 }
      expect(transactions[0]!.serialize().outputs.at(-1)!.scriptPublicKey).toEqual(account.scriptPublicKey(path))
      expect(await engine.transactions.estimate(settings)).toEqual(summary)
      release()
      expect(spendingOf(account).nextChange().index).toBe(0)
    })

    it('takes its change address when it is written, and gives it back when it is dropped unsigned', async () => {
      const { fromPskb, toPskb } = harness.cosigning
      const first = spendingOf(account).nextChange()
      const { transactions } = await engine.transactions.create(await settingsOf(3n * KAS))
      const text = toPskb(transactions)
      expect(spendingOf(account).nextChange().index).toBe(first.index + 1)
      const proposal = await fromPskb(text, { account })
      expect(proposal.review.transactions[0]).toMatchObject({ fee: transactions[0]!.fee, id: transactions[0]!.id })
      proposal.release()
      expect(spendingOf(account).nextChange()).toEqual(first)
    })

    it('is refused by name where it cannot be planned', async () => {
      const settings = await settingsOf(KAS)
      const { accountOf } = harness.cosigning
      const watched = await accountOf({ threshold: 2, keys: [kpubA, kpubB, kpubC] })
      const refused = (given: object) => expect(engine.transactions.create({ ...settings, ...given })).rejects
      await refused({ account: watched }).toMatchObject({ code: 'invalid-argument', argument: 'changeAddress' })
      await refused({ account: {} }).toMatchObject({ code: 'invalid-argument', argument: 'account' })
      await refused({ spendBound: true }).toMatchObject({ code: 'invalid-argument', argument: 'spendBound' })
      const unscanned = await accountOf({ threshold: 2, keys: [kpubA, kpubB, kpubC], own: kpubA })
      await refused({ account: unscanned }).toMatchObject({ code: 'account-not-scanned' })
      await engine.wasm.init()
      const { send, sweep, consolidate, cancel } = engine.transactions
      const { entries } = settings
      const sent = { account, entries, privateKeys: ['11'.repeat(32)] } as never
      for (const pay of [
        send({ ...settings, changeAddress: account.address(0), privateKeys: ['11'.repeat(32)] } as never),
        sweep(sent),
        consolidate(sent),
        cancel('00'.repeat(32), sent),
      ])
        await expect(pay).rejects.toMatchObject({ code: 'invalid-argument' })
      await expect(consolidate(sent)).rejects.toMatchObject({
        argument: 'account',
        hint: expect.stringContaining('toPskb() of createCosigning()') as string,
      })
      const stored = { onSigned: () => undefined }
      await expect(consolidate({ account, entries }, stored as never)).rejects.toMatchObject({ argument: 'onSigned' })
    })

    it('is planned by its name: everything to one address, or some UTXOs to the next change address', async () => {
      const { sweep, consolidate } = engine.transactions
      const entries = (await entriesOf(account)).slice(0, 5)
      const { address } = harness.devnode.accounts[0]!
      const own = entries.filter((entry) => account.pathOf(entry.address!) !== undefined)
      const swept = await sweep({ account, entries, to: address })
      const merged = await consolidate({ account, entries, maxInputs: 2 })
      const next = account.addressAt(spendingOf(account).nextChange())
      const planned = [swept, merged].map(({ transactions: [payment] }) => {
        const { inputs, outputs } = toTransaction(payment!.serialize())
        return [inputs.length, outputs.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, 'kaspasim'))]
      })
      expect(planned).toEqual([
        [own.length, [address]],
        [2, [next]],
      ])
      expect(merged.summary.finalAmount).toBe(4n * KAS - merged.summary.fees)
    })

    it('without the account spends keys alone, and says where the others are', async () => {
      const { account: _, ...settings } = await settingsOf(1_000_000n * KAS)
      const { address } = harness.devnode.accounts[0]!
      await expect(engine.transactions.create({ ...settings, changeAddress: address })).rejects.toMatchObject({
        code: 'insufficient-funds',
        script: 80n * KAS,
        hint: expect.stringContaining('80 KAS are in outputs of scripts: the setting account spends those') as string,
      })
    })

    it('is accepted once two cosigners have signed it, with the mass that was planned', async () => {
      const { fromPskb, toPskb } = harness.cosigning
      await engine.wasm.init()
      const payload = 'ab'.repeat(48_300) // a few inputs fit beside it: others are compounded first
      const { transactions } = await engine.transactions.create({ ...(await settingsOf(13n * KAS)), payload })
      const change = spendingOf(account).nextChange()
      expect(transactions.length).toBeGreaterThan(1)
      let proposal = await fromPskb(toPskb(transactions), { account, payload: 'allow' })
      for (const mnemonic of vectors.mnemonics.slice(1)) proposal = await proposal.signAsync({ mnemonic })
      proposal.release()
      expect(spendingOf(account).nextChange().index).toBe(change.index + 1)
      const final = await proposal.finalize()
      expect(final.map(({ mass, fee }) => [mass, fee])).toEqual(transactions.map(({ mass, fee }) => [mass, fee]))
      for (const payment of final) expect(await payment.submit()).toBe(payment.id)
      await harness.devnode.mine(2)
      const { address } = harness.devnode.accounts[0]!
      const received = await engine.rpc.getUtxosByAddresses([address])
      expect(received.map(({ amount }) => amount)).toContain(13n * KAS)
    })

    it('replaces a payment of the account, or cancels it, and none of a key', async () => {
      const { fromPskb, toPskb } = harness.cosigning
      const settings = await settingsOf(3n * KAS)
      const { transactions } = await engine.transactions.create(settings)
      let proposal = await fromPskb(toPskb(transactions), { account })
      for (const mnemonic of vectors.mnemonics.slice(1)) {
        const branch = rootOf(mnemonic).derive("m/45'/111111'/0'/2/0")
        const privateKeys = [0, 1, 2, 3].map((index) => toHex(branch.deriveChild(index).privateKey!))
        proposal = await proposal.signAsync({ privateKeys })
      }
      const [payment] = await proposal.finalize()
      const replaces = await payment!.submit()
      const spent = (one: PendingTx): ReadonlySet<string> =>
        new Set(one.serialize().inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
      const sped = await engine.transactions.create({ ...settings, replaces })
      const { entries } = settings
      const cancelled = await engine.transactions.create({ account, entries, replaces })
      const named = await engine.transactions.cancel(replaces, { account, entries })
      expect(named.transactions.map(({ id }) => id)).toEqual(cancelled.transactions.map(({ id }) => id))
      for (const { transactions: planned } of [sped, cancelled]) {
        expect(planned).toHaveLength(1)
        expect([...spent(planned[0]!)].some((outpoint) => spent(payment!).has(outpoint))).toBe(true)
        expect(planned[0]!.fee * payment!.mass).toBeGreaterThan(payment!.fee * planned[0]!.mass)
        expect(planned[0]!.serialize().inputs.every(({ sigOpCount }) => sigOpCount === 3)).toBe(true)
      }
      const [back] = cancelled.transactions[0]!.serialize().outputs
      expect(account.pathOf(toAddress(back!.scriptPublicKey, 'kaspasim')!)).toMatchObject({ cosigner: 1, change: true })

      const [from] = harness.devnode.accounts
      const { address, privateKeyHex } = from!
      const others = await engine.rpc.getUtxosByAddresses([address])
      const paying = { entries: others, outputs: [{ address, amount: KAS }], changeAddress: address }
      const [foreign] = (await engine.transactions.create(paying)).transactions
      foreign!.sign([privateKeyHex])
      const settled = engine.transactions.create({ ...settings, replaces: await foreign!.submit() })
      await expect(settled).rejects.toMatchObject({ code: 'invalid-argument', argument: 'replaces' })
    })
  })
}
