import { parseArgs } from 'node:util'
import { ChainError } from '../errors/chain-error.js'
import { createChainEngine } from '../engine/engine.js'
import type { ChainEngineOptions } from '../engine/options.js'
import { AVAILABLE_NETWORKS, isChainNetwork } from '../model/network.js'
import type { Diagnosis } from '../operations/diagnosis/records.js'
import { light } from '../sdk/light/light.js'
import { formatDiagnosis } from './format-diagnosis.js'
import type { RunSubcommand } from './subcommands.js'

/** Each flag with its default and its help text. */
const FLAGS = {
  url: { value: '', about: "the node's WebSocket URL; without it a public node by the resolver" },
  rest: { value: '', about: "the indexer's base URL; without it the network's public one" },
  network: { value: 'mainnet', about: AVAILABLE_NETWORKS.join(', ') },
  encoding: { value: 'Borsh', about: 'Borsh or SerdeJson' },
  timeout: { value: '5000', about: 'the bound of each request, ms' },
} as const

type Flag = keyof typeof FLAGS

type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly engine: ChainEngineOptions; readonly timeout: number; readonly isJson: boolean }

/** `vue-chain doctor`: 0 where no check failed, 1 where one did, 2 for a command line that cannot be read. */
export const runDoctor: RunSubcommand = async (args, context) => {
  try {
    const command = readCommandLine(args)
    if (command.kind === 'help') {
      context.print(formatHelp())
      return 0
    }
    const report = await examine(command.engine, command.timeout)
    context.print(command.isJson ? JSON.stringify(report, null, 2) : formatDiagnosis(report))
    return report.ok ? 0 : 1
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain doctor: ${error.message}. ${error.hint ?? ''}`.trimEnd())
    return 2
  }
}

/** `light`: a command has no WASM file to serve. */
async function examine(options: ChainEngineOptions, timeout: number): Promise<Diagnosis> {
  const engine = createChainEngine({ ...options, sdk: light })
  try {
    return await engine.diagnose({ timeout })
  } finally {
    await engine.dispose()
  }
}

function readCommandLine(args: readonly string[]): CommandLine {
  const { help, json, ...values } = parse(args)
  if (help === true) return { kind: 'help' }
  const text = (flag: Flag): string => values[flag] ?? FLAGS[flag].value
  const [network, encoding, timeout] = [text('network'), text('encoding'), Number(text('timeout'))]
  if (!isChainNetwork(network)) throw invalid(`"${network}" is no network`)
  if (encoding !== 'Borsh' && encoding !== 'SerdeJson') throw invalid(`"${encoding}" is no encoding`)
  if (!Number.isInteger(timeout) || timeout < 1) throw invalid(`"${text('timeout')}" is no number of milliseconds`)
  const url = text('url') === '' ? {} : { url: text('url') }
  const rest = text('rest') === '' ? {} : { restUrl: text('rest') }
  return { kind: 'run', engine: { network, encoding, ...url, ...rest }, timeout, isJson: json ?? false }
}

function parse(args: readonly string[]) {
  const named = Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, { type: 'string' }])) as Record<
    Flag,
    { type: 'string' }
  >
  const options = { ...named, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values
  } catch (cause) {
    throw invalid(cause instanceof Error ? (cause.message.split(/\.\s/)[0] ?? cause.message) : String(cause))
  }
}

const invalid = (message: string): ChainError =>
  new ChainError(message, { code: 'invalid-option', hint: 'See --help.' })

const formatHelp = (): string =>
  [
    'vue-chain doctor: checks a node and an indexer, and says what to do. Exits with 1 where a check failed.',
    '',
    ...Object.entries(FLAGS).map(([flag, { value, about }]) => `  --${flag.padEnd(10)} ${value.padEnd(8)} ${about}`),
    `  --${'json'.padEnd(10)} ${''.padEnd(8)} print the report as JSON`,
  ].join('\n')
