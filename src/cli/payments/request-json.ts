import type { IncomingMessage } from 'node:http'
import { invalidArgument } from '../../errors/chain-error.js'
import {
  type PaymentListOptions,
  type PaymentSettings,
  type PaymentRequestRecord,
  toStateJson,
} from '../../feed/payments/payment.js'

/** Bytes of a request, at most. */
const MAX_BODY = 65_536

/** Reads a request to create. Rejects with `ChainError` (`invalid-argument`). */
export async function readSettings(request: IncomingMessage, confirmations: number): Promise<PaymentSettings> {
  const body = await readJson(request)
  const { amount, tolerance, ...settings } = body
  return {
    confirmations,
    ...(settings as Omit<PaymentSettings, 'amount' | 'tolerance'>), // checked by `create`
    amount: toSompi('amount', amount),
    ...(tolerance === undefined ? {} : { tolerance: toSompi('tolerance', tolerance) }),
  }
}

/** The options of a list. Throws `ChainError` (`invalid-argument`), as `list` does. */
export const toListOptions = (search: URLSearchParams): PaymentListOptions => ({
  status: (search.get('status') ?? undefined) as PaymentListOptions['status'], // checked by `list`
  after: search.get('after') ?? undefined,
  limit: search.has('limit') ? Number(search.get('limit')) : undefined,
})

/** A body that is a JSON record. Rejects with `ChainError` (`invalid-argument`). */
export async function readJson(request: IncomingMessage, max = MAX_BODY): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > max) throw invalidArgument('body', `The body has more than ${max} bytes`)
    chunks.push(chunk)
  }
  const body = parse(Buffer.concat(chunks).toString())
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw invalidArgument('body', 'The body is no JSON record')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** JSON has no bigint: amounts are decimal texts. */
function toSompi(name: string, value: unknown): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value)
  throw invalidArgument(name, `"${name}" is no text of sompi`, 'Such as "1250000000" for 12.5 KAS.')
}

/** A request as JSON: amounts are sompi as decimal texts. `page` is the path of its page. */
export const toJson = (record: PaymentRequestRecord, page: string) => ({
  ...record,
  amount: String(record.amount),
  refundable: String(record.refundable),
  state: toStateJson(record.state),
  page,
})

/** What the page of a request shows: nothing of the shop's own. */
export const toPageState = ({ address, amount, expiresAt, uri, stored, state }: PaymentRequestRecord) => ({
  address,
  amount: String(amount),
  expiresAt,
  uri,
  network: stored.network,
  label: stored.label ?? null,
  message: stored.message ?? null,
  status: state.status,
  received: String(state.received),
  pending: String(state.pending),
  missing: String(state.missing),
  isLate: state.isLate,
  isExpired: state.isExpired,
  freshness: state.freshness,
})

export type PageState = ReturnType<typeof toPageState>
