import { ChainCryptoError } from '../../errors/crypto-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { SdkPort } from '../../sdk/port.js'
import type { CallOptions } from '../queries/call.js'
import { massOf } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import { signAndSubmit, toReservable } from './sign-and-submit.js'
import { openKeyring, type Keyring } from './sign/keyring.js'
import { createSignedAmounts } from './sign/signed-amounts.js'
import { fetchTerms, draftPayment, needsEcdsa, type NodeTerms } from './prepare.js'
import { toCancellation, toConsolidation, toSweep } from './named-payments.js'
import type {
  CancelSettings,
  ConsolidateSettings,
  CreateTransactionSettings,
  PendingTx,
  SendSettings,
  SweepSettings,
  TransactionSummary,
} from './records.js'
import { checkSettings, type CheckedSettings } from './settings.js'
import { throwIfAborted } from './submit/throw-if-aborted.js'

/**
 * Estimates, builds and sends payments. All reject with `ChainError`: `invalid-argument` (with `argument`) before any call,
 * `insufficient-funds`, `mass-exceeded`, `fee-too-high`, or `aborted` by a `signal`; with `ChainRpcError` where a call to the node fails.
 * Immature, covenant-bound and reserved entries are skipped.
 */
export interface TransactionOperations {
  /** The totals of a payment. Needs no WASM, sends nothing. */
  readonly estimate: (settings: CreateTransactionSettings, options?: CallOptions) => Promise<TransactionSummary>
  /** All transactions of a payment, unsigned, in the order of submission. Needs no WASM, sends nothing. */
  readonly create: (settings: CreateTransactionSettings, options?: CallOptions) => Promise<CreatedTransactions>
  /**
   * Plans, signs with `privateKeys` (32 bytes, hex) and submits. Rejects also as `PendingTx.sign` and `submit` do; a payment
   * of several transactions that is submitted only in part rejects with a `PartiallySubmittedError`, which can be resumed. After
   * `signal` no further transaction is sent; the result of one in flight is still awaited.
   */
  readonly send: (settings: SendSettings, options?: CallOptions) => Promise<SentTransactions>
  /** Sends everything that is spendable to one address. Rejects as `send` does. */
  readonly sweep: (settings: SweepSettings, options?: CallOptions) => Promise<SentTransactions>
  /** Merges UTXOs into one at `changeAddress`. Rejects as `send` does. */
  readonly consolidate: (settings: ConsolidateSettings, options?: CallOptions) => Promise<SentTransactions>
  /**
   * Replaces a payment in the mempool by one that returns its inputs to `changeAddress` (RBF). Rejects as `send` does, and
   * with `invalid-argument` where the payment is not in the mempool.
   */
  readonly cancel: (id: string, settings: CancelSettings, options?: CallOptions) => Promise<SentTransactions>
}

export interface CreatedTransactions {
  readonly transactions: PendingTx[]
  readonly summary: TransactionSummary
}

export interface SentTransactions {
  readonly transactionIds: string[]
  readonly summary: TransactionSummary
}

interface Preparation {
  readonly settings: CheckedSettings
  readonly terms: NodeTerms
}

/** Ignored by `estimate` and `create`, so that the settings of `send` serve all three. */
const SIGNING_SETTINGS: readonly string[] = ['privateKeys', 'signer']

export function createTransactions(dependencies: TransactionDependencies): TransactionOperations {
  const { network, call, sdk, reservations, logger } = dependencies
  const signedAmounts = createSignedAmounts()

  const prepare = async (
    given: CreateTransactionSettings,
    { signal }: CallOptions,
    ignored = SIGNING_SETTINGS,
  ): Promise<Preparation> => {
    const settings = checkSettings(given, network(), ignored)
    throwIfAborted(signal)
    warnOfInvalid(settings, logger)
    return { settings, terms: await fetchTerms(settings, (method, request) => call(method, request, { signal })) }
  }
  /** Synchronous, so that the UTXOs can be reserved before another payment selects them. */
  const build = ({ settings, terms }: Preparation, ecdsa: EcdsaSigner | undefined, maxInputs?: number) => {
    const drafts = draftPayment(settings, terms, reservations, maxInputs)
    return {
      reservable: toReservable(drafts, settings, { ecdsa, signedAmounts }, dependencies),
      summary: summarize(settings, drafts),
    }
  }

  const send = async (
    { privateKeys, ...given }: SendSettings,
    options: CallOptions = {},
    maxInputs?: number,
  ): Promise<SentTransactions> => {
    sdk('send') // throws before any call where WASM is not ready
    requireKeys(privateKeys)
    const preparation = await prepare(given, options, [])
    const ecdsa = await loadEcdsa(preparation)
    const { reservable, summary } = build(preparation, ecdsa, maxInputs)
    for (const { reserve } of reservable) reserve()
    const openKeys = (using: SdkPort): Keyring => openKeyring(privateKeys, { sdk: using, ecdsa })
    const signing = { sdk: () => sdk('send'), openKeys }
    const transactionIds = [...(await signAndSubmit(reservable, signing, options))]
    return { transactionIds, summary: { ...summary, finalTransactionId: transactionIds.at(-1) } }
  }

  return {
    estimate: async (given, options = {}) => {
      const { settings, terms } = await prepare(given, options)
      return summarize(settings, draftPayment(settings, terms, reservations))
    },
    create: async (given, options = {}) => {
      const preparation = await prepare(given, options)
      const { reservable, summary } = build(preparation, await loadEcdsa(preparation))
      return { transactions: reservable.map(({ transaction }) => transaction), summary }
    },
    send,
    sweep: async (given, options) => send(toSweep(given), options),
    consolidate: async (given, options) => {
      const { settings, maxInputs } = toConsolidation(given)
      return send(settings, options, maxInputs)
    },
    cancel: async (id, given, options) => send(toCancellation(id, given), options),
  }
}

/** Reports entries that are left out because a node or an indexer made them up. */
function warnOfInvalid({ invalid }: CheckedSettings, logger: TransactionDependencies['logger']): void {
  if (invalid.length === 0) return
  const outpoints = invalid.slice(0, 10).map(({ outpoint }) => toOutpointKey(outpoint))
  logger.warn('UTXO entries are left out: their script is not that of their address', {
    count: invalid.length,
    outpoints,
  })
}

function summarize({ outputs }: CheckedSettings, drafts: readonly Draft[]): TransactionSummary {
  const final = drafts.at(-1)?.outputs ?? []
  return {
    fees: drafts.reduce((sum, { fee }) => sum + fee, 0n),
    mass: drafts.reduce((sum, draft) => sum + massOf(draft), 0n),
    transactions: drafts.length,
    finalAmount: (outputs.length > 0 ? outputs : final).reduce((sum, { value }) => sum + value, 0n),
  }
}

async function loadEcdsa({ settings, terms }: Preparation): Promise<EcdsaSigner | undefined> {
  return needsEcdsa(settings, terms) ? (await import('./sign/ecdsa.js')).signEcdsa : undefined
}

function requireKeys(privateKeys: readonly string[]): void {
  if (Array.isArray(privateKeys) && privateKeys.length > 0) return
  throw new ChainCryptoError('send', new Error('privateKeys is empty'), {
    code: 'invalid-key',
    argument: 'privateKeys',
    hint: 'Pass the private keys, in hex, of the addresses that the entries belong to.',
  })
}
