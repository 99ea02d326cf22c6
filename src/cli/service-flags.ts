import { isChainNetwork, type ChainNetwork } from '../model/network.js'
import { parseArgs } from 'node:util'
import { ChainError } from '../errors/chain-error.js'
import { toPgliteFolder } from '../sql/locked-pglite.js'
import { readFile } from 'node:fs/promises'

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

type FlagType = { readonly type: 'string' } | { readonly type: 'boolean'; readonly short?: string }

/** The flags of a command line as texts; `switches` have no value. Throws `ChainError` (`invalid-option`). */
function parseFlags<Flag extends string>(
  args: readonly string[],
  flags: Readonly<Record<Flag, unknown>>,
  switches: readonly string[] = [],
): Readonly<Partial<Record<Flag | 'help', string>>> {
  const options: Record<string, FlagType> = { help: { type: 'boolean', short: 'h' } }
  for (const flag of Object.keys(flags)) options[flag] = { type: switches.includes(flag) ? 'boolean' : 'string' }
  try {
    const { values } = parseArgs({ args: [...args], options, allowPositionals: false })
    const texts = Object.entries(values).map(([flag, value]) => [flag, String(value)])
    return Object.fromEntries(texts) as Partial<Record<Flag | 'help', string>>
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? cause.message) : String(cause)
    throw new ChainError(message, { code: 'invalid-option', hint: 'See --help.', details: '', cause })
  }
}

/** The schemes of PostgreSQL. */
export const POSTGRES = /^postgres(ql)?:\/\//i

/** The parts of a text with commas. */
export const toList = (text: string): readonly string[] => text.split(',').filter(Boolean)

/** A URL of PostgreSQL, or a folder. Throws `ChainError` (`invalid-option`). */
export function toDatabase(text: string): string {
  const database = POSTGRES.test(text) ? (isUrl(text) ? text : undefined) : toPgliteFolder(text)
  if (database === undefined) throw invalidFlag('database', text)
  return database
}

/** Whether the parts of a URL can be read, its percent-encoding included. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, pathname } = new URL(text)
  try {
    decodeURIComponent(username + password + pathname)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** Digits only: `Number('')` is 0. Throws `ChainError` (`invalid-option`). */
export function toNumber(flag: string, text: string, digits = 9): number {
  if (/^\d+$/.test(text) && text.length <= digits) return Number(text)
  throw invalidFlag(flag, text)
}

/** Throws `ChainError` (`invalid-option`). */
export function toBoolean(flag: string, text: string): boolean {
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  throw invalidFlag(flag, text)
}

/** The error of a flag that has a wrong value. */
export const invalidFlag = (flag: string, text: string): ChainError =>
  new ChainError(`"${text.includes('://') ? text.replaceAll(' ', '%20') : text}" is no value for --${flag}`, {
    code: 'invalid-option',
    argument: flag,
    hint: 'See --help.',
  })

/** The text of a file that a flag names. Rejects with `ChainError` (`invalid-option`, `argument` the flag). */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new ChainError(`The file "${path}" of --${flag} cannot be read: ${code}`, {
      code: 'invalid-option',
      argument: flag,
      details: '',
      hint: 'See --help.',
      cause,
    })
  }
}
