import { ChainError } from '../../errors/chain-error.js'
import {
  invalidFlag,
  isUrl,
  toBoolean,
  toDatabase,
  toList,
  toNumber,
  databaseFlag,
  formatFlags,
  HOST_FLAG,
  NETWORK_FLAGS,
  readTexts,
  SCHEMA_FLAG,
  toNetwork,
  type NetworkPlace,
} from '../service-flags.js'

/** Each flag with its environment variable, its default and its help text. */
export const FLAGS = {
  ...NETWORK_FLAGS,
  database: databaseFlag('./vue-chain-feed'),
  nats: {
    env: 'NATS_URL',
    value: '',
    about: 'nats://… , separated by commas: delivers into JetStream, not into a database',
  },
  schema: SCHEMA_FLAG,
  confirmations: { env: 'VUE_CHAIN_CONFIRMATIONS', value: '100', about: 'depth from which transfers are stored' },
  addresses: {
    env: 'VUE_CHAIN_ADDRESSES',
    value: '',
    about:
      'separated by commas; @file, which is read again when it changes; with --nats kv:bucket, whose keys they are. Default: the table. Required with --nats',
  },
  contracts: {
    env: 'VUE_CHAIN_CONTRACTS',
    value: '',
    about: 'a JSON file of contracts: delivers their outputs, with states and calls, in place of transfers',
  },
  token: {
    env: 'VUE_CHAIN_TOKEN',
    value: '',
    about: 'a JSON file of KCC-20 tokens: delivers what owners of tokens receive, spend and have, beside transfers',
  },
  replace: {
    env: 'VUE_CHAIN_REPLACE',
    value: '',
    about: 'with --addresses: deletes rows of watched_address that other programs have written',
  },
  from: { env: 'VUE_CHAIN_FROM', value: 'sink', about: 'where a new feed begins: sink, pruning-point or a block hash' },
  rewind: {
    env: 'VUE_CHAIN_REWIND',
    value: '',
    about: 'rolls rows and cursor back to a block once: its hash, or a blue score',
  },
  'on-gap': {
    env: 'VUE_CHAIN_ON_GAP',
    value: 'reject',
    about: 'where the nodes have pruned what follows the stored position: reject, or continue without it',
  },
  'node-behind-timeout': {
    env: 'VUE_CHAIN_NODE_BEHIND_TIMEOUT',
    value: '600000',
    about: 'ms for which nodes may be behind the stored position',
  },
  'statement-timeout': {
    env: 'VUE_CHAIN_STATEMENT_TIMEOUT',
    value: '60000',
    about: 'ms after which a statement, or a request to NATS, has failed',
  },
  retain: {
    env: 'VUE_CHAIN_RETAIN',
    value: '',
    about: 'how long spent credits and their debits are kept, such as 90d or 36h; default: for ever',
  },
  replicas: { env: 'VUE_CHAIN_REPLICAS', value: '1', about: 'how many NATS servers keep a copy of a new stream' },
  'max-age': { env: 'VUE_CHAIN_MAX_AGE', value: '0', about: 'ms for which a new stream keeps messages; 0 for ever' },
  'nats-creds': { env: 'NATS_CREDS', value: '', about: 'the file with the credentials of a NATS user' },
  'lease-timeout': {
    env: 'VUE_CHAIN_LEASE_TIMEOUT',
    value: '10000',
    about: 'ms after which a silent instance is replaced',
  },
  port: { env: 'VUE_CHAIN_PORT', value: '9464', about: 'of /healthz, /readyz and /metrics; 0 for none' },
  host: HOST_FLAG,
} as const

type Flag = keyof typeof FLAGS

/** The parsed command line. */
export interface FeedFlags extends NetworkPlace {
  readonly database: string
  /** Servers; none for a database. */
  readonly nats: readonly string[]
  readonly schema: string
  readonly confirmations: number
  /** Null for the table; text after `@` is the path of a file, after `kv:` the name of a bucket. */
  readonly addresses: readonly string[] | `@${string}` | `kv:${string}` | null
  /** The path of a file; undefined for transfers. */
  readonly contracts: string | undefined
  /** The path of a file; undefined for no tokens. */
  readonly token: string | undefined
  /** Whether rows that other programs have written may be deleted. */
  readonly replace: boolean
  readonly from: string
  /** Undefined to go on where the rows end. */
  readonly rewindTo: string | undefined
  readonly onGap: 'reject' | 'continue'
  readonly nodeBehindTimeout: number
  readonly statementTimeout: number
  /** Ms; undefined for ever. */
  readonly retain: number | undefined
  readonly replicas: number
  readonly maxAge: number
  /** The path of a file; undefined for none. */
  readonly natsCreds: string | undefined
  readonly leaseTimeout: number
  readonly port: number
  readonly host: string
}

/**
 * Reads flags, then environment variables, then defaults; null for `--help`. Throws `ChainError` (`invalid-option`,
 * `argument` the flag).
 */
export function readFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FeedFlags | null {
  const text = readTexts(args, env, FLAGS, ['replace'])
  if (text === null) return null
  const list = (flag: Flag): readonly string[] => toList(text(flag))
  const place = toNetwork(text)
  const servers = list('nats').map((url) => (url.includes('://') ? url : `nats://${url}`))
  if (!servers.every(isUrl)) throw invalidFlag('nats', servers.join(','))
  const addresses = toAddresses(text('addresses'))
  const contracts = text('contracts') === '' ? undefined : text('contracts')
  if (contracts !== undefined) refuseTransferFlags(text)
  if (servers.length > 0 && addresses === null && contracts === undefined) throw missingAddresses()
  if (servers.length === 0 && typeof addresses === 'string' && addresses.startsWith('kv:')) throw missingNats()
  return {
    ...place,
    database: toDatabase(text('database')),
    nats: list('nats'),
    schema: contracts !== undefined && text('schema') === FLAGS.schema.value ? 'vue_chain_contracts' : text('schema'),
    confirmations: toNumber('confirmations', text('confirmations')),
    addresses,
    contracts,
    token: toToken(text('token'), servers.length > 0),
    replace: toBoolean('replace', text('replace')),
    from: text('from'),
    rewindTo: toBlock('rewind', text('rewind')),
    onGap: toOnGap(text('on-gap')),
    nodeBehindTimeout: toNumber('node-behind-timeout', text('node-behind-timeout')),
    statementTimeout: toNumber('statement-timeout', text('statement-timeout')),
    retain: toDuration('retain', text('retain')),
    replicas: toNumber('replicas', text('replicas')),
    maxAge: toNumber('max-age', text('max-age'), 14),
    natsCreds: text('nats-creds') === '' ? undefined : text('nats-creds'),
    leaseTimeout: toNumber('lease-timeout', text('lease-timeout')),
    port: toNumber('port', text('port')),
    host: text('host'),
  }
}

/** Tokens have tables; a stream has none. */
function toToken(file: string, isStream: boolean): string | undefined {
  if (file === '') return undefined
  if (!isStream) return file
  throw new ChainError('--token is not for --nats', {
    code: 'invalid-option',
    argument: 'token',
    hint: 'A stream has no tables of tokens: use --database, or --contracts for their outputs. See --help.',
  })
}

/** What only a feed of transfers has. */
const OF_TRANSFERS: readonly Flag[] = [
  'addresses',
  'token',
  'replace',
  'rewind',
  'on-gap',
  'node-behind-timeout',
  'retain',
  'max-age',
]

function refuseTransferFlags(text: (flag: Flag) => string): void {
  const given = OF_TRANSFERS.find((flag) => text(flag) !== FLAGS[flag].value)
  if (given === undefined) return
  throw new ChainError(`--${given} is not for --contracts`, {
    code: 'invalid-option',
    argument: given,
    hint: 'It is an option of transfers. See --help.',
  })
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** Days or hours, in ms; undefined for an empty text. */
function toDuration(flag: Flag, text: string): number | undefined {
  if (text === '') return undefined
  const [, count, unit = ''] = /^([1-9]\d{0,5})([hd])$/.exec(text) ?? []
  if (count === undefined) throw invalidFlag(flag, text)
  return Number(count) * (UNITS[unit] ?? NaN)
}

function toOnGap(text: string): FeedFlags['onGap'] {
  if (text === 'reject' || text === 'continue') return text
  throw invalidFlag('on-gap', text)
}

function toAddresses(text: string): FeedFlags['addresses'] {
  if (text === '') return null
  if (text.startsWith('@')) return `@${text.slice(1)}`
  if (!text.startsWith('kv:')) return text.split(',').filter(Boolean)
  if (/^kv:[\w-]+$/.test(text)) return `kv:${text.slice(3)}`
  throw invalidFlag('addresses', text)
}

/** A hash or a blue score; undefined for an empty text. */
function toBlock(flag: Flag, text: string): string | undefined {
  if (text === '') return undefined
  if (/^\d{1,19}$/.test(text) || /^[\da-f]{64}$/i.test(text)) return text
  throw invalidFlag(flag, text)
}

const missingAddresses = (): ChainError =>
  new ChainError('--nats needs --addresses', {
    code: 'invalid-option',
    argument: 'addresses',
    hint: 'A stream has no table of watched addresses. See --help.',
  })

const missingNats = (): ChainError =>
  new ChainError('--addresses kv:… needs --nats', {
    code: 'invalid-option',
    argument: 'addresses',
    hint: 'The bucket is one of NATS. See --help.',
  })

export const formatHelp = (): string =>
  formatFlags('vue-chain feed: transfers of watched addresses into PostgreSQL, PGlite or NATS JetStream.', FLAGS)
