import { ChainError } from '../errors/chain-error.js'
import { createChainEngine } from '../engine/engine.js'
import type { ChainEngineOptions } from '../engine/options.js'
import type { Diagnosis, CheckStatus, DiagnosisCheck } from '../operations/diagnosis/report.js'
import { light } from '../sdk/light/light.js'
import { formatEngineFlags, readEngineFlags } from './engine-flags.js'
import type { RunSubcommand } from './run-cli.js'

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

/** The report as a table, a check a line, with detail and remedy below it; skipped checks are one line at the end. */
export function formatDiagnosis({ ok, checks }: Diagnosis): string {
  const skipped = checks.filter(({ status }) => status === 'skipped').map(({ id }) => id)
  const failures = checks.filter(({ status }) => status === 'failed').length
  return [
    ...checks.filter(({ status }) => status !== 'skipped').flatMap(formatCheck),
    ...(skipped.length === 0 ? [] : [`skipped  ${skipped.join(', ')}`]),
    '',
    ok ? 'No check failed.' : `${failures} ${failures === 1 ? 'check' : 'checks'} failed.`,
  ].join('\n')
}

const LABELS: Readonly<Record<CheckStatus, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  failed: 'FAILED',
  skipped: 'skipped',
}

function formatCheck({ id, status, summary, detail, remedy }: DiagnosisCheck): string[] {
  const below = (text: string): string => `${' '.repeat(25)}${text}`
  return [
    `${LABELS[status].padEnd(8)} ${id.padEnd(15)} ${summary}`,
    ...(detail === '' || status === 'ok' ? [] : [below(detail)]),
    ...(remedy === null ? [] : [below(`→ ${remedy}`)]),
  ]
}
