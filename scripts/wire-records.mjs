/**
 * `npm run records`: writes src/node/messages/wire-records.ts, the node's records as plain types, from the table of
 * messages. An editor shows them as they are, and the public declarations do not contain the language of the table.
 * test/node/wire-records.test.ts compares the file with the table.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'oxfmt'
import { runnerImport } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')
const FILE = join(ROOT, 'src/node/messages/wire-records.ts')

/** The type of each scalar that is not text. */
const SCALARS = {
  u8: 'number',
  u16: 'number',
  u32: 'number',
  f32: 'number',
  f64: 'number',
  u64: 'bigint',
  sompi: 'bigint',
  score: 'bigint',
  time: 'bigint',
  count: 'bigint',
  measure: 'number',
  i64: 'bigint',
  bool: 'boolean',
  scriptPublicKey: 'ScriptPublicKey',
}

/** The structures with a public name: the constant of the table, what it is, and the name. */
const NAMED = [
  ['header', 'A block header.', 'RpcHeader'],
  ['untaggedHeader', '', 'RpcHeader'],
  ['rawHeader', 'A header without its hash, as mined and submitted.', 'RpcRawHeader'],
  ['block', 'A block. Its verbose data is what the node knows of it.', 'RpcBlock'],
  ['rawBlock', 'A block without verbose data, as mined and submitted.', 'RpcRawBlock'],
  ['transaction', 'A transaction of a block or of the mempool.', 'RpcTransaction'],
  ['transactionInput', 'An input of a transaction.', 'RpcTransactionInput'],
  ['transactionOutput', 'An output of a transaction.', 'RpcTransactionOutput'],
  ['mempoolEntry', 'A transaction in the mempool.', 'RpcMempoolEntry'],
  [
    'acceptedByChainBlock',
    'A chain block of `getVirtualChainFromBlockV2` with its accepted transactions.',
    'RpcAcceptingBlock',
  ],
  ['peerInfo', 'A peer that the node is connected to.', 'ConnectedPeerInfo'],
]

/** The text of wire-records.ts. */
export async function describeRecords() {
  const names = ['blocks', 'transactions', 'node-methods', 'lookup', 'notifications']
  const modules = await Promise.all(names.map((name) => importSource(`src/node/messages/${name}.ts`)))
  const table = Object.assign({}, ...modules)
  /** By structure: each module of the table is read on its own. */
  const nameOf = new Map(NAMED.map(([constant, , name]) => [JSON.stringify(table[constant]), name]))
  const records = NAMED.filter(([, about]) => about !== '').map(
    ([constant, about, name]) => `/** ${about} */\nexport interface ${name} ${toFields(table[constant].fields)}`,
  )
  const methods = Object.entries(table.methods)
  const text = [
    '/** Written by `npm run records` from the table of messages. u64 is `bigint`, an absent option `undefined`. */',
    '/* eslint-disable @typescript-eslint/no-empty-object-type -- records without fields */',
    "import type { ScriptPublicKey } from '../../model/utxo.js'",
    ...records,
    `/** The verbosity of \`getVirtualChainFromBlockV2\`. */\nexport type DataVerbosity = ${toType(table.verbosity)}`,
    `/** The request of each method. */\nexport interface RpcRequestMap ${toMap(methods, ({ request }) => request)}`,
    `/** The response of each method. */\nexport interface RpcResponseMap ${toMap(methods, ({ response }) => response)}`,
    `/** The data of each notification. */\nexport interface NotificationMap ${toMap(Object.entries(table.notifications), ({ data }) => data)}`,
  ]
  const options = JSON.parse(readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(FILE, text.join('\n\n'), options)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return code

  function toMap(entries, shapeOf) {
    return `{\n${entries.map(([name, entry]) => `readonly ${JSON.stringify(name)}: ${toType(shapeOf(entry))}`).join('\n')}\n}`
  }

  function toFields(fields, first = []) {
    const lines = Object.entries(fields).flatMap(([name, field]) => toField(name, field))
    return `{\n${[...first, ...lines].join('\n')}\n}`
  }

  /** The lines of a field; those of a flattened structure. */
  function toField(name, field) {
    if (field.spread) return Object.entries(field.spread.box.fields).flatMap(([key, inner]) => toField(key, inner))
    const shape = field.added ?? field.is ?? field.inline ?? field
    return isOptional(field)
      ? [`readonly ${name}?: ${withoutUndefined(shape)} | undefined`]
      : [`readonly ${name}: ${toType(shape)}`]
  }

  function withoutUndefined(shape) {
    const inner = shape.opt ?? shape.boxopt ?? shape.tagged ?? shape.box
    return inner === undefined ? toType(shape) : withoutUndefined(inner)
  }

  function toType(shape) {
    if (typeof shape === 'string') return SCALARS[shape] ?? 'string'
    const item = shape.vec ?? shape.boxvec
    const name = nameOf.get(JSON.stringify(shape))
    if (name) return name
    if (shape.fields) return toFields(shape.fields)
    if (item) return `readonly ${group(toType(item))}[]`
    if (shape.levels) return `readonly (readonly ${toType(shape.levels)}[])[]`
    if (shape.opt ?? shape.boxopt) return `${withoutUndefined(shape)} | undefined`
    if (shape.oneOf) return Object.keys(shape.oneOf).map(quoted).join(' | ')
    if (shape.union) return variants(shape.union, (fields) => fields)
    if (shape.scope) return variants(shape.scope, ({ scope }) => scope)
    return toType(shape.box ?? shape.tagged)
  }

  function variants(union, fieldsOf) {
    const types = Object.entries(union).map(([type, variant]) =>
      toFields(fieldsOf(variant), [`readonly type: ${quoted(type)}`]),
    )
    return types.join(' | ')
  }
}

const isOptional = (field) =>
  field.opt !== undefined ||
  field.boxopt !== undefined ||
  field.added !== undefined ||
  (field.is !== undefined && isOptional(field.is))

const group = (type) => (/[|\s]/.test(type) && !type.startsWith('{') ? `(${type})` : type)

const quoted = (name) => `'${name}'`

const importSource = async (file) => {
  const { module } = await runnerImport(join(ROOT, file), { configFile: false, logLevel: 'error' })
  return module
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(FILE, await describeRecords())
