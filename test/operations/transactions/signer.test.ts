import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../../src/model/hex.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import type { SignatureRequest, TransactionSigner } from '../../../src/sdk/port.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { acceptingNode, hundred, large, small } from './accepting-node.js'
import { KAS, alice, bob, carol, utxo } from './accounts.js'
import { failure } from './failure.js'
import { noSdk } from './planned.js'
import { createScriptedDependencies } from './scripted-dependencies.js'
import { signaturesVerify } from './verify.js'

const SECRETS = [alice, carol].map(({ privateKey }) => fromHex(privateKey))

/** A hardware signer with the keys of Alice and Carol: finds the key of each request by its public key. */
function signRequest({ publicKey, sighash }: SignatureRequest): Uint8Array {
  const isEcdsa = publicKey.length === 66
  for (const secret of SECRETS) {
    if (isEcdsa && Buffer.from(secp256k1.getPublicKey(secret)).toString('hex') === publicKey)
      return secp256k1.sign(sighash, secret, { prehash: false, lowS: true })
    if (!isEcdsa && Buffer.from(schnorr.getPublicKey(secret)).toString('hex') === publicKey)
      return schnorr.sign(sighash, secret)
  }
  throw new Error('Unknown key')
}

type SignNow = (...given: Parameters<TransactionSigner['sign']>) => readonly Uint8Array[]

const signAll: SignNow = (requests) => requests.map(signRequest)

const signer = (sign: SignNow = signAll): TransactionSigner => ({
  sign: (...given) => new Promise((resolve) => resolve(sign(...given))),
})

/** A node, and no SDK: signing needs none. */
const nodeWithoutSdk = () => {
  const { deps, accepted } = acceptingNode(createScriptedDependencies(noSdk).sdk as never)
  return { deps: { ...deps, sdk: noSdk }, accepted, reserved: deps }
}

/** A payment of three inputs. */
const three = { ...small, entries: hundred.slice(0, 3), outputs: [{ address: bob.address, amount: (5n * KAS) / 2n }] }

const withoutKeys = ({ privateKeys: _, ...settings }: typeof small) => settings

describe('a signer in place of private keys', () => {
  it('signs a payment of several transactions in one call, without the SDK', async () => {
    const { deps, accepted } = nodeWithoutSdk()
    const seen: (readonly SignatureRequest[])[] = []
    const ids: (readonly string[])[] = []
    const sent = await createTransactions(deps).send({
      ...withoutKeys(large),
      signer: signer((requests, { transactions, signal }) => {
        seen.push(requests)
        ids.push(transactions.map(({ id }) => id))
        expect(signal.aborted).toBe(false)
        return requests.map(signRequest)
      }),
    })
    expect(seen.map((requests) => requests.length)).toEqual([88 + 9])
    expect(ids).toEqual([sent.transactionIds])
    expect(seen[0]?.[0]).toMatchObject({ transactionIndex: 0, inputIndex: 0, address: alice.address })
    expect(seen[0]?.at(-1)).toMatchObject({ transactionIndex: 1, inputIndex: 8 })
    const [first] = accepted
    const spent = first!.inputs.map(({ previousOutpoint }) =>
      hundred.find(({ outpoint }) => outpoint.transactionId === previousOutpoint.transactionId)!,
    )
    expect(signaturesVerify(first!, spent)).not.toContain(false)
  })

  it('shows the amounts and scripts of the spent outputs', async () => {
    const { deps } = nodeWithoutSdk()
    let amounts: (string | undefined)[] = []
    await createTransactions(deps).send({
      ...withoutKeys(small),
      signer: signer((requests, { transactions }) => {
        amounts = transactions.map(({ restore }) => restore?.spent[0]?.amount)
        return requests.map(signRequest)
      }),
    })
    expect(amounts).toEqual([String(30n * KAS)])
  })

  it('signs ECDSA inputs by the kind of the address, also with a high s, which is replaced', async () => {
    const entries = [utxo(2n * KAS, 0), utxo(2n * KAS, 1, { address: carol.ecdsaAddress })]
    const { transactions } = await createTransactions(createScriptedDependencies(noSdk)).create({
      entries,
      changeAddress: alice.address,
    })
    const highS: SignNow = (requests) =>
      requests.map((request) => {
        const signature = signRequest(request)
        if (request.publicKey.length === 64) return signature
        const { r, s } = secp256k1.Signature.fromBytes(signature, 'compact')
        return new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('compact')
      })
    await transactions[0]?.signAsync(signer(highS))
    const signed = toTransaction(transactions[0]!.serialize())
    const spent = signed.inputs.map(({ previousOutpoint: { index } }) => entries[index]!)
    expect(signaturesVerify(signed, spent)).toEqual([true, true])
  })

  it('is taken by sweep, consolidate and signAsync', async () => {
    const { deps, accepted } = nodeWithoutSdk()
    const { sweep, consolidate, create } = createTransactions(deps)
    const entries = hundred.slice(0, 3)
    await sweep({ entries, to: bob.address, signer: signer() })
    await consolidate({ entries: hundred.slice(3, 6), changeAddress: alice.address, signer: signer() })
    const { transactions } = await create({ ...small, entries: hundred.slice(6, 20) })
    await transactions[0]?.signAsync(signer())
    await transactions[0]?.submit()
    expect(accepted).toHaveLength(3)
  })
})

describe('a signer that fails', () => {
  const broken: [string, SignNow, string][] = [
    ['returns nothing', () => undefined as never, 'invalid-signature'],
    ['returns too few', (requests) => requests.slice(1).map(signRequest), 'invalid-signature'],
    ['returns too many', (requests) => [...requests, ...requests].map(signRequest), 'invalid-signature'],
    ['returns text', (requests) => requests.map(() => 'ab'.repeat(64)) as never, 'invalid-signature'],
    ['returns 65 bytes', (requests) => requests.map(() => new Uint8Array(65)), 'invalid-signature'],
    ['returns zeros', (requests) => requests.map(() => new Uint8Array(64)), 'invalid-signature'],
    ['returns 0xff', (requests) => requests.map(() => new Uint8Array(64).fill(255)), 'invalid-signature'],
    [
      'signs with another key',
      (requests) => requests.map(({ sighash }) => schnorr.sign(sighash, fromHex(bob.privateKey))),
      'invalid-signature',
    ],
    [
      'signs the last input wrongly',
      (requests) => requests.map((request, at) => (at === 2 ? new Uint8Array(64) : signRequest(request))),
      'invalid-signature',
    ],
    ['swaps two signatures', (requests) => requests.map(signRequest).reverse(), 'invalid-signature'],
    [
      'overwrites the hashes',
      (requests) => {
        for (const { sighash } of requests) sighash.fill(1)
        return requests.map(signRequest)
      },
      'invalid-signature',
    ],
    [
      'rejects',
      () => {
        throw new Error('The device is locked')
      },
      'failed',
    ],
  ]

  it.each(broken)('%s: one typed error, nothing sent, no UTXO reserved', async (_, sign, code) => {
    const { deps, accepted, reserved } = nodeWithoutSdk()
    const error = await failure(createTransactions(deps).send({ ...withoutKeys(three), signer: signer(sign) }))
    expect(error).toMatchObject({ name: 'ChainCryptoError', operation: 'sign', code, argument: 'signer' })
    expect([accepted.length, reserved.reserved.size]).toEqual([0, 0])
  })

  it.each(broken)('%s: signAsync() keeps no signature', async (_, sign) => {
    const { transactions } = await createTransactions(createScriptedDependencies(noSdk)).create(three)
    const pending = transactions[0]!
    expect(await failure(pending.signAsync(signer(sign)))).toMatchObject({ argument: 'signer' })
    expect(pending.serialize().inputs.every(({ signatureScript }) => signatureScript === '')).toBe(true)
  })

  it('replies after an abort: send() rejects at once, and ignores what comes late', async () => {
    const { deps, accepted, reserved } = nodeWithoutSdk()
    const controller = new AbortController()
    let reply: (() => void) | undefined
    let signalOfSigner: AbortSignal | undefined
    const late: TransactionSigner = {
      sign: (requests, { signal }) => {
        signalOfSigner = signal
        return new Promise((resolve) => (reply = () => resolve(requests.map(signRequest))))
      },
    }
    const attempt = failure(
      createTransactions(deps).send({ ...withoutKeys(small), signer: late }, { signal: controller.signal }),
    )
    await expect.poll(() => reply).toBeDefined()
    controller.abort('too slow')
    expect(await attempt).toMatchObject({ code: 'aborted', cause: 'too slow' })
    expect(signalOfSigner?.aborted).toBe(true)
    reply?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect([accepted.length, reserved.reserved.size]).toEqual([0, 0])
  })

  it('throws: one typed error', async () => {
    const throwing = {
      sign: () => {
        throw new Error('no device')
      },
    }
    const { deps } = nodeWithoutSdk()
    const attempt = createTransactions(deps).send({ ...withoutKeys(small), signer: throwing })
    expect(await failure(attempt)).toMatchObject({ code: 'failed', argument: 'signer', details: 'no device' })
  })

  it.each([
    ['no function sign', { signer: {} }],
    ['both signer and keys', { signer: signer(), privateKeys: [alice.privateKey] }],
  ])('with %s is rejected before any call', async (_, more) => {
    const { deps, reserved } = nodeWithoutSdk()
    expect(await failure(createTransactions(deps).send({ ...withoutKeys(small), ...more } as never))).toMatchObject({
      code: 'invalid-argument',
      argument: 'signer',
    })
    expect(reserved.calls).toEqual([])
  })

  it('is ignored by estimate and create', async () => {
    const { deps } = nodeWithoutSdk()
    const { estimate, create } = createTransactions(deps)
    const settings = { ...withoutKeys(small), signer: signer() }
    expect((await estimate(settings)).transactions).toBe(1)
    expect((await create(settings)).transactions).toHaveLength(1)
  })
})
