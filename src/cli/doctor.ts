import { ChainError } from '../errors/chain-error.js'
import { createChainEngine } from '../engine/engine.js'
import type { ChainEngineOptions } from '../engine/options.js'
import type { Diagnosis } from '../operations/diagnosis/report.js'
import { light } from '../sdk/light/light.js'
import { formatEngineFlags, readEngineFlags } from './engine-flags.js'
import { formatDiagnosis } from './format-diagnosis.js'
import type { RunSubcommand } from './subcommands.js'

/** `vue-chain doctor`: 0 where no check failed, 1 where one did, 2 for a command line that cannot be read. */
export const runDoctor: RunSubcommand = async (args, context) => {
  try {
    const flags = readEngineFlags(args, ['json'])
    if (flags === null) {
      context.print(HELP)
      return 0
    }
    const report = await examine(flags.engine, flags.timeout)
    context.print(flags.switches.has('json') ? JSON.stringify(report, null, 2) : formatDiagnosis(report))
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

const HELP = [
  'vue-chain doctor: checks a node and an indexer, and says what to do. Exits with 1 where a check failed.',
  '',
  ...formatEngineFlags({ json: 'print the report as JSON' }),
].join('\n')
