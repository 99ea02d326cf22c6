import { ChainError } from '../../errors/chain-error.js'
import {
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
  database: databaseFlag('./vue-chain-payments'),
  schema: SCHEMA_FLAG,
  kpub: { env: 'VUE_CHAIN_KPUB', value: '', about: 'the extended public key whose addresses are given out. Required' },
  'start-index': { env: 'VUE_CHAIN_START_INDEX', value: '0', about: 'the first index that may be used' },
  token: { env: 'VUE_CHAIN_TOKEN', value: '', about: 'what callers of /v1 send as bearer token, 16 or more. Required' },
  'webhook-url': { env: 'VUE_CHAIN_WEBHOOK_URL', value: '', about: 'where changes are posted to; default: nowhere' },
  'webhook-secret': {
    env: 'VUE_CHAIN_WEBHOOK_SECRET',
    value: '',
    about: 'whsec_… , or two of them, separated by a comma',
  },
  'allow-private': {
    env: 'VUE_CHAIN_ALLOW_PRIVATE',
    value: '',
    about: 'webhooks may go to http: and to private addresses: true',
  },
  confirmations: { env: 'VUE_CHAIN_CONFIRMATIONS', value: '100', about: 'of requests that name none' },
  port: { env: 'VUE_CHAIN_PORT', value: '8080', about: 'of /v1/requests and /pay' },
  'status-port': {
    env: 'VUE_CHAIN_STATUS_PORT',
    value: '9464',
    about: 'of /healthz, /readyz and /metrics; 0 for none',
  },
  host: HOST_FLAG,
} as const

type Flag = keyof typeof FLAGS

/** The parsed command line. */
export interface PaymentFlags extends NetworkPlace {
  readonly database: string
  readonly schema: string
  readonly kpub: string
  readonly startIndex: number
  readonly token: string
  readonly webhook: { readonly url: string; readonly secrets: readonly string[]; readonly allowPrivate: boolean } | null
  readonly confirmations: number
  readonly port: number
  readonly statusPort: number
  readonly host: string
}

/** Characters of a token, at least: it cannot be guessed then. */
const SHORTEST_TOKEN = 16

/**
 * Reads flags, then environment variables, then defaults; null for `--help`. Throws `ChainError` (`invalid-option`,
 * `argument` the flag), which repeats neither key, token nor secret.
 */
export function readFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): PaymentFlags | null {
  const text = readTexts(args, env, FLAGS)
  if (text === null) return null
  const place = toNetwork(text)
  const [kpub, token] = [text('kpub'), text('token')]
  if (kpub === '') throw missing('kpub', 'Addresses are derived from it: kpub… of the wallet that is paid.')
  if (token.length < SHORTEST_TOKEN)
    throw missing('token', `At least ${SHORTEST_TOKEN} random characters, such as those of openssl rand -hex 16.`)
  const [url, secrets] = [text('webhook-url'), toList(text('webhook-secret'))]
  if (url !== '' && secrets.length === 0)
    throw missing('webhook-secret', 'whsec_ and the output of openssl rand -base64 32.')
  return {
    ...place,
    database: toDatabase(text('database')),
    schema: text('schema'),
    kpub,
    startIndex: toNumber('start-index', text('start-index')),
    token,
    webhook:
      url === ''
        ? null
        : {
            url,
            secrets,
            allowPrivate: toBoolean('allow-private', text('allow-private')),
          },
    confirmations: toNumber('confirmations', text('confirmations')),
    port: toNumber('port', text('port')),
    statusPort: toNumber('status-port', text('status-port')),
    host: text('host'),
  }
}

const missing = (flag: Flag, hint: string): ChainError =>
  new ChainError(`--${flag} or ${FLAGS[flag].env} is missing or too short`, {
    code: 'invalid-option',
    argument: flag,
    hint,
  })

export const formatHelp = (): string =>
  formatFlags("vue-chain payments: a shop's server. Secrets belong into the environment.", FLAGS)
