import type { ChainEngine } from '../engine/engine.js'
import { partsOf, type CoreParts, feature } from '../engine/core-parts.js'
import { ownChanges, paymentChecks, sentIds } from '../engine/features/own-payments.js'
import { unconfirmed } from '../engine/features/unconfirmed.js'
import { dependenciesOf, openTransactions } from '../engine/open-transactions.js'
import { ChainError } from '../errors/chain-error.js'
import { toAddress } from '../model/address.js'
import { relayMass, storageMass } from '../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../model/network.js'
import { toTransaction, type SerializedTransaction } from '../model/serialized-transaction.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../model/utxo.js'
import { toCall } from '../operations/queries/call.js'
import { submitToNode, type NodeReply } from '../operations/submission/submit-to-node.js'
import type { PaymentOutput } from '../operations/transactions/records.js'
import { withoutStore } from '../operations/transactions/sign/signed-amounts.js'
import type { Replaced } from '../operations/transactions/replaced.js'
import type { TransactionOperations } from '../operations/transactions/transaction-operations.js'
import { paidBy } from '../streams/payouts/group-changes.js'
import type {
  AttemptReply,
  JournalAccess,
  PayoutAttempt,
  PayoutGroup,
  PayoutRecord,
} from '../streams/payouts/journal.js'
import type { SubmissionReason, UtxoCounts } from './metrics.js'
import type { CheckedOptions } from './options.js'
import { refusalOf } from './recipients.js'

/**
 * What a queue does at the node. Unlike `engine.transactions` it may spend from the addresses of the queue, and what
 * the engine has reserved.
 */
export class QueueNode {
  readonly network: ChainNetwork
  readonly #core: CoreParts
  readonly #operations: TransactionOperations
  readonly #replaced = new Map<string, Replaced>()
  /** Stored records that were verified here, or signed, with what they pay. One that is read again is new. */
  readonly #verified = new WeakMap<SerializedTransaction, PayoutAttempt['pays']>()

  constructor(
    private readonly engine: ChainEngine,
    private readonly options: CheckedOptions,
  ) {
    this.#core = partsOf(engine)
    this.network = this.#core.network()
    const { signedAmounts } = dependenciesOf(this.#core)
    // found here, not with the first payment
    if (options.signer?.limits?.commitAmounts === false && signedAmounts === undefined) throw withoutStore()
    this.#operations = openTransactions(this.#core, {
      managed: undefined,
      claims: undefined, // the journal's are its own; other tabs see a copy of them
      replacedOf: (id) => this.#replaced.get(id),
      reservations: {
        reserved: () => [], // the claims of the journal say what is free
        reserve: (...payment) => feature(this.#core, unconfirmed).reserve(...payment),
      },
    })
  }

  get create(): TransactionOperations['create'] {
    return this.#operations.create
  }

  /** Plans a replacement that spends `utxos`, whatever the mempool has. */
  async replacing<T>(attempt: PayoutAttempt, utxos: readonly UtxoEntry[], plan: () => Promise<T>): Promise<T> {
    this.#replaced.set(attempt.transactionId, { utxos, paidFee: { fee: attempt.fee, mass: massOf(attempt.signed) } })
    try {
      return await plan()
    } finally {
      this.#replaced.delete(attempt.transactionId)
    }
  }

  /**
   * The UTXOs that may be spent: deep enough, not claimed, no output of a payment that is not settled; and the sum of
   * those that are only not deep enough.
   */
  async freeEntries(
    journal: Pick<JournalAccess, 'taken'>,
    signal: AbortSignal,
  ): Promise<{ readonly free: readonly UtxoEntry[]; readonly unconfirmed: bigint; readonly counts: UtxoCounts }> {
    const { addresses, minConfirmations } = this.options
    const [entries, { virtualDaaScore }] = await Promise.all([
      this.engine.rpc.getUtxosByAddresses(addresses, { signal }),
      this.engine.rpc.getServerInfo({ signal }),
    ])
    const deepest = virtualDaaScore - BigInt(minConfirmations)
    const taken = await journal.taken(entries.map(({ outpoint }) => toOutpointKey(outpoint)))
    const isFree = ({ outpoint }: UtxoEntry): boolean => !taken.has(toOutpointKey(outpoint))
    const isDeep = ({ blockDaaScore }: UtxoEntry): boolean => blockDaaScore <= deepest
    const deep = entries.filter(isDeep)
    const free = deep.filter(isFree)
    const unconfirmed = entries.filter((entry) => !isDeep(entry) && isFree(entry))
    const counts = {
      free: free.length,
      claimed: deep.length - free.length,
      unconfirmed: entries.length - deep.length,
    }
    return { free, unconfirmed: unconfirmed.reduce((sum, { amount }) => sum + amount, 0n), counts }
  }

  /** The outpoints of all UTXOs of the addresses. */
  async outpoints(signal: AbortSignal): Promise<ReadonlySet<OutpointKey>> {
    const entries = await this.engine.rpc.getUtxosByAddresses(this.options.addresses, { signal })
    return new Set(entries.map(({ outpoint }) => toOutpointKey(outpoint)))
  }

  /** Why a payout alone cannot be signed, whatever the funds are: the others are signed without it. */
  obstacleOf({ address, amount }: Pick<PayoutRecord, 'address' | 'amount'>): 'recipient' | 'signer' | undefined {
    if (amount > (this.options.signer?.limits?.maxAmount ?? amount)) return 'signer'
    return refusalOf(address, feature(this.#core, paymentChecks)) === undefined ? undefined : 'recipient'
  }

  /** The blue score of the newest block. */
  async sinkBlueScore(signal: AbortSignal): Promise<bigint> {
    return (await this.engine.rpc.getSinkBlueScore({ signal })).sinkBlueScore
  }

  /** The transactions in the mempool that spend from the addresses. */
  async mempoolDebits(signal: AbortSignal): Promise<readonly Debit[]> {
    const { addresses } = this.options
    const { addressPrefix } = NETWORKS[this.network]
    const entries = await this.engine.rpc.getMempoolEntriesByAddresses(addresses, { signal })
    return entries.flatMap(({ sending }) =>
      sending.map(({ transaction: { id, outputs } }) => ({
        transactionId: id,
        recipients: outputs
          .flatMap(({ scriptPublicKey }) => toAddress(scriptPublicKey, addressPrefix) ?? [])
          .filter((address) => !addresses.includes(address)),
      })),
    )
  }

  /** Notes an attempt that was signed by this process. */
  signed({ signed, pays }: PayoutAttempt): void {
    this.#verified.set(signed, pays)
  }

  /**
   * Checks that a stored attempt pays those of `payouts` that it names and returns the change; its signatures once.
   * Rejects with `ChainError` (`invalid-argument`) where somebody has changed the journal. Of the payouts of a group
   * alone those are missing that were released after a conflict: another group pays them.
   */
  async verify(attempt: PayoutAttempt, { payouts }: Pick<PayoutGroup, 'payouts'>): Promise<void> {
    const { transactionId, signed, pays } = attempt
    const paid = paidBy(attempt, { payouts }).map(({ address, amount }) => ({ address, amount }))
    if (paid.length !== pays.length || signed.id !== transactionId) throw changedRecord(transactionId)
    if (this.#verified.get(signed) === pays) return
    const change = signed.outputs.slice(pays.length).map((output) => this.#toOwn(output))
    await this.#operations.restore(signed, { outputs: [...paid, ...change] })
    this.#verified.set(signed, pays)
  }

  /** Hands a verified attempt to the node; undefined where nothing was sent. `reason`: why it was not relayed. */
  async submit({ transactionId, signed }: PayoutAttempt): Promise<Submitted | undefined> {
    const spent = (signed.restore?.spent ?? []).map(({ amount, scriptPublicKey }) => ({
      amount: BigInt(amount),
      scriptPublicKey,
    }))
    const isReplacement = signed.restore?.replaces !== undefined
    const transaction = toTransaction(signed)
    // before the chain can accept it
    feature(this.#core, ownChanges).remember(transactionId, this.options.changeAddress)
    const reply = await submitToNode(
      { id: transactionId, transaction, spent, isReplacement },
      { call: toCall(this.#core), sentIds: feature(this.#core, sentIds) },
    )
    return toReply(transactionId, reply)
  }

  #toOwn({ value, scriptPublicKey }: SerializedTransaction['outputs'][number]): PaymentOutput {
    const address = toAddress(scriptPublicKey, NETWORKS[this.network].addressPrefix)
    if (address === undefined || !this.options.addresses.includes(address))
      throw new ChainError('A stored payment has an output that is neither a payout nor change', {
        code: 'invalid-argument',
      })
    return { address, amount: BigInt(value) }
  }
}

/** A transaction that spends from the addresses of a queue. */
export interface Debit {
  readonly transactionId: string
  /** The addresses that it pays, without those of the queue. */
  readonly recipients: readonly string[]
}

export interface Submitted {
  readonly reply: AttemptReply
  readonly reason: SubmissionReason
}

/** Grams: the greatest of its masses. */
export function massOf(signed: SerializedTransaction): bigint {
  const transaction = toTransaction(signed)
  const spent = (signed.restore?.spent ?? []).map(({ amount, scriptPublicKey }) => ({
    amount: BigInt(amount),
    scriptPublicKey,
  }))
  const [relay, storage] = [relayMass(transaction), storageMass(transaction, spent)]
  return storage > relay ? storage : relay
}

function toReply(transactionId: string, reply: NodeReply): Submitted | undefined {
  const relayed = { transactionId, outcome: 'relayed', lastResponse: null } as const
  const unknown = (error: unknown) => ({ transactionId, outcome: 'unknown', lastResponse: wordsOf(error) }) as const
  switch (reply.type) {
    case 'taken':
      return { reply: relayed, reason: 'none' }
    case 'refused':
      return reply.meaning === 'in-mempool'
        ? { reply: relayed, reason: 'none' }
        : { reply: unknown(reply.error), reason: reply.error.reason ?? 'other' }
    case 'no-reply':
      return { reply: unknown(reply.error), reason: 'no-reply' }
    case 'invalid':
      return { reply: unknown(reply.error), reason: 'invalid' }
    case 'not-sent':
      return undefined
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof ChainError ? error.details || error.message : String(error)

const changedRecord = (transactionId: string): ChainError =>
  new ChainError(`The stored payment ${transactionId} does not pay the payouts of its group`, {
    code: 'invalid-argument',
    hint: 'It was not submitted: its payouts were released after a conflict, or somebody has changed the journal.',
  })
