import { isChainNetwork, type ChainNetwork } from '../model/network.js'
import { invalidFlag, isUrl, toList } from './flag-values.js'
import { parseFlags } from './parse-flags.js'

/** A flag of a service: its environment variable, its default and its help text. */
export interface ServiceFlag {
  readonly env: string
  readonly value: string
  readonly about: string
}

/** Where a service finds the network. */
export const NETWORK_FLAGS = {
  network: { env: 'VUE_CHAIN_NETWORK', value: 'mainnet', about: 'the network to follow' },
  url: {
    env: 'VUE_CHAIN_URL',
    value: '',
    about: 'nodes with a UTXO index, separated by commas; default: public nodes',
  },
} as const satisfies Readonly<Record<string, ServiceFlag>>

export const SCHEMA_FLAG = { env: 'VUE_CHAIN_SCHEMA', value: 'vue_chain', about: 'the schema of the tables' } as const

export const HOST_FLAG = { env: 'VUE_CHAIN_HOST', value: '127.0.0.1', about: 'the address to listen on' } as const

export const databaseFlag = (folder: string): ServiceFlag => ({
  env: 'DATABASE_URL',
  value: folder,
  about: 'postgres://… , or the folder of a PGlite database: a path, or pglite:path',
})

/**
 * Each flag as text: of the command line, else of the environment, else its default; null for `--help`. `switches` have
 * no value. Throws `ChainError` (`invalid-option`).
 */
export function readTexts<Flag extends string>(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<Flag, ServiceFlag>>,
  switches: readonly string[] = [],
): ((flag: Flag) => string) | null {
  const values = parseFlags(args, flags, switches)
  if (values.help !== undefined) return null
  return (flag) => values[flag] ?? env[flags[flag].env] ?? flags[flag].value
}

/** The network and its nodes. */
export interface NetworkPlace {
  readonly network: ChainNetwork
  readonly urls: readonly string[]
}

/** Throws `ChainError` (`invalid-option`, `argument` the flag). */
export function toNetwork(text: (flag: keyof typeof NETWORK_FLAGS) => string): NetworkPlace {
  const [network, urls] = [text('network'), toList(text('url'))]
  if (!isChainNetwork(network)) throw invalidFlag('network', network)
  for (const url of urls) if (!/^wss?:\/\//i.test(url) || !isUrl(url)) throw invalidFlag('url', url)
  return { network, urls }
}

/** The text of `--help`. */
export function formatFlags(about: string, flags: Readonly<Record<string, ServiceFlag>>): string {
  const rows = Object.entries(flags)
  const flagWidth = Math.max(...rows.map(([flag]) => flag.length)) + 2
  const envWidth = Math.max(...rows.map(([, { env }]) => env.length)) + 2
  const lines = rows.map(
    ([flag, { env, value, about: text }]) =>
      `  --${flag.padEnd(flagWidth)}${env.padEnd(envWidth)}${text}${value === '' ? '' : ` (${value})`}`,
  )
  return [about, '', ...lines].join('\n')
}
