import { ChainCryptoError } from '../../errors/crypto-error.js'
import type { CallOptions } from '../queries/call.js'
import { massOf } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import { signAndSubmit, toHeld } from './held.js'
import { openKeyring, type Keyring } from './sign/keyring.js'
import { askTerms, draftPayment, needsEcdsa, type Terms } from './prepare.js'
import type { CreateTransactionSettings, PendingTx, TransactionSummary } from './records.js'
import { checkSettings, type CheckedSettings } from './settings.js'
import { heedSignal } from './submit/heed-signal.js'

/**
 * Payments: what they would cost, built, and sent. All three refuse a bad argument with `ChainError` (`invalid-argument`,
 * the culprit in `argument`) before anything else happens, and what cannot be paid with `insufficient-funds` or
 * `mass-exceeded`; they reject with `ChainRpcError` where the node must be asked and does not answer.
 * Unripe, covenant-bound and reserved entries are left aside. A `signal` ends them with code `cancelled`.
 */
export interface TransactionOperations {
  /** What a payment would come to. Needs no WASM, sends nothing. */
  readonly estimate: (settings: CreateTransactionSettings, options?: CallOptions) => Promise<TransactionSummary>
  /** All transactions of a payment, unsigned, in the order in which they must be submitted. Needs no WASM, sends nothing. */
  readonly create: (settings: CreateTransactionSettings, options?: CallOptions) => Promise<CreatedTransactions>
  /**
   * Pays: plans, signs with `privateKeys` (32 bytes, hex) and submits. Rejects also as `PendingTx.sign` and `submit` do;
   * a payment of several transactions that stops midway with an `InterruptedError`, which can be resumed. After `signal`
   * nothing more goes out; what is under way then is followed to its end, and the outcome told as it is.
   */
  readonly send: (
    settings: CreateTransactionSettings & { readonly privateKeys: readonly string[] },
    options?: CallOptions,
  ) => Promise<SentTransactions>
}

export interface CreatedTransactions {
  readonly transactions: PendingTx[]
  readonly summary: TransactionSummary
}

export interface SentTransactions {
  readonly transactionIds: string[]
  readonly summary: TransactionSummary
}

/** What a payment is planned from. */
interface Preparation {
  readonly settings: CheckedSettings
  readonly terms: Terms
}

export function createTransactions(dependencies: TransactionDependencies): TransactionOperations {
  const { network, call, sdk, reservations } = dependencies

  const prepare = async (given: CreateTransactionSettings, { signal }: CallOptions): Promise<Preparation> => {
    const settings = checkSettings(given, network())
    heedSignal(signal)
    return { settings, terms: await askTerms(settings, (method, request) => call(method, request, { signal })) }
  }
  /** Plans and builds in one go: whoever then reserves the coins at once has them before any other payment. */
  const build = ({ settings, terms }: Preparation, ecdsa: EcdsaSigner | undefined) => {
    const drafts = draftPayment(settings, terms, reservations)
    return { held: toHeld(drafts, settings, ecdsa, dependencies), summary: summarize(settings, drafts) }
  }

  return {
    estimate: async (given, options = {}) => {
      const { settings, terms } = await prepare(given, options)
      return summarize(settings, draftPayment(settings, terms, reservations))
    },
    create: async (given, options = {}) => {
      const preparation = await prepare(given, options)
      const { held, summary } = build(preparation, await loadEcdsa(preparation))
      return { transactions: held.map(({ transaction }) => transaction), summary }
    },
    send: async ({ privateKeys, ...given }, options = {}) => {
      sdk('send') // not ready? then nothing is asked, planned or reserved
      requireKeys(privateKeys)
      const preparation = await prepare(given, options)
      const ecdsa = await loadEcdsa(preparation)
      const { held, summary } = build(preparation, ecdsa)
      for (const { take } of held) take()
      const openKeys = (): Keyring => openKeyring(privateKeys, { sdk: sdk('send'), ecdsa })
      const transactionIds = [...(await signAndSubmit(held, openKeys, options))]
      return { transactionIds, summary: { ...summary, finalTransactionId: transactionIds.at(-1) } }
    },
  }
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
  throw new ChainCryptoError('send', new Error('No key was given'), {
    code: 'invalid-key',
    argument: 'privateKeys',
    hint: 'Pass the private keys, in hex, of the addresses that the entries belong to.',
  })
}
