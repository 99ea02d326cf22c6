import type { PaymentPayloadResult, PaymentRequirements, SchemeNetworkClient } from '@x402/core/types'
import { partsOf } from '../../engine/core-parts.js'
import type { ChainEngine } from '../../engine/engine.js'
import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { isInsufficientFunds } from '../../errors/payment-errors.js'
import { sleep } from '../../loading/abortable.js'
import { sompiToKaspa } from '../../model/amount.js'
import type { ChainNetwork } from '../../model/network.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { PendingTx } from '../../operations/transactions/records.js'
import { createExclusive } from '../../sql/session.js'
import { digestOf, PAYMENT_IDENTIFIER, requestHash } from '../binding/binding.js'
import { ENCODING, PROFILE, SCHEME, requireNetwork, checkOffer } from '../binding/offer.js'
import { type AttemptStore, type StoredAttempt, toSafeJson, keySigner, type X402Signer } from './attempts.js'
import { createOfferedRequests, type OfferedRequest, type PaidFetchOptions } from './paid-fetch.js'

export interface KaspaClientSettings {
  /** A connected engine, which is not disposed of. Nothing else should pay from the signer's address. */
  readonly engine: ChainEngine
  readonly store: AttemptStore
  /** Sompi that are paid within 24 hours, at most, fees included; of this store. */
  readonly maxPerDay: bigint
  /** Sompi of one payment's fee, at most. @default 10_000_000n, 0.1 KAS */
  readonly maxFee?: bigint | undefined
  /** How long, in ms, a payment waits for the change of the one before. @default 15_000 */
  readonly waitForFunds?: number | undefined
  /** Accepts mainnet, although the binding is a draft. @default false */
  readonly mainnet?: boolean | undefined
}

export type KaspaClientOptions = KaspaClientSettings &
  (
    | { /** 32 bytes, hex. */ readonly privateKey: string; readonly signer?: undefined }
    | { readonly signer: X402Signer; readonly privateKey?: undefined }
  )

/** Pays offers in KAS: what `x402Client.register('kaspa:testnet-10', …)` takes. */
export interface KaspaClient extends SchemeNetworkClient {
  /**
   * A `fetch` for `wrapFetchWithPayment`: it binds payments to method and body too, and presents the same payment again
   * while the server has not settled it. Without it only requests without a body can be paid, by the URL that the
   * server names.
   */
  fetch(options?: PaidFetchOptions): typeof globalThis.fetch
  /** Payments that no response has resolved, oldest first. The same request presents them again. */
  open(): Promise<readonly StoredAttempt[]>
  /**
   * States what became of an open payment. `never` allows the same request to be paid by a new transaction: only where
   * the chain shows one of its inputs spent by another one, deep enough. Rejects with `ChainError`
   * (`invalid-argument`).
   */
  resolve(transactionId: string, resolved: 'paid' | 'never'): Promise<void>
  /**
   * Divides what the address has into `count` outputs of `amount`, so that as many payments can be made at once.
   * Resolves to the transaction's id. Rejects as `transactions.send` does.
   */
  split(count: number, amount: bigint): Promise<string>
}

const NAMES = [
  'engine',
  'store',
  'maxPerDay',
  'maxFee',
  'waitForFunds',
  'mainnet',
  'privateKey',
  'signer',
] satisfies (keyof KaspaClientOptions)[]

const DAY = 86_400_000
/** How often funds are looked for, in ms. */
const FUNDS_INTERVAL = 200

/**
 * Creates the client of an agent. A payment is stored before it is sent, and repeated byte for byte: a request is paid
 * once, also across crashes. Throws `ChainError` (`invalid-argument`), also for mainnet without `mainnet: true`.
 */
export function createKaspaClient(options: KaspaClientOptions): KaspaClient {
  refuseUnknown(options, NAMES)
  const { engine, store, maxPerDay, maxFee = 10_000_000n, waitForFunds = 15_000 } = options
  const network = partsOf(engine).network()
  const x402Network = requireNetwork(network, options.mainnet)
  const signer = signerOf(options, network)
  checkOptions(options, network)
  const offered = createOfferedRequests()
  const requestOf = new WeakMap<object, OfferedRequest>()
  const exclusive = createExclusive()

  async function pay(requirements: PaymentRequirements, request: OfferedRequest): Promise<StoredAttempt> {
    const hash = requestHash(request, requirements)
    const id = digestOf({ network: x402Network, requestHash: hash, idempotencyKey: request.idempotencyKey })
    const known = await store.find(id)
    if (known?.resolved === 'open') return known
    const amount = BigInt(requirements.amount)
    await requireLimit(amount)
    const transaction = await plan(requirements.payTo, amount)
    await requireLimit(amount + transaction.fee)
    await transaction.signAsync(signer.keysOrSigner)
    const attempt = await toAttempt({ id, hash, transaction, requirements })
    await store.put(attempt)
    return attempt
  }

  async function requireLimit(next: bigint): Promise<void> {
    const since = Date.now() - DAY
    const spent = (await store.since(since))
      .filter(({ resolved, signedAt }) => resolved !== 'never' && signedAt >= since)
      .reduce((sum, { amount, fee }) => sum + amount + fee, 0n)
    if (spent + next <= maxPerDay) return
    throw new ChainError(`The payment would exceed ${sompiToKaspa(maxPerDay)} KAS within 24 hours`, {
      code: 'limit-exceeded',
      argument: 'maxPerDay',
      details: `${sompiToKaspa(spent)} KAS were paid`,
    })
  }

  /** Waits for change of own payments: with one UTXO an agent pays one request at a time. */
  async function plan(address: string, amount: bigint): Promise<PendingTx> {
    const end = performance.now() + waitForFunds
    for (;;) {
      try {
        const entries = await freeEntries()
        const outputs = [{ address, amount }]
        const settings = { entries, outputs, changeAddress: signer.address, maxFee }
        const { transactions } = await engine.transactions.create(settings)
        const [transaction, ...more] = transactions
        if (transaction !== undefined && more.length === 0) return transaction
        throw invalidArgument('amount', 'The payment needs more than one transaction', 'Consolidate the UTXOs first.')
      } catch (error) {
        if (!isInsufficientFunds(error) || performance.now() >= end) throw error
      }
      await sleep(FUNDS_INTERVAL)
    }
  }

  /** What no open payment spends: another process of the agent may have signed it. */
  async function freeEntries() {
    const taken = new Set((await store.since(Infinity)).flatMap(({ outpoints }) => outpoints))
    const entries = await engine.rpc.getUtxosByAddresses([signer.address])
    return entries.filter(({ outpoint }) => !taken.has(toOutpointKey(outpoint)))
  }

  async function toAttempt({ id, hash, transaction, requirements }: SignedPayment): Promise<StoredAttempt> {
    const signed = transaction.serialize()
    const extensions = {
      [PAYMENT_IDENTIFIER]: { info: { required: true, id: `vc_${crypto.randomUUID()}` }, schema: {} },
    }
    const paymentOutputIndex = signed.outputs.findIndex(({ value }) => value === requirements.amount)
    const authorization = await signer.signBinding({
      network: requirements.network,
      profile: PROFILE,
      transactionId: signed.id,
      paymentOutputIndex,
      amount: requirements.amount,
      payTo: requirements.payTo,
      payToScriptPublicKey: String(requirements.extra.payToScriptPublicKey),
      paymentRequirementsHash: digestOf(requirements),
      requestHash: hash,
      paymentIdentifier: extensions[PAYMENT_IDENTIFIER].info.id,
      inputIndex: 0,
      expiresAt: new Date(Date.now() + requirements.maxTimeoutSeconds * 1_000 - CLOCK_SKEW).toISOString(),
    })
    return {
      id,
      network: x402Network,
      requestHash: hash,
      transactionId: signed.id,
      payload: {
        x402Version: 2,
        payload: {
          type: 'exact-transaction',
          profile: PROFILE,
          payerAddress: signer.address,
          transaction: toSafeJson(signed),
          transactionEncoding: ENCODING,
          paymentOutputIndex,
          requestHash: hash,
          authorization,
        },
        extensions,
      },
      outpoints: signed.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)),
      amount: BigInt(requirements.amount),
      fee: transaction.fee,
      signedAt: Date.now(),
      resolved: 'open',
    }
  }

  async function resolve(transactionId: string, resolved: 'paid' | 'never'): Promise<void> {
    const attempt = (await store.since(0)).find((each) => each.transactionId === transactionId)
    if (attempt === undefined) throw invalidArgument('transactionId', 'There is no such payment')
    await store.put({ ...attempt, resolved })
  }

  return {
    scheme: SCHEME,
    schemeHooks: {
      onBeforePaymentCreation({ paymentRequired, selectedRequirements }) {
        const url = paymentRequired.resource.url
        const request = offered.take(paymentRequired) ?? { method: 'GET', url, idempotencyKey: '' }
        requestOf.set(selectedRequirements, request)
        return Promise.resolve()
      },
      async onPaymentResponse({ paymentPayload, settleResponse }) {
        const attempt = (await store.since(0)).find((each) => each.payload.payload === paymentPayload.payload)
        const id = attempt?.transactionId ?? settleResponse?.transaction
        if (settleResponse?.success === true && id === settleResponse.transaction && id !== '')
          await resolve(id, 'paid')
      },
    },
    async createPaymentPayload(_version, requirements): Promise<PaymentPayloadResult> {
      checkOffer(requirements, network)
      const request = requestOf.get(requirements)
      if (request === undefined) throw invalidArgument('requirements', 'The offer is that of no request')
      const { payload } = await exclusive(() => pay(requirements, request))
      return payload
    },
    fetch: (fetchOptions) => offered.fetch(fetchOptions),
    open: async () => (await store.since(Infinity)).filter(({ resolved }) => resolved === 'open'),
    resolve,
    async split(count, amount) {
      const outputs = Array.from({ length: count }, () => ({ address: signer.address, amount }))
      const settings = { entries: await freeEntries(), outputs, changeAddress: signer.address }
      const { keysOrSigner } = signer
      const sent = await engine.transactions.send(
        'sign' in keysOrSigner ? { ...settings, signer: keysOrSigner } : { ...settings, privateKeys: keysOrSigner },
      )
      return sent.transactionIds.at(-1) ?? ''
    },
  }
}

interface SignedPayment {
  readonly id: string
  readonly hash: string
  readonly transaction: PendingTx
  readonly requirements: PaymentRequirements
}

/** How far the clocks of payer and server may differ, in ms: a payment that expires too late is refused. */
const CLOCK_SKEW = 2_000

function signerOf({ privateKey, signer }: KaspaClientOptions, network: ChainNetwork): X402Signer {
  if ((privateKey === undefined) === (signer === undefined))
    throw invalidArgument('signer', 'Pass either "privateKey" or "signer"')
  return signer ?? keySigner(privateKey, network)
}

function checkOptions({ maxPerDay, store }: KaspaClientOptions, network: ChainNetwork): void {
  if (typeof maxPerDay !== 'bigint' || maxPerDay <= 0n)
    throw invalidArgument('maxPerDay', '"maxPerDay" is no bigint above zero', 'It is in sompi.')
  if (!store.isDurable && network !== 'simnet' && network !== 'devnet')
    throw invalidArgument(
      'store',
      'The store forgets payments with the process',
      'After a crash a request would be paid again. Pass a "storage", or acknowledgeVolatile: true.',
    )
}
