import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { ChainEngineOptions } from '../engine/options.js'
import { ChainError } from '../errors/chain-error.js'
import { AVAILABLE_NETWORKS, isChainNetwork } from '../model/network.js'

/** The flags of the endpoints, each with its default and its help text. */
const FLAGS = {
  url: { value: '', about: "the node's WebSocket URL; without it a public node by the resolver" },
  rest: { value: '', about: "the indexer's base URL; without it the network's public one" },
  network: { value: 'mainnet', about: AVAILABLE_NETWORKS.join(', ') },
  encoding: { value: 'Borsh', about: 'Borsh or SerdeJson' },
  timeout: { value: '5000', about: 'the bound of each request, ms' },
} as const

type Flag = keyof typeof FLAGS

/** What the flags say: where node and indexer are. */
export interface EngineFlags {
  readonly engine: ChainEngineOptions
  /** Ms. */
  readonly timeout: number
  /** The switches that were given, by name. */
  readonly switches: ReadonlySet<string>
}

/**
 * Reads the flags of endpoints, with `switches` beside them; null for `--help`. Throws `ChainError` (`invalid-option`)
 * for a command line that cannot be read.
 */
export function readEngineFlags(args: readonly string[], switches: readonly string[] = []): EngineFlags | null {
  const values = parse(args, switches)
  if (values.help === true) return null
  const text = (flag: Flag): string => {
    const value = values[flag]
    return typeof value === 'string' ? value : FLAGS[flag].value
  }
  const [network, encoding, timeout] = [text('network'), text('encoding'), Number(text('timeout'))]
  if (!isChainNetwork(network)) throw invalid(`"${network}" is no network`)
  if (encoding !== 'Borsh' && encoding !== 'SerdeJson') throw invalid(`"${encoding}" is no encoding`)
  if (!Number.isInteger(timeout) || timeout < 1) throw invalid(`"${text('timeout')}" is no number of milliseconds`)
  const url = text('url') === '' ? {} : { url: text('url') }
  const rest = text('rest') === '' ? {} : { restUrl: text('rest') }
  const given = switches.filter((name) => values[name] === true)
  return { engine: { network, encoding, ...url, ...rest }, timeout, switches: new Set(given) }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

function parse(args: readonly string[], switches: readonly string[]): Values {
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } }
  for (const flag of Object.keys(FLAGS)) options[flag] = { type: 'string' }
  for (const name of switches) options[name] = { type: 'boolean' }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values as Values // no flag is `multiple`
  } catch (cause) {
    throw invalid(cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? cause.message) : String(cause))
  }
}

const invalid = (message: string): ChainError =>
  new ChainError(message, { code: 'invalid-option', hint: 'See --help.' })

/** The lines of `--help`, with those of switches by their names. */
export const formatEngineFlags = (switches: Readonly<Record<string, string>> = {}): readonly string[] => [
  ...Object.entries(FLAGS).map(([flag, { value, about }]) => `  --${flag.padEnd(10)} ${value.padEnd(8)} ${about}`),
  ...Object.entries(switches).map(([name, about]) => `  --${name.padEnd(10)} ${''.padEnd(8)} ${about}`),
]
