import type { PaymentPayload } from '@x402/core/types'
import { invalidArgument } from '../../errors/chain-error.js'
import { fromLosslessJson, toLosslessJson } from '../../model/lossless-json.js'
import type { OutpointKey } from '../../model/utxo.js'
import { createExclusive } from '../../sql/session.js'
import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../../model/address.js'
import { isHex, toHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { withSecretBytes } from '../../model/secret-bytes.js'
import type { TransactionSigner } from '../../sdk/port.js'
import { signBinding, type Binding, type BindingFields } from '../binding/binding.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { serializeScript } from '../binding/offer.js'

/** A payment of an agent, stored before it is sent anywhere. Holds no key. */
export interface StoredAttempt {
  /** SHA-256 of network, request and idempotency key: the same request is the same attempt. */
  readonly id: string
  readonly network: string
  readonly requestHash: string
  readonly transactionId: string
  /** What was sent as payment, repeated byte for byte. */
  readonly payload: Pick<PaymentPayload, 'x402Version' | 'payload' | 'extensions'>
  readonly outpoints: readonly OutpointKey[]
  /** Sompi, without the fee. */
  readonly amount: bigint
  readonly fee: bigint
  /** Unix ms. */
  readonly signedAt: number
  /**
   * `open`: the server may or may not have it. `paid`: the server has settled it. `never`: the caller has said that it
   * will never be accepted.
   */
  readonly resolved: 'open' | 'paid' | 'never'
}

/** Where an agent keeps its payments. */
export interface AttemptStore {
  /** Whether a restart forgets nothing: networks other than simnet and devnet require it. */
  readonly isDurable: boolean
  /** The newest attempt of an id. */
  find(id: string): Promise<StoredAttempt | null>
  /** Adds an attempt, or writes its newer state, by its transaction id; durable when it resolves. */
  put(attempt: StoredAttempt): Promise<void>
  /** Those signed since a time (Unix ms), and all open ones. */
  since(time: number): Promise<readonly StoredAttempt[]>
}

/** What `localStorage` and many stores of Node offer; both methods may return promises. */
export interface AttemptStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>
  setItem(key: string, value: string): unknown
}

export interface AttemptStoreOptions {
  /** Where the attempts are kept, as one text. @default memory */
  readonly storage?: AttemptStorage | undefined
  /** @default 'vue-chain-x402' */
  readonly key?: string | undefined
  /** Allows real networks without `storage`: after a crash an agent pays again. @default false */
  readonly acknowledgeVolatile?: boolean | undefined
}

/** Resolved attempts that are kept for the daily limit. */
const KEPT_FOR = 2 * 86_400_000

/**
 * The attempts of one agent, of which one process exists. Attempts are stored one after the other: an older text never
 * replaces a newer one. Throws `ChainError` (`invalid-argument`).
 */
export function createAttemptStore(options: AttemptStoreOptions = {}): AttemptStore {
  const { storage, key = 'vue-chain-x402', acknowledgeVolatile = false } = options
  if (storage !== undefined && typeof storage.getItem !== 'function')
    throw invalidArgument('storage', '"storage" has no getItem and setItem')
  const exclusive = createExclusive()
  /** What is stored; undefined before the first look. */
  let attempts: readonly StoredAttempt[] | undefined
  const load = async (): Promise<readonly StoredAttempt[]> => {
    if (attempts !== undefined) return attempts
    const text = (await storage?.getItem(key)) ?? '[]'
    return (attempts ??= fromLosslessJson(text) as readonly StoredAttempt[]) // written by `put`
  }
  async function put(attempt: StoredAttempt): Promise<void> {
    const known = await load()
    const isKnown = known.some(({ transactionId }) => transactionId === attempt.transactionId)
    const next = isKnown // in its place: `find` returns the newest one
      ? known.map((other) => (other.transactionId === attempt.transactionId ? attempt : other))
      : [...known, attempt]
    const kept = next.filter(
      (other) => other === attempt || other.resolved === 'open' || attempt.signedAt - other.signedAt < KEPT_FOR,
    )
    await storage?.setItem(key, toLosslessJson(kept))
    attempts = kept // not before: an attempt that is found is sent
  }
  return {
    isDurable: storage !== undefined || acknowledgeVolatile,
    find: async (id) => (await load()).filter((attempt) => attempt.id === id).at(-1) ?? null,
    put: (attempt) => exclusive(() => put(attempt)),
    since: async (time) => (await load()).filter(({ resolved, signedAt }) => resolved === 'open' || signedAt >= time),
  }
}

/** What pays: a key, or whatever has one. */
export interface X402Signer {
  /** A Schnorr address, whose UTXOs are spent and which gets the change. */
  readonly address: string
  /** Signs transactions: keys (32 bytes, hex), or a signer that has them. */
  readonly keysOrSigner: readonly string[] | TransactionSigner
  /** Signs a binding as `signBinding` does. */
  readonly signBinding: (fields: BindingFields) => Binding | Promise<Binding>
}

/** A signer of a private key (32 bytes, hex). Throws `ChainError` (`invalid-argument`); no error quotes the key. */
export function keySigner(privateKey: string, network: ChainNetwork): X402Signer {
  if (!isHex(privateKey, 32))
    throw invalidArgument('privateKey', '"privateKey" is no key of 32 bytes in lower-case hex')
  const publicKey = withSecretBytes(privateKey, (key) => toHex(schnorr.getPublicKey(key)))
  return {
    address: addressOfPublicKey(publicKey, NETWORKS[network].addressPrefix),
    keysOrSigner: [privateKey],
    signBinding: (fields) => signBinding(fields, privateKey),
  }
}

/** A signed transaction in the layout `kaspa-sdk-safe-json-v2.0.0` of the draft, as text. */
export function toSafeJson({ restore, ...signed }: SerializedTransaction): string {
  return JSON.stringify({
    id: signed.id,
    version: signed.version,
    inputs: signed.inputs.map(({ previousOutpoint, sequence, sigOpCount, signatureScript }, index) => {
      const output = restore?.spent[index]
      return {
        previousOutpoint,
        sequence,
        sigOpCount,
        signatureScript,
        utxo: output && { amount: output.amount, scriptPublicKey: serializeScript(output.scriptPublicKey) },
      }
    }),
    outputs: signed.outputs.map(({ value, scriptPublicKey }) => ({
      value,
      scriptPublicKey: serializeScript(scriptPublicKey),
      covenant: null,
    })),
    lockTime: signed.lockTime,
    subnetworkId: signed.subnetworkId,
    gas: signed.gas,
    payload: signed.payload,
    storageMass: signed.mass,
  })
}
