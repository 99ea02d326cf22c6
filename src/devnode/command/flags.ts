import { parseArgs } from 'node:util'
import { ChainError } from '../../errors/chain-error.js'
import { isChainNetwork } from '../../model/network.js'
import { kaspaToSompi } from '../../model/amount.js'
import type { DevnodeOptions } from '../options.js'

/** The parsed command line. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly options: DevnodeOptions; readonly isQuiet: boolean }

/** Each flag with its default and its help text. */
export const FLAGS = {
  network: { value: 'simnet', about: 'the network to simulate' },
  'borsh-port': { value: '17510', about: 'wRPC, Borsh encoding' },
  'json-port': { value: '18510', about: 'wRPC, JSON encoding' },
  'rest-port': { value: '18000', about: 'the REST API of an indexer' },
  'control-port': { value: '19000', about: 'control over HTTP: mine, fund, reorg, faults …' },
  'block-interval': { value: '1000', about: 'milliseconds from one block to the next; 0 mines on demand' },
  accounts: { value: '10', about: 'number of funded accounts' },
  balance: { value: '1000', about: 'balance of each account, in KAS' },
  seed: { value: '0', about: 'seed of everything random' },
  host: { value: '127.0.0.1', about: 'the address to listen on' },
  origin: { value: '', about: 'a further origin of browsers: chrome-extension://…; may be repeated' },
} as const

type Flag = keyof typeof FLAGS
type SingleFlag = Exclude<Flag, 'origin'>

/**
 * Parses the arguments. Throws `ChainError` (`invalid-option`, `argument` the flag) for an unknown flag or an invalid
 * value.
 */
export function readFlags(args: readonly string[]): Command {
  const values = parse(args)
  if (values.help === true) return { kind: 'help' }
  const text = (flag: SingleFlag): string => values[flag] ?? FLAGS[flag].value
  const number = (flag: SingleFlag): number => toNumber(flag, text(flag))
  const network = text('network')
  if (!isChainNetwork(network)) throw invalidFlag('network', network)
  return {
    kind: 'run',
    isQuiet: values.quiet ?? false,
    options: {
      network,
      host: text('host'),
      origins: (values.origin ?? []).map(toOrigin),
      borshPort: number('borsh-port'),
      jsonPort: number('json-port'),
      restPort: number('rest-port'),
      controlPort: number('control-port'),
      blockInterval: number('block-interval'),
      accounts: number('accounts'),
      balance: toSompi(text('balance')),
      seed: number('seed'),
    },
  }
}

function parse(args: readonly string[]) {
  const named = Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, { type: 'string' }])) as Record<
    SingleFlag,
    { type: 'string' }
  >
  const origin = { type: 'string', multiple: true } as const
  const options = { ...named, origin, quiet: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? cause.message) : String(cause)
    throw new ChainError(message, { code: 'invalid-option', hint: 'See --help.', cause })
  }
}

/** Digits only: `Number('')` is 0. */
function toNumber(flag: Flag, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw invalidFlag(flag, text)
}

function toSompi(text: string): bigint {
  if (/^\d+(\.\d{1,8})?$/.test(text)) return kaspaToSompi(text)
  throw invalidFlag('balance', text)
}

/** As browsers send it: scheme and host, no path. */
function toOrigin(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s,]+$/.test(text)) return text
  throw invalidFlag('origin', text)
}

const invalidFlag = (flag: Flag, text: string) =>
  new ChainError(`"${text}" is no value for --${flag}`, { code: 'invalid-option', argument: flag, hint: 'See --help.' })
