import { ChainError } from '../../errors/chain-error.js'
import { toBoolean, toDatabase, toNumber } from '../flag-values.js'
import {
  databaseFlag,
  formatFlags,
  HOST_FLAG,
  NETWORK_FLAGS,
  readTexts,
  toNetwork,
  type NetworkPlace,
} from '../service-flags.js'

/** Each flag with its environment variable, its default and its help text. */
export const FLAGS = {
  ...NETWORK_FLAGS,
  network: { ...NETWORK_FLAGS.network, value: 'testnet-10', about: 'the network of the payments' },
  mainnet: { env: 'VUE_CHAIN_X402_MAINNET', value: '', about: 'accept mainnet, although the binding is a draft: true' },
  database: databaseFlag('./vue-chain-x402'),
  schema: { env: 'VUE_CHAIN_SCHEMA', value: 'x402', about: 'the schema of the tables' },
  token: { env: 'VUE_CHAIN_TOKEN', value: '', about: 'what callers send as bearer token, 16 or more. Required' },
  finality: { env: 'VUE_CHAIN_FINALITY', value: '10', about: 'how deep a payment must be, in blue score' },
  'settle-timeout': { env: 'VUE_CHAIN_SETTLE_TIMEOUT', value: '20000', about: 'how long /settle waits, in ms' },
  port: { env: 'VUE_CHAIN_PORT', value: '8402', about: 'of /supported, /verify, /settle, /healthz and /metrics' },
  host: HOST_FLAG,
} as const

/** The parsed command line. */
export interface FacilitatorFlags extends NetworkPlace {
  readonly mainnet: boolean
  readonly database: string
  readonly schema: string
  readonly token: string
  readonly finality: number
  readonly settleTimeout: number
  readonly port: number
  readonly host: string
}

/** Characters of a token, at least: it cannot be guessed then. */
const SHORTEST_TOKEN = 16

/**
 * Reads flags, then environment variables, then defaults; null for `--help`. The first argument is `facilitator`.
 * Throws `ChainError` (`invalid-option`), which does not repeat the token.
 */
export function readFlags(
  [name, ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FacilitatorFlags | null {
  if (name === undefined || name === '--help' || name === '-h') return null
  if (name !== 'facilitator')
    throw new ChainError('The subcommand of x402 is "facilitator"', { code: 'invalid-option', hint: 'See --help.' })
  const text = readTexts(args, env, FLAGS)
  if (text === null) return null
  const token = text('token')
  if (token.length < SHORTEST_TOKEN)
    throw new ChainError(`--token or ${FLAGS.token.env} is missing or too short`, {
      code: 'invalid-option',
      argument: 'token',
      hint: `At least ${SHORTEST_TOKEN} random characters, such as those of openssl rand -hex 16.`,
    })
  return {
    ...toNetwork(text),
    mainnet: toBoolean('mainnet', text('mainnet')),
    database: toDatabase(text('database')),
    schema: text('schema'),
    token,
    finality: toNumber('finality', text('finality')),
    settleTimeout: toNumber('settle-timeout', text('settle-timeout')),
    port: toNumber('port', text('port')),
    host: text('host'),
  }
}

export const formatHelp = (): string =>
  formatFlags('vue-chain x402 facilitator: settles payments in KAS (draft). It holds no key.', FLAGS)
