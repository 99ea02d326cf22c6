import type { ChainEngine } from '../engine/engine.js'
import { partsOf, type CoreParts } from '../engine/core-parts.js'
import { feature } from '../engine/feature.js'
import { ownChanges } from '../engine/features/own-changes.js'
import { sentIds } from '../engine/features/sent-ids.js'
import { unconfirmed } from '../engine/features/unconfirmed.js'
import type { openTransactions } from '../engine/open-transactions.js'
import { ChainError } from '../errors/chain-error.js'
import { loadCode } from '../loading/load-code.js'
import { toAddress } from '../model/address.js'
import { relayMass, storageMass } from '../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../model/network.js'
import { toTransaction, type SerializedTransaction } from '../model/serialized-transaction.js'
import { toOutpointKey, type UtxoEntry } from '../model/utxo.js'
import { toCall } from '../operations/queries/call.js'
import { submitToNode, type NodeReply } from '../operations/submission/submit-to-node.js'
import type { PaymentOutput } from '../operations/transactions/records.js'
import type { Replaced } from '../operations/transactions/replaced.js'
import type { TransactionOperations } from '../operations/transactions/transactions.js'
import { paidBy } from '../streams/payouts/group-changes.js'
import type { AttemptReply, JournalAccess, PayoutAttempt, PayoutGroup } from '../streams/payouts/journal.js'
import type { CheckedOptions } from './options.js'

type OpenTransactions = typeof openTransactions

/** Loads the code of payments. */
export async function openQueueNode(engine: ChainEngine, options: CheckedOptions): Promise<QueueNode> {
  const { openTransactions } = await loadCode(() => import('../engine/open-transactions.js'))
  return new QueueNode(engine, options, openTransactions)
}

/**
 * What a queue does at the node. Unlike `engine.transactions` it may spend from the addresses of the queue, and what
 * the engine has reserved.
 */
export class QueueNode {
  readonly network: ChainNetwork
  readonly #core: CoreParts
  readonly #operations: TransactionOperations
  readonly #replaced = new Map<string, Replaced>()
  /** The ids of attempts whose stored record was verified in this process, or that it signed. */
  readonly #verified = new Set<string>()

  constructor(
    private readonly engine: ChainEngine,
    private readonly options: CheckedOptions,
    openTransactions: OpenTransactions,
  ) {
    this.#core = partsOf(engine)
    this.network = this.#core.network()
    this.#operations = openTransactions(this.#core, {
      managed: undefined,
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
   * the others.
   */
  async freeEntries(
    journal: Pick<JournalAccess, 'taken'>,
    signal: AbortSignal,
  ): Promise<{ readonly free: readonly UtxoEntry[]; readonly unconfirmed: bigint }> {
    const { addresses, minConfirmations } = this.options
    const [entries, { virtualDaaScore }] = await Promise.all([
      this.engine.rpc.getUtxosByAddresses(addresses, { signal }),
      this.engine.rpc.getServerInfo({ signal }),
    ])
    const deepest = virtualDaaScore - BigInt(minConfirmations)
    const deep = entries.filter(({ blockDaaScore }) => blockDaaScore <= deepest)
    const taken = await journal.taken(deep.map(({ outpoint }) => toOutpointKey(outpoint)))
    const free = deep.filter(({ outpoint }) => !taken.has(toOutpointKey(outpoint)))
    const sum = (some: readonly UtxoEntry[]): bigint => some.reduce((total, { amount }) => total + amount, 0n)
    return { free, unconfirmed: sum(entries) - sum(deep) }
  }

  /** The ids of transactions in the mempool that spend from the addresses. */
  async mempoolDebits(signal: AbortSignal): Promise<readonly string[]> {
    const entries = await this.engine.rpc.getMempoolEntriesByAddresses(this.options.addresses, { signal })
    return entries.flatMap(({ sending }) => sending.map(({ transaction }) => transaction.id))
  }

  /** Notes an attempt that was signed by this process. */
  signed({ transactionId }: PayoutAttempt): void {
    this.#verified.add(transactionId)
  }

  /**
   * Checks that a stored attempt pays the payouts of its group and returns the change; its signatures once. Rejects
   * with `ChainError` (`invalid-argument`) where somebody has changed the journal, and for a payment whose payouts were
   * released after a conflict: another group pays them.
   */
  async verify(attempt: PayoutAttempt, group: PayoutGroup): Promise<void> {
    const { transactionId, signed, pays } = attempt
    const paid = paidBy(attempt, group).map(({ address, amount }) => ({ address, amount }))
    if (paid.length !== pays.length || signed.id !== transactionId) throw changedRecord(transactionId)
    if (this.#verified.has(transactionId)) return
    const change = signed.outputs.slice(pays.length).map((output) => this.#toOwn(output))
    await this.#operations.restore(signed, { outputs: [...paid, ...change] })
    this.#verified.add(transactionId)
  }

  /** Hands a verified attempt to the node; undefined where nothing was sent. */
  async submit({ transactionId, signed }: PayoutAttempt): Promise<AttemptReply | undefined> {
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

function toReply(transactionId: string, reply: NodeReply): AttemptReply | undefined {
  switch (reply.type) {
    case 'taken':
      return { transactionId, outcome: 'relayed', lastResponse: null }
    case 'refused':
      return reply.meaning === 'in-mempool'
        ? { transactionId, outcome: 'relayed', lastResponse: null }
        : { transactionId, outcome: 'unknown', lastResponse: wordsOf(reply.error) }
    case 'no-reply':
    case 'invalid':
      return { transactionId, outcome: 'unknown', lastResponse: wordsOf(reply.error) }
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
