import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types'
import { Subject, type Observable } from 'rxjs'
import { partsOf } from '../../engine/core-parts.js'
import { guarded, silentLogger } from '../../engine/resolve-options.js'
import { ChainError } from '../../errors/chain-error.js'
import { BoundedMap } from '../../model/bounded-collections.js'
import { readSafeJson } from '../../operations/transactions/read-safe-json.js'
import { ASSET, BINDING, PROFILE, SCHEME, ENCODING, requireNetwork } from '../binding/offer.js'
import type { StoredResponse, X402Payment } from '../settlement.js'
import { checkSteps, type CheckedPayment, type RequestIdentity } from './check-payment.js'
import { createContext, type ContextOptions, type X402Middleware } from './hono-context.js'
import { createCounters, type X402Metrics } from './metrics.js'
import { checkFacilitatorOptions, type KaspaFacilitatorOptions } from './options.js'
import { isRefusal, refuse, type Refusal } from './refusal.js'
import { createRequestScopes, type RequestScope } from './request-scope.js'
import { createClaims, usedElsewhere } from './claims.js'
import { settleClaimed, type SettleContext } from './settle.js'
import { createVerificationQueue } from './verification-queue.js'
import { createChainWatch } from './watch-chain.js'

/** What an operator has to know. */
export interface X402Event {
  /** `lost`: a payment was served, and the chain has spent its inputs otherwise. `refused`: a payment was refused. */
  readonly type: 'lost' | 'refused' | 'settled' | 'recovery-required'
  readonly transactionId: string
  readonly reason?: string | undefined
}

/** Settles payments of x402 in this process, for the unchanged upstream middleware and for other processes. */
export interface KaspaFacilitator extends FacilitatorClient {
  /**
   * The middleware that binds payments to their requests, repeats stored responses and turns pending payments into 503:
   * for Express and for Hono, before the middleware of `@x402`.
   */
  context(options?: ContextOptions): X402Middleware
  /**
   * Runs `work` for a request whose hash another process has computed, or whose parts are given: `verify` and `settle`
   * within it are for that request. In a page, only those that it calls at once.
   */
  bind<T>(identity: RequestIdentity, work: () => T): T
  /** Supplies the response of a payment in `recovery-required`. Rejects with `ChainError` (`invalid-argument`). */
  recover(transactionId: string, response: StoredResponse): Promise<void>
  /** A payment of the store; null where there is none. */
  find(transactionId: string): Promise<X402Payment | null>
  /** Hot; replays nothing; never errors. */
  readonly events$: Observable<X402Event>
  metrics(): X402Metrics
  /** Stops following the chain. Requests that wait get a response at their deadline. */
  close(): Promise<void>
}

/**
 * Creates a facilitator of the draft binding `kaspa-exact-v2`, profile `standard-native`. It follows the chain from now
 * on, and connects the engine. Throws `ChainError`: `invalid-argument`, also for mainnet without `mainnet: true`.
 */
export function createKaspaFacilitator(options: KaspaFacilitatorOptions): KaspaFacilitator {
  const { engine, store } = options
  const network = partsOf(engine).network()
  const checked = checkFacilitatorOptions(options, network)
  const x402Network = requireNetwork(network, options.mainnet)
  const logger = guarded(options.logger ?? silentLogger)
  const scopes = createRequestScopes()
  const counters = createCounters()
  const events$ = new Subject<X402Event>()
  const closed = new AbortController()
  const handlers = new Set<string>()
  const verifications = createVerificationQueue(checked.maxVerifications)
  const verified = new BoundedMap<string, CheckedPayment>(KNOWN_PAYMENTS)

  const watch = createChainWatch({
    engine,
    store,
    network: x402Network,
    logger,
    retain: checked.retain,
    onCommand(command, payment) {
      if (command === 'submit') submit(payment)
      if (command === 'release') void store.release(payment).catch((error: unknown) => onStoreError(error))
      if (command === 'report') {
        counters.count('lost')
        logger.error('x402: a served payment was double-spent', { transactionId: payment.transactionId })
        events$.next({ type: 'lost', transactionId: payment.transactionId })
      }
    },
  })
  const onStoreError = (error: unknown): void => logger.warn('x402: the store failed', { error })

  /** Its outcome is read from the chain, so that a lost reply delays nothing. */
  function submit(payment: X402Payment): void {
    const { transaction } = readSafeJson(JSON.parse(payment.transaction), { maxInputs: 1_000, maxOutputs: 2 })
    counters.count('submitted')
    engine.rpc.submitTransaction(transaction, false, { signal: closed.signal }).catch((error: unknown) => {
      if (!(error instanceof ChainError)) throw error
      logger.debug('x402: a node did not take a payment', { transactionId: payment.transactionId, error })
    })
    void watch.apply(payment, { type: 'submitted' }).catch(onStoreError)
  }

  const settling: SettleContext = {
    store,
    watch,
    submit,
    handlers,
    handlerTimeout: checked.handlerTimeout,
    now: () => Date.now(),
  }

  /** In the turn of the payment; at once where it is known. */
  async function check(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    scope: RequestScope | undefined,
  ): Promise<CheckedPayment | Refusal> {
    if (scope === undefined) return refuse('request_not_bound', 'The payment is bound to no request: use context()')
    const rules = { network, maxFee: checked.maxFee, maxInputs: checked.maxInputs }
    const known = (payloadHash: string, hash: string) => verified.get(`${payloadHash} ${hash}`)
    const found = await verifications.run(checkSteps(payload, requirements, scope.identity, rules, known))
    if (found === undefined) {
      scope.outcome = { type: 'pending' }
      return refuse('settlement_pending', 'Too many payments are verified at the moment: present it again')
    }
    if (!isRefusal(found)) verified.set(`${found.payloadHash} ${found.requestHash}`, found)
    return found
  }

  const claims = createClaims({
    engine,
    store,
    watch,
    network: x402Network,
    finality: checked.finality,
    closed: closed.signal,
  })

  /** A failure of the node or the store is no refusal: an agent that gets 402 pays again. */
  async function verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> {
    const scope = scopes.current()
    const found = await check(payload, requirements, scope)
    if (isRefusal(found) || scope === undefined) return invalid(isRefusal(found) ? found : usedElsewhere)
    begin(scope, requirements)
    try {
      const refused = await claims.check(found, requirements, scope)
      return refused === undefined ? { isValid: true, payer: found.payer } : invalid(refused)
    } catch (error) {
      if (!(error instanceof Error) || !scope.hasHandler) throw error
      logger.warn('x402: a payment could not be verified', { transactionId: found.verified.id, error })
      scope.outcome = { type: 'pending' }
      return invalid(unreachable)
    }
  }

  function begin(scope: RequestScope, { maxTimeoutSeconds }: PaymentRequirements): void {
    scope.deadline ??= performance.now() + Math.min(checked.settleTimeout, maxTimeoutSeconds * 900)
  }

  function invalid({ reason, message }: Refusal): VerifyResponse {
    counters.count(`refused ${reason}`)
    return { isValid: false, invalidReason: reason, invalidMessage: message }
  }

  async function settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const scope = scopes.current()
    const found = await check(payload, requirements, scope)
    if (isRefusal(found) || scope === undefined) return failed(isRefusal(found) ? found : usedElsewhere, '')
    const startedAt = performance.now()
    begin(scope, requirements)
    const { id } = found.verified
    try {
      const payment = await claims.claim(found, requirements, scope)
      const settled = isRefusal(payment) ? payment : await settleClaimed(payment, scope, settling)
      if (isRefusal(settled)) return failed(settled, settled.reason === 'settlement_pending' ? id : '')
      if (scope.outcome.type === 'replay') return toFailure(replayed, id) // no handler runs: its response is replaced
      if (scope.outcome.type === 'serving') handlers.add(id)
      counters.settled(performance.now() - startedAt)
      events$.next({ type: 'settled', transactionId: id })
      return toSuccess(settled.payment)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      logger.warn('x402: a payment could not be settled', { transactionId: id, error })
      scope.outcome = { type: 'pending' }
      return failed(unreachable, id)
    }
  }

  function failed({ reason, message }: Refusal, transaction: string): SettleResponse {
    counters.count(`refused ${reason}`)
    events$.next({ type: 'refused', transactionId: transaction, reason })
    return toFailure({ reason, message }, transaction)
  }

  const toFailure = ({ reason, message }: Refusal, transaction: string): SettleResponse => ({
    success: false,
    errorReason: reason,
    errorMessage: message,
    transaction,
    network: x402Network,
  })

  const running = watch.run(closed.signal)
  engine.connection.connect().catch((error: unknown) => logger.warn('x402: the node cannot be reached', { error }))

  return {
    verify,
    settle,
    getSupported: () =>
      Promise.resolve({
        kinds: [
          {
            x402Version: 2,
            scheme: SCHEME,
            network: x402Network,
            extra: {
              asset: ASSET,
              binding: BINDING,
              defaultProfile: PROFILE,
              profiles: [PROFILE],
              modes: ['verify', 'settle'],
              confirmations: checked.finality,
              maxFee: String(checked.maxFee),
            },
          },
        ],
        extensions: [],
        signers: {},
      }),
    context: (contextOptions = {}) =>
      createContext(contextOptions, {
        scopes,
        async respond(payment, response) {
          try {
            const event =
              response === undefined ? ({ type: 'abandoned' } as const) : ({ type: 'responded', response } as const)
            const stored = await watch.apply(payment, event)
            if (stored.state === 'recovery-required')
              events$.next({ type: 'recovery-required', transactionId: payment.transactionId })
          } catch (error) {
            onStoreError(error) // the payer has paid: the response goes out
          } finally {
            handlers.delete(payment.transactionId)
          }
        },
      }),
    bind: (identity, work) =>
      scopes.run({ identity, hasHandler: false, deadline: undefined, outcome: { type: 'none' } }, work),
    async recover(transactionId, response) {
      const payment = await store.find(x402Network, transactionId)
      const isOpen = payment?.state === 'recovery-required'
      if (payment !== null && isOpen) await watch.apply(payment, { type: 'recovered', response })
      else
        throw new ChainError('There is no payment that needs a recovery', {
          code: 'invalid-argument',
          argument: 'transactionId',
        })
    },
    find: (transactionId) => store.find(x402Network, transactionId),
    events$: events$.asObservable(),
    metrics: () => counters.read(),
    async close() {
      closed.abort(new Error('The facilitator was closed'))
      await running
      events$.complete()
    },
  }
}

/** Valid payments that are not verified again when they are presented again; some kB each. */
const KNOWN_PAYMENTS = 256

const unreachable = /*#__PURE__*/ refuse(
  'settlement_pending',
  'The node or the store cannot be reached: present it again',
)

const replayed = /*#__PURE__*/ refuse('already_served', 'The payment was served: its response is repeated')

const toSuccess = ({ transactionId, network, payer, amount, confirmations }: X402Payment): SettleResponse => ({
  success: true,
  transaction: transactionId,
  network: network as SettleResponse['network'], // `kaspa:` and a network
  payer,
  amount: String(amount),
  extensions: {
    kaspa: {
      binding: BINDING,
      profile: PROFILE,
      finality: confirmations === 0 ? 'accepted' : 'confirmed',
      transactionEncoding: ENCODING,
    },
  },
})
