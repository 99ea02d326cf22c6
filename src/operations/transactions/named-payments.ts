import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import type { CancelSettings, ConsolidateSettings, SendSettings, SweepSettings } from './records.js'

/** Settings that spend everything to one address. Throws `ChainError` (`invalid-argument`). */
export function toSweep({ to, ...settings }: SweepSettings): SendSettings {
  refuse('sweep', settings, ['outputs', 'changeAddress', 'replaces'])
  if (typeof to !== 'string') throw invalidArgument('to', '"to" must be an address')
  decodeAddress(to, 'to')
  return { ...settings, changeAddress: to }
}

/** Settings that merge UTXOs into one, and the number of UTXOs. Throws `ChainError` (`invalid-argument`). */
export function toConsolidation({ maxInputs, ...settings }: ConsolidateSettings): {
  readonly settings: SendSettings
  readonly maxInputs: number
} {
  refuse('consolidate', settings, ['outputs', 'replaces'])
  if (maxInputs === undefined) return { settings, maxInputs: Infinity }
  if (Number.isInteger(maxInputs) && maxInputs >= 2) return { settings, maxInputs }
  throw invalidArgument('maxInputs', '"maxInputs" must be a whole number, 2 or more')
}

/** Settings that return the inputs of a payment in the mempool. Throws `ChainError` (`invalid-argument`). */
export function toCancellation(id: string, settings: CancelSettings): SendSettings {
  refuse('cancel', settings, ['outputs', 'replaces'])
  if (isHex(id, 32)) return { ...settings, replaces: id }
  throw invalidArgument('id', '"id" is no transaction id', 'It has 64 hex digits, in lower case.')
}

/** A setting that has no meaning here would be ignored, or change what is paid. */
function refuse(operation: string, settings: object, names: readonly string[]): void {
  const name = names.find((each) => each in settings)
  if (name !== undefined) throw invalidArgument(name, `${operation}() takes no "${name}"`)
}
