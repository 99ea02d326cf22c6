import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { transactionId } from '../../src/model/transaction-id.js'
import { readSafeJson } from '../../src/operations/transactions/read-safe-json.js'
import { BINDING_VERSION, digestOf } from '../../src/x402/binding/binding.js'

const FOLDER = resolve(import.meta.dirname, '../../.cache/x402-vectors')
const [INTEROP, HTTP] = ['interop-v1.json', 'exact-transaction.json'].map((name) => join(FOLDER, name)) as [
  string,
  string,
]

interface Interop {
  readonly transactionEncoding: {
    readonly profiles: Readonly<Record<string, { readonly artifact: unknown; readonly transactionId: string }>>
  }
  readonly paymentRequirements: { readonly value: unknown; readonly sha256: string }
}

interface Http {
  readonly paymentPayload: {
    readonly accepted: Readonly<Record<'network' | 'amount' | 'payTo', string>> & {
      readonly extra: Readonly<Record<string, unknown>>
    }
    readonly payload: Readonly<Record<string, unknown>> & {
      readonly transaction: string
      readonly authorization: { readonly inputIndex: number; readonly expiresAt: string; readonly digest: string }
    }
    readonly extensions: { readonly 'payment-identifier': { readonly info: { readonly id: string } } }
  }
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** The vectors of the draft, which are not part of this repository. */
export function vectorTests(): void {
  const limits = { maxInputs: 10, maxOutputs: 10 }

  it.skipIf(!existsSync(INTEROP))('agree with interop-v1.json (node scripts/x402-vectors.mjs)', () => {
    const { transactionEncoding, paymentRequirements } = read(INTEROP) as Interop
    expect(digestOf(paymentRequirements.value)).toBe(paymentRequirements.sha256)
    for (const { artifact, transactionId: id } of Object.values(transactionEncoding.profiles))
      expect(transactionId(readSafeJson(artifact, limits).transaction)).toBe(id)
  })

  it.skipIf(!existsSync(HTTP))('agree with x402-http/exact-transaction.json (node scripts/x402-vectors.mjs)', () => {
    const { accepted, payload, extensions } = (read(HTTP) as Http).paymentPayload
    const { authorization, profile, paymentOutputIndex, requestHash, challengeId } = payload
    const { inputIndex, expiresAt, digest } = authorization
    const { network, amount, payTo, extra } = accepted
    const { transaction } = readSafeJson(JSON.parse(payload.transaction), limits)
    const fields = {
      ...{ scope: BINDING_VERSION, network, profile, transactionId: transactionId(transaction), paymentOutputIndex },
      ...{ amount, payTo, payToScriptPublicKey: extra.payToScriptPublicKey, requestHash, challengeId },
      ...{ paymentRequirementsHash: digestOf(accepted), inputIndex, expiresAt },
      paymentIdentifier: extensions['payment-identifier'].info.id,
    }
    expect(digestOf(fields)).toBe(digest)
  })
}
