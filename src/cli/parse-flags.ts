import { parseArgs } from 'node:util'
import { ChainError } from '../errors/chain-error.js'

type FlagType = { readonly type: 'string' } | { readonly type: 'boolean'; readonly short?: string }

/** The flags of a command line as texts; `switches` have no value. Throws `ChainError` (`invalid-option`). */
export function parseFlags<Flag extends string>(
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
