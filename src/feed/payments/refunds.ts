import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { isValidAddress } from '../../model/address.js'
import { quote, textOf, type Query, type SqlRow } from '../../sql/session.js'
import { clientOf, type PaymentClient } from './run-payments.js'
import { readByIds } from './read-requests.js'
import { evaluate } from './evaluate.js'
import type { Refund, RefundSettings } from './payment.js'
import { ms, type PaymentTables, type RequestRow } from './request-rows.js'
import { lockEvents, writeEvaluations } from './evaluator.js'

/** What pays refunds: `createPayouts` on the same database. */
export interface RefundPayouts {
  pay(
    id: string,
    payment: { readonly address: string; readonly amount: bigint },
    options: { readonly client: PaymentClient },
  ): Promise<unknown>
}

export interface RefundContext {
  readonly tables: PaymentTables
  readonly payouts: RefundPayouts
  readonly hasWebhook: boolean
}

/**
 * Stores a refund, its event and its payout in one database transaction: none of them is there without the others.
 * Rejects with `ChainError` (`invalid-argument`) for more than was received and not refunded, and while a reorg has
 * taken back what was received.
 */
export async function refund(
  query: Query,
  { tables, payouts, hasWebhook }: RefundContext,
  id: string,
  settings: RefundSettings,
): Promise<Refund> {
  checkRefund(settings, tables)
  await lockEvents(query, tables) // before rows of requests, as evaluations do
  const { request, position } = await evaluated(query, tables, id, hasWebhook)
  const refunds = await readRefunds(query, tables, id)
  const { number = refunds.length + 1, to, amount } = settings
  const stored = refunds.find((one) => one.number === number)
  if (stored !== undefined) return requireSame(stored, settings)
  if (number !== refunds.length + 1)
    throw invalidArgument('number', `The next refund of "${id}" has the number ${refunds.length + 1}`)
  const { state } = evaluate(request, position)
  requireRefundable(id, state, amount)
  const payoutId = `refund/${id}/${number}`
  const [row] = await query(
    `insert into ${quote(tables.schema)}.payment_refund (network, request_id, number, address, amount, payout_id)
      values ($1, $2, $3::text::bigint, $4, $5::text::bigint, $6) returning ${COLUMNS}`,
    [tables.network, id, String(number), to, String(amount), payoutId],
  )
  if (row === undefined) throw new TypeError('The database returned no row')
  await payouts.pay(payoutId, { address: to, amount }, { client: clientOf(query) })
  const refunded: RequestRow = { ...request, refunded: request.refunded + amount }
  await writeEvaluations(query, tables, [{ request, evaluation: evaluate(refunded, position) }], hasWebhook)
  return toRefund(row)
}

/** The request after what has changed without the refund, which has an event of its own. */
async function evaluated(query: Query, tables: PaymentTables, id: string, hasWebhook: boolean) {
  const { rows, position } = await readByIds(query, tables, [id])
  const changed = rows.map((request) => ({ request, evaluation: evaluate(request, position) }))
  await writeEvaluations(query, tables, changed, hasWebhook)
  const read = await readByIds(query, tables, [id])
  const [request] = read.rows
  if (request === undefined) throw unknownRequest(id)
  return { request, position: read.position }
}

/** The refunds of a request, oldest first. */
export async function readRefunds(
  query: Query,
  { schema, network }: PaymentTables,
  id: string,
): Promise<readonly Refund[]> {
  const rows = await query(
    `select ${COLUMNS} from ${quote(schema)}.payment_refund as f
      where network = $1 and request_id = $2 order by f.number`,
    [network, id],
  )
  return rows.map(toRefund)
}

const COLUMNS = `number::text as number, address, amount::text as amount, payout_id, ${ms('requested_at')}::text as requested_at`

const toRefund = (row: SqlRow): Refund => ({
  number: Number(textOf(row, 'number')),
  to: textOf(row, 'address'),
  amount: BigInt(textOf(row, 'amount')),
  payoutId: textOf(row, 'payout_id'),
  requestedAt: Number(textOf(row, 'requested_at')),
})

function checkRefund(settings: RefundSettings, { network }: PaymentTables): void {
  refuseUnknown(settings, ['to', 'amount', 'number'] satisfies (keyof RefundSettings)[])
  const { to, amount, number = 1 } = settings
  if (!isValidAddress(to, network))
    throw invalidArgument(
      'to',
      `"to" is no address of ${network}`,
      'Pass the address that the customer names: the payer may be an exchange.',
    )
  if (typeof amount !== 'bigint' || amount <= 0n)
    throw invalidArgument('amount', '"amount" must be an amount above zero, in sompi, as a bigint')
  if (!Number.isSafeInteger(number) || number < 1) throw invalidArgument('number', '"number" is no whole number from 1')
}

function requireSame(stored: Refund, { to, amount }: RefundSettings): Refund {
  if (stored.to === to && stored.amount === amount) return stored
  throw invalidArgument('number', `The refund ${stored.number} exists with other fields`, 'Use the next number.')
}

function requireRefundable(
  id: string,
  { received, refunded, wasReverted, status }: RequestRow['state'],
  amount: bigint,
) {
  const refundable = received > refunded ? received - refunded : 0n
  if (amount > refundable)
    throw invalidArgument('amount', `${refundable} sompi of the request "${id}" can be refunded, not ${amount}`)
  if (wasReverted && status !== 'confirmed')
    throw new ChainError(`A reorg took back a payment of the request "${id}", which is ${status}`, {
      code: 'failed',
      hint: 'Refund it once it is confirmed.',
    })
}

export const unknownRequest = (id: string): ChainError => invalidArgument('id', `There is no payment request "${id}"`)
