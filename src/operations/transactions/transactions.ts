import { ChainCryptoError } from '../../errors/crypto-error.js'
import { massOf } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import { signAndSubmit, toHeld } from './held.js'
import { askTerms, draftPayment, needsEcdsa } from './prepare.js'
import type { CreateTransactionSettings, PendingTx, TransactionSummary } from './records.js'
import { checkSettings, type CheckedSettings } from './settings.js'

/**
 * Payments: what they would cost, built, and sent. All three refuse a bad argument with `ChainError` (`invalid-argument`,
 * the culprit in `argument`) before anything else happens, and what cannot be paid with `insufficient-funds` or
 * `mass-exceeded`; they reject with `ChainRpcError` where the node must be asked and does not answer.
 * Unripe, covenant-bound and reserved entries are left aside.
 */
export interface TransactionOperations {
  /** What a payment would come to. Needs no WASM, sends nothing. */
  readonly estimate: (settings: CreateTransactionSettings) => Promise<TransactionSummary>
  /** All transactions of a payment, unsigned, in the order in which they must be submitted. Needs no WASM, sends nothing. */
  readonly create: (settings: CreateTransactionSettings) => Promise<CreatedTransactions>
  /**
   * Pays: plans, signs with `privateKeys` (32 bytes, hex) and submits. Rejects also as `PendingTx.sign` and `submit` do;
   * a payment of several transactions that stops midway with an `InterruptedError`, which can be resumed.
   */
  readonly send: (
    settings: CreateTransactionSettings & { readonly privateKeys: readonly string[] },
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

export function createTransactions(dependencies: TransactionDependencies): TransactionOperations {
  const { network, call, sdk, reservations } = dependencies

  /** Plans, and lets `use` have the plan before anything else can run: what it reserves, no other plan has seen free. */
  const withPlan = async <Result>(
    settings: CheckedSettings,
    use: (drafts: readonly Draft[], summary: TransactionSummary) => Result,
  ): Promise<Result> => {
    const terms = await askTerms(settings, call)
    const drafts = draftPayment(settings, terms, reservations)
    return use(drafts, summarize(settings, drafts))
  }

  return {
    estimate: async (settings) => withPlan(checkSettings(settings, network()), (_, summary) => summary),
    create: async (settings) => {
      const checked = checkSettings(settings, network())
      const signing = { network: checked.network, ecdsa: await loadEcdsa(checked) }
      return withPlan(checked, (drafts, summary) => {
        const held = toHeld(drafts, signing, dependencies)
        return { transactions: held.map(({ transaction }) => transaction), summary }
      })
    },
    send: async ({ privateKeys, ...settings }) => {
      sdk('send') // not ready? then nothing is asked, planned or reserved
      requireKeys(privateKeys)
      const checked = checkSettings(settings, network())
      const signing = { network: checked.network, ecdsa: await loadEcdsa(checked) }
      const { held, summary } = await withPlan(checked, (drafts, summary) => {
        const held = toHeld(drafts, signing, dependencies)
        for (const { take } of held) take()
        return { held, summary }
      })
      const transactionIds = [...(await signAndSubmit(held, privateKeys))]
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

async function loadEcdsa(settings: CheckedSettings): Promise<EcdsaSigner | undefined> {
  return needsEcdsa(settings) ? (await import('./sign/ecdsa.js')).signEcdsa : undefined
}

function requireKeys(privateKeys: readonly string[]): void {
  if (Array.isArray(privateKeys) && privateKeys.length > 0) return
  throw new ChainCryptoError('send', new Error('No key was given'), {
    code: 'invalid-key',
    argument: 'privateKeys',
    hint: 'Pass the private keys, in hex, of the addresses that the entries belong to.',
  })
}
