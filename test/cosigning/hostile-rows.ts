import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOfPublicKey, toScriptPublicKey } from '../../src/model/address.js'
import { readBundle } from '../../src/model/pskb/read-bundle.js'
import { type Pskt, type PsktInput, psktTransaction } from '../../src/model/pskb/records.js'
import { toTransaction } from '../../src/model/serialized-transaction.js'
import { sighash } from '../../src/model/sighash.js'
import type { Transaction } from '../../src/model/transaction.js'
import type { FromPskbOptions } from '../../src/operations/cosigning/records.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import {
  FEE,
  KAS,
  openCosigners,
  payment,
  toPskt,
  toText,
  type CosigningHarness,
  type OpenNetwork,
} from './cosigners.js'
import { finalizeNaively, signNaively, type NaiveKey } from './naive-signer.js'

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')
const THIEF = addressOfPublicKey('2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4', 'kaspasim')
const PATH = { cosigner: 0, change: false, index: 0 } as const

/**
 * Every rule that a cosigner verifies, twice: the text is refused with its reason, and what cosigners have signed who
 * believe the text is accepted by the node.
 */
export function describeHostileTexts(openNetwork: OpenNetwork): void {
  let harness: CosigningHarness
  /** Of the first two keys of the script. */
  let keys: readonly NaiveKey[]
  /** Of the third key. */
  let thirdKey: NaiveKey
  let script: { readonly publicKeys: readonly string[]; readonly redeemScript: string }

  beforeAll(async () => {
    harness = await openCosigners({ threshold: 2, count: 3 }, 60, openNetwork)
    script = { publicKeys: harness.value.publicKeys(PATH), redeemScript: harness.value.redeemScript(PATH) }
    const all = harness.cosigners.map(({ privateKeys: [privateKey = ''] }) => ({
      privateKey,
      publicKey: toHex(secp256k1.getPublicKey(fromHex(privateKey), true)),
    }))
    const [first, second, third] = script.publicKeys.map((key) => all.find(({ publicKey }) => publicKey === key)!)
    keys = [first!, second!]
    thirdKey = third!
  })
  afterAll(() => harness.close())

  const refusal = async (pskts: readonly Pskt[], options: Partial<FromPskbOptions> = {}): Promise<unknown> => {
    const opened = harness.cosigners[2]!.open(toText(...pskts), options)
    return opened.then(
      () => 'opened',
      (error: unknown) => (error as { reason?: unknown }).reason ?? error,
    )
  }

  /** What the node does with a transaction. */
  const submit = (transaction: Transaction): Promise<string> =>
    harness.cosigners[2]!.engine.rpc.submitTransaction(transaction).then(
      () => 'accepted',
      (error: unknown) => String(error),
    )

  const naive = (pskt: Pskt): Transaction => finalizeNaively(pskt, signNaively(pskt, keys), script)

  const honest = (count = 1): Pskt => payment(harness, harness.funds(count), RECIPIENT)
  const withInput = (pskt: Pskt, change: Partial<PsktInput>, at = 0): Pskt => ({
    ...pskt,
    inputs: pskt.inputs.map((input, index) => (index === at ? { ...input, ...change } : input)),
  })
  const withGlobal = (pskt: Pskt, change: Partial<Pskt['global']>): Pskt => ({
    ...pskt,
    global: { ...pskt.global, ...change },
  })

  /** An output of 3 KAS of a single key, which somebody else has. */
  const fundForeignKey = async () => {
    const privateKey = new Uint8Array(32).fill(9)
    const publicKey = toHex(secp256k1.getPublicKey(privateKey, true))
    const address = addressOfPublicKey(publicKey, 'kaspasim')
    expect(await submit(naive(payment(harness, harness.funds(), address)))).toBe('accepted')
    await harness.mine()
    const { rpc } = harness.cosigners[2]!.engine
    await expect.poll(() => rpc.getUtxosByAddresses([address])).toHaveLength(1)
    const [entry] = await rpc.getUtxosByAddresses([address])
    return {
      entry: entry!,
      sign: (hash: Uint8Array) => {
        const signature = toHex(schnorr.sign(hash, privateKey))
        return new Map([[publicKey, { scheme: 'schnorr' as const, signature }]])
      },
    }
  }

  describe('a bundle that naive cosigners lose UTXOs with', () => {
    it('is refused where a signature does not cover all outputs, which another cosigner replaces', async () => {
      for (const sighashType of [2, 130]) {
        const pskt = withInput(honest(), { sighashType })
        expect(await refusal([pskt])).toBe('sighash')
        const victim = signNaively(pskt, keys.slice(0, 1))
        const stolen = {
          ...pskt,
          outputs: [{ ...pskt.outputs[0]!, scriptPublicKey: toScriptPublicKey(THIEF), amount: 9n * KAS }],
        }
        const thief = signNaively(stolen, keys.slice(1))
        const both = victim.map((signatures, at) => new Map([...signatures, ...thief[at]!]))
        expect(await submit(finalizeNaively(stolen, both, script))).toBe('accepted')
      }
    })

    it('is refused where a signature in a final script does not cover all outputs', async () => {
      const pskt = honest()
      const signatures = signNaively(pskt, keys)
      const { signatureScript } = finalizeNaively(pskt, signatures, script).inputs[0]!
      expect(signatureScript.slice(130, 132)).toBe('01')
      const none = `${signatureScript.slice(0, 130)}02${signatureScript.slice(132)}`
      expect(await refusal([withInput(pskt, { finalScriptSig: none })])).toBe('sighash')
      const wrong = `41${'11'.repeat(64)}01${signatureScript}`
      const final = toText(withInput(pskt, { finalScriptSig: wrong }))
      const opened = await harness.cosigners[2]!.open(final, { reserveFor: 0 })
      const dropped = { transaction: 0, input: 0, cosigner: undefined }
      expect([opened.isComplete, opened.rejectedSignatures]).toEqual([true, [dropped]])
    })

    it('is refused where a signature covers one output only', async () => {
      const pskt = withInput(honest(), { sighashType: 4 })
      expect(await refusal([pskt])).toBe('sighash')
      const victim = signNaively(pskt, keys.slice(0, 1))
      const stolen = {
        ...pskt,
        outputs: pskt.outputs.map((output, at) =>
          at === 0 ? output : { ...output, scriptPublicKey: toScriptPublicKey(THIEF) },
        ),
      }
      const thief = signNaively(stolen, keys.slice(1))
      const both = victim.map((signatures, at) => new Map([...signatures, ...thief[at]!]))
      expect(await submit(finalizeNaively(stolen, both, script))).toBe('accepted')
    })

    it('is refused where amounts are not those of the node: two texts of one id burn the difference', async () => {
      const entries = harness.funds(2)
      const outputs = [{ address: RECIPIENT, amount: 10n * KAS }]
      const honestPskt = toPskt(harness.value, { entries, outputs, commits: false })
      const lower = (at: number): Pskt =>
        withInput(honestPskt, { utxoEntry: { ...honestPskt.inputs[at]!.utxoEntry!, amount: FEE } }, at)
      const texts = [lower(0), lower(1)] // each shows a fee of 0.025 KAS
      for (const text of texts) expect(await refusal([text])).toBe('amounts')
      const signed = texts.map((text) => signNaively(text, keys))
      const merged = [signed[1]![0]!, signed[0]![1]!]
      expect(await submit(finalizeNaively(honestPskt, merged, script))).toBe('accepted') // 10 KAS of fee
    })

    it('is refused where the fee is above the bound, or everything is fee', async () => {
      const [entry] = harness.funds()
      const outputs = [{ address: RECIPIENT, amount: KAS }]
      const pskt = toPskt(harness.value, { entries: [entry!], outputs })
      expect(await refusal([pskt])).toBe('fee')
      expect(await refusal([pskt], { maxFee: 9n * KAS })).toBe('opened')
      expect(await refusal([pskt], { maxFee: 9n * KAS - 1n })).toBe('fee')
      expect(await refusal([{ ...pskt, outputs: [] }], { maxFee: 100n * KAS })).toBe('fee')
      expect(await submit(naive(pskt))).toBe('accepted')
      expect(await submit(naive({ ...honest(), outputs: [] }))).toBe('accepted')
    })

    it('is refused where an output is named as change that is none', async () => {
      const pskt = honest()
      const named = {
        ...pskt,
        outputs: pskt.outputs.map((output) => ({
          ...output,
          scriptPublicKey: toScriptPublicKey(THIEF),
          redeemScript: script.redeemScript,
        })),
      }
      expect(await refusal([named])).toBe('change')
      expect(await submit(naive(named))).toBe('accepted')
      const unnamed = { ...named, outputs: named.outputs.map((output) => ({ ...output, redeemScript: null })) }
      const opened = await harness.cosigners[2]!.open(toText(unnamed), { reserveFor: 0, offline: true })
      expect(opened.review).toMatchObject({ change: 0n, recipients: [{ address: THIEF }, { address: THIEF }] })
    })

    it('is refused where the operations are not the number of keys', async () => {
      for (const sigOpCount of [2, 15, 20]) {
        const pskt = withInput(honest(), { sigOpCount })
        expect(await refusal([pskt])).toBe('operations')
        expect(await submit(naive(pskt))).toBe('accepted')
      }
      const less = withInput(honest(), { sigOpCount: 2 })
      const later = finalizeNaively(less, signNaively(less, [keys[1]!, thirdKey]), script)
      expect(await submit(later)).toContain('script units exceeded') // of other cosigners it shuts out
      expect(await refusal([withInput(honest(), { sigOpCount: null })])).toBe('operations')
    })

    it('is refused with a payload that is not allowed', async () => {
      const pskt = payment(harness, harness.funds(), RECIPIENT, { payload: 'abcd' })
      expect(await refusal([pskt])).toBe('payload')
      const opened = await harness.cosigners[2]!.open(toText(pskt), { payload: 'allow', reserveFor: 0 })
      expect(opened.review.transactions[0]).toMatchObject({ payload: 'abcd' })
      expect(await submit(naive(pskt))).toBe('accepted')
      expect(await refusal([withGlobal(pskt, { version: 0 })], { payload: 'allow' })).toBe('payload')
    })

    it('is refused where an input is of somebody else', async () => {
      const alien = { ...harness.funds()[0]!, scriptPublicKey: toScriptPublicKey(THIEF) }
      const pskt = payment(harness, [alien], RECIPIENT)
      expect(await refusal([pskt])).toBe('foreign-input')
      const opened = await harness.cosigners[2]!.open(toText(pskt), { foreignInputs: 'allow', offline: true })
      expect(opened.review).toMatchObject({ spendsFromAccount: -(7n * KAS - FEE), areAmountsVerified: false })
      expect(opened.review.transactions[0]!.inputs).toMatchObject([{ isOwn: false, address: THIEF }])
      opened.release()
    })

    it('is refused with inputs of others beside own ones, or signed for the own ones alone', async () => {
      const foreign = await fundForeignKey()
      const [own] = harness.funds()
      const outputs = [{ address: RECIPIENT, amount: 12n * KAS }]
      const pskt = toPskt(harness.value, { entries: [own!, foreign.entry], outputs })
      expect(await refusal([pskt])).toBe('foreign-input')
      let text = toText(withInput(pskt, { sigOpCount: 1 }, 1))
      for (const { open, privateKeys } of harness.cosigners.slice(0, 2)) {
        const opened = await open(text, { foreignInputs: 'allow', reserveFor: 0 })
        text = (await opened.signAsync({ privateKeys })).toPskb()
      }
      const [signed] = readBundle(text)
      expect(signed!.inputs.map(({ partialSigs }) => partialSigs.size)).toEqual([2, 0])
      const finalize = async (pskt: Pskt) => {
        const opened = await harness.cosigners[2]!.open(toText(pskt), { foreignInputs: 'allow', reserveFor: 0 })
        return opened.finalize()
      }
      const missing = { code: 'signatures-missing', have: 0, need: 1, inputs: [{ transaction: 0, input: 1 }] }
      await expect(finalize(signed!)).rejects.toMatchObject(missing)
      const wrong = withInput(signed!, { partialSigs: foreign.sign(new Uint8Array(32)) }, 1)
      await expect(finalize(wrong)).rejects.toMatchObject({ code: 'invalid-signature', argument: 'proposal' })
      const hash = sighash(psktTransaction(signed!), 1, [own!, foreign.entry])
      const [pending] = await finalize(withInput(signed!, { partialSigs: foreign.sign(hash) }, 1))
      expect(await submit(toTransaction(pending!.serialize()))).toBe('accepted')
    })

    it('is refused where an outpoint is spent twice, or the stated id is another', async () => {
      const [entry] = harness.funds()
      const twice = payment(harness, [entry!, entry!], RECIPIENT)
      expect(await refusal([twice])).toBe('duplicate')
      expect(await submit(naive(twice))).toContain('duplicate')
      const pskt = payment(harness, [entry!], RECIPIENT)
      expect(await refusal([pskt, pskt])).toBe('duplicate')
      expect(await refusal([withGlobal(pskt, { id: '00'.repeat(32) })])).toBe('duplicate')
      expect(await submit(naive(withGlobal(pskt, { id: '00'.repeat(32) })))).toBe('accepted')
    })

    it('is refused with another redeem script; a missing one is derived', async () => {
      const pskt = withInput(honest(), { redeemScript: '51' })
      expect(await refusal([pskt])).toBe('redeem-script')
      const naively = finalizeNaively(pskt, signNaively(pskt, keys), { ...script, redeemScript: '51' })
      expect(await submit(naively)).toContain('failed to verify the signature script')
      expect(await refusal([withInput(pskt, { redeemScript: null })], { reserveFor: 0 })).toBe('opened')
    })

    it('is refused with a lock time, another version, or a covenant', async () => {
      const pskt = honest()
      expect(await refusal([withInput(pskt, { minTime: 1n })])).toBe('timed')
      expect(await submit(naive(withInput(pskt, { minTime: 10n ** 9n })))).toContain('not finalized')
      expect(await submit(naive(withInput(pskt, { minTime: 1n })))).toBe('accepted')
      expect(await refusal([withGlobal(pskt, { fallbackLockTime: 0n })])).toBe('timed')
      expect(await refusal([withGlobal(pskt, { txVersion: 1 })])).toBe('version')
      expect(await refusal([withGlobal(pskt, { version: 2 })])).toBe('version')
      const covenant = { authorizingInput: 0, covenantId: '00'.repeat(32) }
      expect(await refusal([{ ...pskt, outputs: pskt.outputs.map((each) => ({ ...each, covenant })) }])).toBe(
        'covenant',
      )
      expect(
        await refusal([withInput(pskt, { utxoEntry: { ...pskt.inputs[0]!.utxoEntry!, covenantId: '00'.repeat(32) } })]),
      ).toBe('covenant')
    })

    it('is refused where the node does not have what it spends, or the text states nothing of it', async () => {
      const pskt = honest()
      const previousOutpoint = { transactionId: 'ab'.repeat(32), index: 0 }
      expect(await refusal([withInput(pskt, { previousOutpoint })])).toBe('spent')
      expect(await refusal([withInput(pskt, { utxoEntry: null })])).toBe('amounts')
      expect(await refusal([withInput(pskt, { utxoEntry: { ...pskt.inputs[0]!.utxoEntry!, isCoinbase: true } })])).toBe(
        'amounts',
      )
    })

    it('is refused once another payment has spent what it spends', async () => {
      const entries = harness.funds()
      const [mine, theirs] = [RECIPIENT, THIEF].map((to) => payment(harness, entries, to))
      expect(await refusal([mine!], { reserveFor: 0 })).toBe('opened')
      expect(await submit(naive(theirs!))).toBe('accepted')
      await harness.mine()
      expect(await refusal([mine!])).toBe('spent')
      expect(await submit(naive(mine!))).not.toBe('accepted')
    })

    it('counts a signature for the key that it is valid for, and drops the others', async () => {
      const pskt = honest()
      const [first, second, third] = script.publicKeys as [string, string, string]
      const [victim] = signNaively(pskt, keys)
      const [ownKey, signature] = [...victim!][0]!
      const wrong = toHex(schnorr.sign(new Uint8Array(32), fromHex(keys[0]!.privateKey)))
      const other = [first, second, third].find((key) => key !== ownKey)!
      const flipped = `${ownKey.startsWith('02') ? '03' : '02'}${ownKey.slice(2)}`
      const schnorrOf = (text: string) => ({ scheme: 'schnorr', signature: text.slice(0, 128) }) as const
      const open = async (signatures: readonly (readonly [string, string])[]) =>
        harness.cosigners[2]!.open(
          toText(withInput(pskt, { partialSigs: new Map(signatures.map(([key, text]) => [key, schnorrOf(text)])) })),
          { reserveFor: 0, offline: true },
        )
      const signed = (proposal: Awaited<ReturnType<typeof open>>) =>
        proposal.signers.filter(({ hasSigned }) => hasSigned === 'all').length
      const parity = await open([
        [flipped, signature],
        [ownKey, signature],
      ])
      expect([signed(parity), parity.rejectedSignatures.length]).toEqual([1, 0])
      const garbage = await open([
        [ownKey, wrong],
        [other, signature],
      ])
      expect([signed(garbage), garbage.rejectedSignatures.length]).toEqual([0, 2])
      const completed = garbage.combine(await open([[ownKey, signature]]))
      expect(signed(completed)).toBe(1)
      expect(signed(completed.combine(garbage))).toBe(1) // a valid one is never replaced
    })

    it('refuses to combine other transactions', async () => {
      const entries = harness.funds()
      const mine = await harness.cosigners[0]!.open(toText(payment(harness, entries, RECIPIENT)))
      const theirs = payment(harness, entries, THIEF)
      expect(() => mine.combine(toText(theirs))).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
      const ordered = withInput(payment(harness, entries, RECIPIENT), { sequence: 5n })
      expect(() => mine.combine(toText(ordered))).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
      const fewer = withInput(payment(harness, entries, RECIPIENT), { sigOpCount: 2 })
      expect(() => mine.combine(toText(fewer))).toThrow(expect.objectContaining({ reason: 'operations' }))
      const low = withInput(theirs, { utxoEntry: { ...theirs.inputs[0]!.utxoEntry!, amount: 5n * KAS } })
      expect(() => mine.combine(toText(low))).toThrow(expect.objectContaining({ code: 'untrusted-pskb' }))
      await expect(mine.finalize()).rejects.toMatchObject({
        code: 'signatures-missing',
        have: 0,
        need: 2,
        inputs: [{ transaction: 0, input: 0 }],
      })
    })
  })
}
