// The state of the hot wallet, and what changes it. Pure functions: the store makes each change durable as a whole.
import { isValidAddress } from 'vue-chain/streams'

/** Sompi. Storage mass makes less than 0.2 KAS expensive to pay. */
const MIN_AMOUNT = 20_000_000n

/** The most withdrawals of one transaction. */
const BATCH_SIZE = 50

/** Grams of storage mass (KIP-9) of the withdrawals of one transaction: half of what a node takes, so that change has a share. */
const BATCH_STORAGE_MASS = 250_000n

/** Withdrawals by id; batches that pay them; accepted transactions of these batches with their blue score. */
export const EMPTY_WALLET = { cursor: undefined, withdrawals: {}, batches: {}, accepted: {} }

/** A withdrawal of a request. Throws where it could not be paid: it would hold up those that share its batch. */
export function checkWithdrawal({ id, address, amount }, network) {
  if (typeof id !== 'string' || id === '') throw new Error('id must be a text')
  if (!isValidAddress(address, network)) throw new Error(`address must be an address of ${network}`)
  if (typeof amount !== 'bigint' || amount < MIN_AMOUNT) throw new Error(`amount must be "${MIN_AMOUNT}n" or more`)
  return { id, address, amount }
}

/** Adds a withdrawal. The same id twice is the same withdrawal: a client may repeat its request. */
export function addWithdrawal(wallet, { id, address, amount }) {
  if (Object.hasOwn(wallet.withdrawals, id)) return wallet
  return { ...wallet, withdrawals: { ...wallet.withdrawals, [id]: { id, address, amount, batch: null } } }
}

/** The oldest queued withdrawals, as many as one transaction can pay. */
export function nextBatch({ withdrawals }) {
  let storageMass = 0n
  return Object.values(withdrawals)
    .filter(({ batch }) => batch === null)
    .slice(0, BATCH_SIZE)
    .filter(({ amount }) => (storageMass += 10n ** 12n / amount) <= BATCH_STORAGE_MASS)
}

/**
 * Adds signed transactions to a batch: the first payment, its replacement at a higher fee, or its cancellation. All of them spend
 * the same inputs, so that the network accepts one at most. The withdrawals belong to the batch from here on.
 */
export function addAttempt(wallet, batchId, attempt, withdrawals) {
  const batch = wallet.batches[batchId] ?? { id: batchId, attempts: [] }
  const paid = withdrawals.map((withdrawal) => [withdrawal.id, { ...withdrawal, batch: batchId }])
  return {
    ...wallet,
    withdrawals: { ...wallet.withdrawals, ...Object.fromEntries(paid) },
    batches: { ...wallet.batches, [batchId]: { ...batch, attempts: [...batch.attempts, attempt] } },
  }
}

/** Applies a batch of transfers: what a reorg has undone is unconfirmed again. */
export function applyTransfers(wallet, { cursor, rollback, transactions }) {
  const own = new Set(Object.values(wallet.batches).flatMap(({ attempts }) => attempts.map(finalId)))
  const kept = Object.entries(wallet.accepted).filter(([, score]) => rollback === null || score <= rollback.blueScore)
  const added = transactions
    .filter(({ transactionId }) => own.has(transactionId))
    .map(({ transactionId, transfers }) => [transactionId, transfers[0].acceptingBlueScore])
  return { ...wallet, cursor, accepted: Object.fromEntries([...kept, ...added]) }
}

/** The id of an attempt's last transaction, which pays; those before it only join inputs. */
export const finalId = ({ payments }) => payments.at(-1).id

/** The attempt that the chain has accepted; undefined if none. */
export const acceptedOf = ({ accepted }, { attempts }) =>
  attempts.find((attempt) => Object.hasOwn(accepted, finalId(attempt)))

export const unconfirmedOf = (wallet) =>
  Object.values(wallet.batches).filter((batch) => acceptedOf(wallet, batch) === undefined)

const outpointKey = ({ transactionId, index }) => `${transactionId}:${index}`

/** The attempts that may have spent their inputs, or have: of a confirmed batch the accepted one, otherwise all. */
const spendingAttempts = (wallet, batch) => {
  const accepted = acceptedOf(wallet, batch)
  return accepted === undefined ? batch.attempts : [accepted]
}

/**
 * The entries that no other batch spends, confirmed or not. Which UTXOs are free is the wallet's own knowledge, never a node's: a
 * node that is behind lists what was spent long ago, and a payment from it could never be accepted. `batchId`: the batch
 * that a new attempt belongs to.
 */
export function spendableFor(wallet, batchId, entries) {
  const others = Object.values(wallet.batches).filter(({ id }) => id !== batchId)
  const payments = others.flatMap((batch) => spendingAttempts(wallet, batch).flatMap(({ payments }) => payments))
  const spent = new Set(
    payments.flatMap(({ inputs }) => inputs.map(({ previousOutpoint }) => outpointKey(previousOutpoint))),
  )
  return entries.filter(({ outpoint }) => !spent.has(outpointKey(outpoint)))
}

/** The withdrawal with its status: `queued`, `sent`, `confirmed`, or `cancelled`. */
export function toStatus(wallet, withdrawal) {
  if (withdrawal.batch === null) return { ...withdrawal, status: 'queued' }
  const batch = wallet.batches[withdrawal.batch]
  const accepted = acceptedOf(wallet, batch)
  if (accepted === undefined) return { ...withdrawal, status: 'sent', transactionId: finalId(batch.attempts.at(-1)) }
  const status = accepted.type === 'cancel' ? 'cancelled' : 'confirmed'
  return { ...withdrawal, status, transactionId: finalId(accepted) }
}
