import { ChainError } from '../../errors/chain-error.js'
import { createDevnode } from '../create-devnode.js'
import { formatRefusal } from '../ledger/mempool/refusals.js'
import { parseArgs } from 'node:util'
import { isChainNetwork } from '../../model/network.js'
import { kaspaToSompi, sompiToKaspa } from '../../model/amount.js'
import type { DevnodeOptions, Devnode } from '../devnode.js'
import { TEST_MNEMONIC, type DevnodeAccount } from '../accounts.js'

/** The process functions that the command uses. */
export interface CommandContext {
  print(line: string): void
  printError(line: string): void
  /** Resolves on SIGINT (Ctrl-C) or SIGTERM. */
  untilInterrupted(): Promise<void>
}

/** Runs `vue-chain-devnode`; resolves to the exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<0 | 1> {
  try {
    const command = readFlags(args)
    if (command.kind === 'help') {
      context.print(formatHelp())
      return 0
    }
    const interrupted = context.untilInterrupted() // a signal during the start counts
    const devnode = await createDevnode({
      ...command.options,
      onRefused: (refused) => context.print(formatRefusal(refused)),
    })
    if (!command.isQuiet) context.print(formatBanner(devnode))
    await interrupted
    await devnode.close()
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain-devnode: ${describeError(error)}`)
    return 1
  }
}

/** One line: message, flag and hint. */
function describeError({ message, argument, hint }: Pick<ChainError, 'message' | 'argument' | 'hint'>): string {
  const flag =
    argument === undefined ? '' : ` (--${argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`
  return `${message}${flag}. ${hint ?? ''}`.trimEnd()
}

/** The parsed command line. */
type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly options: DevnodeOptions; readonly isQuiet: boolean }

/** Each flag with its default and its help text. */
const FLAGS = {
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

/** The start-up message: URLs and funded accounts, in ten lines. */
function formatBanner({ network, urls, blockInterval, accounts, expected }: Devnode): string {
  const pace = blockInterval === 0 ? 'blocks on demand' : `a block every ${blockInterval} ms`
  const lines = [
    `vue-chain-devnode · ${network} · ${pace}`,
    `RPC      ${urls.borsh} (Borsh)   ${urls.json} (JSON)`,
    `REST     ${urls.rest}`,
    `Control  ${urls.control}`,
    `${accounts.length} accounts of the mnemonic "${TEST_MNEMONIC}". Its keys are public: never send real funds to them.`,
  ]
  const balances = accounts.map(({ address }) =>
    expected.utxos([address]).reduce((sum, { amount }) => sum + amount, 0n),
  )
  return [...lines, ...inPairs(accounts.map((account, index) => describeAccount(account, balances[index] ?? 0n)))].join(
    '\n',
  )
}

function formatHelp(): string {
  const flags = Object.entries(FLAGS).map(
    ([flag, { value, about }]) => `  --${flag.padEnd(16)} ${value.padEnd(10)} ${about}`,
  )
  return [
    'vue-chain-devnode: a Kaspa network on this machine, for development.',
    '',
    ...flags,
    `  --${'quiet'.padEnd(16)} ${''.padEnd(10)} print nothing but errors`,
  ].join('\n')
}

const describeAccount = ({ index, address, privateKeyHex }: DevnodeAccount, balance: bigint): string =>
  `${`(${index})`.padStart(4)} ${address} ${privateKeyHex} ${sompiToKaspa(balance)} KAS`

/** Two accounts a line, so that the default of ten fits in five lines. */
const inPairs = (accounts: readonly string[]): readonly string[] =>
  accounts.flatMap((account, index) =>
    index % 2 === 0 ? [[account, ...accounts.slice(index + 1, index + 2)].join('  ')] : [],
  )
