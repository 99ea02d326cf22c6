import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { quote, textOf, type Query } from '../../sql/session.js'
import type { CheckedSettings } from './check-settings.js'
import { readByIds } from './read-requests.js'
import { EMPTY_RECORD, toRecordJson } from './record-json.js'
import type { PaymentTables, ReadRequests, RequestRow } from './request-rows.js'
import { stateOf } from '../../streams/requests/state.js'
import { toStateJson } from './payment.js'
import type { Account } from '../../streams/accounts/accounts.js'
import type { PaymentsEngine } from './options.js'

/** Where addresses come from. */
interface AddressSupply {
  /** Names the account in the database: its first address. */
  readonly account: string
  /** The first index that may be used. */
  readonly startIndex: number
  readonly addressAt: (index: number) => string
  /** Whether an address has UTXOs. */
  readonly isUsed: (index: number) => Promise<boolean>
}

interface CreateContext {
  readonly tables: PaymentTables
  /** Undefined where each request brings its address. */
  readonly supply: AddressSupply | undefined
  /** The DAA score of the sink. */
  readonly daaScore: bigint
}

/**
 * Inserts a request and the row of `watched_address`, or finds the request of the id. The row lock of the account
 * orders its requests: an index that is rolled back with its transaction is given out again. Throws `ChainError`
 * (`invalid-argument`).
 */
export async function createRequest(
  query: Query,
  context: CreateContext,
  settings: CheckedSettings,
): Promise<ReadRequests> {
  const { tables, supply } = context
  const found = await readByIds(query, tables, [settings.id])
  if (found.rows.length > 0) return requireSame(found, settings)
  if (settings.address !== null) {
    const isFree = await insert(query, context, settings, { address: settings.address, account: null, index: null })
    if (!isFree) return requireSame(await readByIds(query, tables, [settings.id]), settings)
    return readByIds(query, tables, [settings.id])
  }
  if (supply === undefined) throw noAddress()
  const next = await lockAccount(query, tables, supply)
  const other = await readByIds(query, tables, [settings.id]) // of the transaction that had the lock before
  if (other.rows.length > 0) return requireSame(other, settings)
  for (let index = next; ; index++) {
    if (await supply.isUsed(index)) continue
    const place = { address: supply.addressAt(index), account: supply.account, index }
    if (!(await insert(query, context, settings, place))) {
      const rival = await readByIds(query, tables, [settings.id]) // of the caller's or another account's address
      if (rival.rows.length > 0) return requireSame(rival, settings)
      continue
    }
    await query(
      `update ${quote(tables.schema)}.payment_account set next_index = $3::text::bigint where network = $1 and account = $2`,
      [tables.network, supply.account, String(index + 1)],
    )
    return readByIds(query, tables, [settings.id])
  }
}

/**
 * Resolves to the first index that was not taken yet, and that no other request takes before the end of the
 * transaction.
 */
async function lockAccount(
  query: Query,
  { schema, network }: PaymentTables,
  { account, startIndex }: AddressSupply,
): Promise<number> {
  const [row] = await query(
    `insert into ${quote(schema)}.payment_account as a (network, account, next_index) values ($1, $2, $3::text::bigint)
      on conflict (network, account) do update set next_index = greatest(a.next_index, excluded.next_index)
      returning next_index::text as index`,
    [network, account, String(startIndex)],
  )
  if (row === undefined) throw new TypeError('The database returned no row')
  return Number(textOf(row, 'index'))
}

interface Place {
  readonly address: string
  readonly account: string | null
  readonly index: number | null
}

/** Whether the address was free: neither watched, nor credited before, nor of another request. */
async function insert(query: Query, { tables, daaScore }: CreateContext, settings: CheckedSettings, place: Place) {
  const { schema, network } = tables
  const s = quote(schema)
  const { id, amount, tolerance, confirmations, expiresIn, label, message, metadata } = settings
  const state = stateOf({ amount, tolerance, confirmations, expiresAt: Number.MAX_SAFE_INTEGER }, [], {
    ...{ tip: 0n, now: 0, wasReverted: false, freshness: 'unknown' as const },
  })
  const rows = await query(
    `with made as (
        insert into ${s}.payment_request (network, id, address, account, account_index, amount, tolerance, confirmations, label,
            message, metadata, created_at, created_daa_score, expires_at, next_at, state, record)
          select $1, $2, $3, $4, $5::text::bigint, $6::text::bigint, $7::text::bigint, $8::text::bigint, $9, $10, $11::text::jsonb,
            t.at, $12::text::bigint, t.at + $13::text::bigint * interval '1 millisecond',
            t.at + $13::text::bigint * interval '1 millisecond', $14::text::jsonb, $15::text::jsonb
          from (select date_trunc('milliseconds', clock_timestamp()) as at) as t
          where not exists (select from ${s}.transfer where network = $1 and address = $3)
            and not exists (select from ${s}.watched_address where network = $1 and address = $3)
          on conflict do nothing returning network, address
      )
      insert into ${s}.watched_address (network, address) select network, address from made returning address`,
    [
      ...[network, id, place.address, place.account, place.index === null ? null : String(place.index)],
      ...[String(amount), String(tolerance), String(confirmations), label, message, metadata],
      ...[String(daaScore), String(expiresIn)],
      ...[JSON.stringify(toStateJson(state)), JSON.stringify(toRecordJson(EMPTY_RECORD))],
    ],
  )
  return rows.length > 0
}

/** The request of the id where it is the same one. */
function requireSame(read: ReadRequests, settings: CheckedSettings): ReadRequests {
  const [row] = read.rows
  if (row === undefined) throw usedAddress()
  const other = differingField(row, settings)
  if (other === undefined) return read
  throw invalidArgument(
    other,
    `The request "${settings.id}" exists with another "${other}"`,
    'An id is one request for ever: use another id for another payment.',
  )
}

function differingField({ terms }: RequestRow, settings: CheckedSettings): string | undefined {
  if (terms.amount !== settings.amount) return 'amount'
  if (terms.tolerance !== settings.tolerance) return 'tolerance'
  if (terms.confirmations !== settings.confirmations) return 'confirmations'
  return settings.address !== null && settings.address !== terms.address ? 'address' : undefined
}

const usedAddress = (): ChainError =>
  invalidArgument(
    'address',
    '"address" is watched already, or has received something before',
    'One address is one request: pass one that was never used.',
  )

const noAddress = (): ChainError =>
  invalidArgument('address', '"address" is missing', 'Pass an address, or createPayments an account.')

/** Addresses that are looked up by one call. */
const AHEAD = 20

/**
 * The receive addresses of an account, without those that have UTXOs. They are looked up before they are needed, so
 * that the lock of the account is not held during a call. What an address receives later than its order counts,
 * whichever program has seen it.
 */
export function createAddressSupply(
  account: Pick<Account, 'address'>,
  startIndex: number,
  { rpc }: Pick<PaymentsEngine, 'rpc'>,
): AddressSupply {
  const used = new Map<number, boolean>()
  const lookUp = async (from: number): Promise<void> => {
    const indexes = Array.from({ length: AHEAD }, (_, at) => from + at)
    const entries = await rpc.getUtxosByAddresses(indexes.map((index) => account.address(index)))
    const funded = new Set(entries.map(({ address }) => address))
    used.clear() // of indexes below, which are given out
    for (const index of indexes) used.set(index, funded.has(account.address(index)))
  }
  return {
    account: account.address(0),
    startIndex,
    addressAt: (index) => account.address(index),
    async isUsed(index) {
      if (!used.has(index)) await lookUp(index)
      return used.get(index) === true
    },
  }
}
