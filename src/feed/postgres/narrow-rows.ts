import { quote } from '../../sql/session.js'
import { paymentChannel } from '../payments/schema.js'
import { copiedGrants, copiedIndexes, refuseDependents } from './attached.js'

/** The bytes of a hash. Other text, as that of a closing row, stays as it is: its length is another one. */
const hashBytes = (text: string): string =>
  `case octet_length(${text}) when 64 then decode(${text}, 'hex') else decode(${text}, 'escape') end`

/**
 * Rows take less than half: hashes are binary, addresses and networks are numbers, columns stand in the order of their
 * size, and an empty value takes the place of null, which would cost a row 8 bytes. `transfer` and `balance` are views
 * of them, with the columns that they had as tables. Nothing is dropped before everything is copied.
 */
export const NARROW_ROWS = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `lock table ${s}.transfer, ${s}.balance in exclusive mode`,
    refuseDependents(s),
    ...functions(s),
    ...tables(s),
    ...copies(s),
    ...indexes(s),
    `alter table ${s}.transfer rename to transfer_wide`,
    `alter table ${s}.balance rename to balance_wide`,
    ...views(s),
    ...trigger(s, schema),
    ...copiedGrants(s),
    ...copiedIndexes(s),
    `drop table ${s}.transfer_wide, ${s}.balance_wide`,
  ]
}

const functions = (s: string): readonly string[] => [
  `create function ${s}.hash_text(hash bytea) returns text language sql immutable parallel safe
    as $$select encode(hash, case octet_length(hash) when 32 then 'hex' else 'escape' end)$$`,
  ...packFunctions(s),
]

const tables = (s: string): readonly string[] => [
  `create table ${s}.network (
    id smallint generated always as identity primary key,
    name text not null unique
  )`,
  `create table ${s}.address (
    id integer generated always as identity,
    network text not null,
    address text not null
  )`,
  `create table ${s}.transfer_row (
    sequence bigint not null,
    amount bigint not null,
    fee bigint,
    accepting_blue_score bigint not null,
    accepting_daa_score bigint not null,
    accepted_at timestamptz,
    address_id integer not null,
    outpoint_index integer not null,
    network_id smallint not null,
    is_debit boolean not null,
    is_coinbase boolean not null,
    is_opening boolean not null,
    is_change boolean not null,
    is_internal boolean not null,
    outpoint_transaction_id bytea not null,
    transaction_id bytea not null,
    accepting_block_hash bytea not null,
    covenant_id bytea not null,
    counterparties bytea not null
  )`,
  `create table ${s}.balance_row (
    address_id integer not null,
    amount bigint not null
  )`,
]

const PREFIX = "split_part(a.address, ':', 1) || ':'"

/** A row whose address had no number would be refused, and not left out. */
const copies = (s: string): readonly string[] => [
  `insert into ${s}.network (name)
    select network from ${s}.transfer union select network from ${s}.cursor order by 1`,
  `insert into ${s}.address (network, address)
    select network, address from ${s}.balance union select network, address from ${s}.transfer`,
  `alter table ${s}.address add primary key (id), add unique (address, network)`,
  `analyze ${s}.address`,
  `insert into ${s}.transfer_row
    select t.sequence, t.amount, t.fee, t.accepting_blue_score, t.accepting_daa_score, t.accepted_at, a.id,
      t.outpoint_index, n.id, t.direction = 'debit', t.is_coinbase, t.is_opening, t.is_change, t.is_internal,
      ${hashBytes('t.outpoint_transaction_id')},
      case when t.transaction_id = t.outpoint_transaction_id then '' else ${hashBytes('t.transaction_id')} end,
      coalesce(${hashBytes('t.accepting_block_hash')}, ''), coalesce(${hashBytes('t.covenant_id')}, ''),
      ${s}.pack_addresses(replace(array_to_string(t.counterparties, ','), ${PREFIX}, ''))
    from ${s}.transfer as t
    left join ${s}.address as a on a.network = t.network and a.address = t.address
    left join ${s}.network as n on n.name = t.network`,
  `insert into ${s}.balance_row
    select a.id, b.amount from ${s}.balance as b
    left join ${s}.address as a on a.network = b.network and a.address = b.address`,
]

/** Built after the rows are there: their pages are full then. */
const indexes = (s: string): readonly string[] => [
  `alter table ${s}.transfer_row
    add primary key (outpoint_transaction_id, outpoint_index, network_id, is_debit)`,
  `create index transfer_row_address on ${s}.transfer_row (address_id, sequence)`,
  `create index transfer_row_blue_score on ${s}.transfer_row (network_id, accepting_blue_score)`,
  `alter table ${s}.balance_row add primary key (address_id)`,
]

/** An outer join, which the planner leaves out where a statement reads `address_id` alone. */
const views = (s: string): readonly string[] => [
  `create view ${s}.transfer as
    select a.network,
      case when t.is_debit then 'debit' else 'credit' end as direction,
      ${s}.hash_text(t.outpoint_transaction_id) as outpoint_transaction_id,
      t.outpoint_index::bigint as outpoint_index,
      a.address,
      t.amount,
      ${s}.hash_text(coalesce(nullif(t.transaction_id, ''), t.outpoint_transaction_id)) as transaction_id,
      t.fee,
      ${s}.hash_text(nullif(t.accepting_block_hash, '')) as accepting_block_hash,
      t.accepting_blue_score,
      t.accepting_daa_score,
      t.accepted_at,
      t.is_coinbase,
      t.is_opening,
      t.is_change,
      t.is_internal,
      case t.counterparties when '' then '{}'::text[]
        else string_to_array(${PREFIX} || replace(${s}.unpack_addresses(t.counterparties), ',', ',' || ${PREFIX}), ',')
        end as counterparties,
      t.sequence,
      ${s}.hash_text(nullif(t.covenant_id, '')) as covenant_id,
      t.address_id
    from ${s}.transfer_row as t left join ${s}.address as a on a.id = t.address_id`,
  `create view ${s}.balance as
    select a.network, a.address, b.amount, b.address_id
    from ${s}.balance_row as b left join ${s}.address as a on a.id = b.address_id`,
]

/** Addresses whose rows have changed and that a payment request names. */
const trigger = (s: string, schema: string): readonly string[] => [
  `create or replace function ${s}.on_transfer() returns trigger language plpgsql as $$
    begin
      insert into ${s}.payment_due (network, address)
        select distinct a.network, a.address from changed as r
          join ${s}.address as a on a.id = r.address_id
          join ${s}.payment_request as p on p.network = a.network and p.address = a.address;
      if found then
        perform pg_notify('${paymentChannel(schema)}', '');
      end if;
      return null;
    end $$`,
  `create trigger on_transfer_stored after insert on ${s}.transfer_row
    referencing new table as changed for each statement execute function ${s}.on_transfer()`,
  `create trigger on_transfer_undone after delete on ${s}.transfer_row
    referencing old table as changed for each statement execute function ${s}.on_transfer()`,
]

/** The characters of addresses, what separates them, and what fills the last three bytes. */
const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l,.'
/** As many letters of Base64. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh'

/** The code of the letter for each code of a character; 0, which the database refuses, for any other character. */
const LETTER_OF: Uint8Array = /*#__PURE__*/ Uint8Array.from({ length: 128 }, (_, code) => {
  const index = CHARACTERS.indexOf(String.fromCharCode(code))
  return index < 0 ? 0 : LETTERS.charCodeAt(index)
})

const FILL = /*#__PURE__*/ LETTERS.charCodeAt(LETTERS.length - 1)

/** Addresses without their prefix, separated by commas, as Base64: 61 characters take 48 bytes. */
export function packAddresses(addresses: string): string {
  const { length } = addresses
  const letters = Buffer.allocUnsafe(Math.ceil(length / 4) * 4) // each byte is written
  for (let at = 0; at < length; at++) letters[at] = LETTER_OF[addresses.charCodeAt(at)] ?? 0
  return letters.fill(FILL, length).toString('latin1')
}

/** The same as functions of the database. What `encode` makes has lines. */
const packFunctions = (schema: string): readonly string[] => [
  `create function ${schema}.pack_addresses(addresses text) returns bytea language sql immutable parallel safe
    as $$select decode(translate(rpad(addresses, (length(addresses) + 3) / 4 * 4, '.'), '${CHARACTERS}', '${LETTERS}'), 'base64')$$`,
  `create function ${schema}.unpack_addresses(packed bytea) returns text language sql immutable parallel safe
    as $$select rtrim(translate(encode(packed, 'base64'), '${LETTERS}' || chr(10), '${CHARACTERS}'), '.')$$`,
]
