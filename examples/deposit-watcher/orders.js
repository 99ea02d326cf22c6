// The state of the shop, and what changes it. Pure functions: the store makes each change durable as a whole.
import { transferKey } from 'vue-chain/streams'

/** No orders; the chain is followed from the present. */
export const EMPTY_SHOP = { cursor: undefined, orders: {}, watched: [], deposits: {} }

/** An order of a request. Throws where a field is missing. */
export function checkOrder({ id, amount, expiresAt }) {
  if (typeof id !== 'string' || id === '') throw new Error('id must be a text')
  if (typeof amount !== 'bigint' || amount <= 0n) throw new Error('amount must be sompi, such as "500000000n"')
  if (!Number.isFinite(expiresAt)) throw new Error('expiresAt must be Unix time in ms')
  return { id, amount, expiresAt }
}

/** Adds an order with the next address of the account. The same id twice is the same order. */
export function addOrder(shop, account, { id, amount, expiresAt }) {
  if (Object.hasOwn(shop.orders, id)) return shop
  const index = Object.keys(shop.orders).length
  const order = { id, index, address: account.address(index), amount, expiresAt }
  return { ...shop, orders: { ...shop.orders, [id]: order } }
}

/** Applies a batch: rows, watched addresses and cursor change together. */
export function applyBatch(shop, { cursor, rollback, transactions, added }) {
  const kept = Object.entries(shop.deposits).filter(
    ([, { blueScore }]) => rollback === null || blueScore <= rollback.blueScore,
  )
  const deposits = Object.fromEntries([...kept, ...transactions.flatMap(depositsOf)])
  return { ...shop, cursor, deposits, watched: [...shop.watched, ...added] }
}

/** A shop counts credits only: spending from the address later does not change what was paid. */
const depositsOf = ({ transfers }) =>
  transfers
    .filter(({ direction }) => direction === 'credit')
    .map((credit) => [
      transferKey(credit),
      {
        address: credit.address,
        amount: credit.amount,
        transactionId: credit.transactionId,
        blueScore: credit.acceptingBlueScore,
        time: credit.timestamp ?? 0,
      },
    ])

/** Whether a batch changes anything but the position. */
export const isEmpty = ({ rollback, transactions, added }) =>
  rollback === null && transactions.length === 0 && added.length === 0

/**
 * The order with its payments: `open`, `expired`, `underpaid`, `paid`, `overpaid`, or `late` where it was paid in full
 * too late.
 */
export function toStatus(shop, order, now) {
  const payments = Object.values(shop.deposits).filter(({ address }) => address === order.address)
  const received = sum(payments)
  const inTime = sum(payments.filter(({ time }) => time <= order.expiresAt))
  return { ...order, received, status: statusOf(order, received, inTime, now), payments }
}

function statusOf({ amount, expiresAt }, received, inTime, now) {
  if (inTime >= amount) return received > amount ? 'overpaid' : 'paid'
  if (received >= amount) return 'late'
  if (received > 0n) return 'underpaid'
  return now > expiresAt ? 'expired' : 'open'
}

const sum = (payments) => payments.reduce((total, { amount }) => total + amount, 0n)
