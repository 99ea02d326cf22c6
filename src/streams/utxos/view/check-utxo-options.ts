import { invalidArgument } from '../../../errors/chain-error.js'
import { refuseUnknown } from '../../../errors/unknown-option.js'
import type { UtxoOptions } from './state.js'

/** Throws `ChainError` (`invalid-argument`) for an option that is unknown, negative or of another type. */
export function checkUtxoOptions(options: UtxoOptions): void {
  refuseUnknown(options, ['mempoolInterval', 'coinbaseMaturity'])
  const { mempoolInterval = 0, coinbaseMaturity = 0n } = options
  const given = [
    ['mempoolInterval', mempoolInterval, 'number'],
    ['coinbaseMaturity', coinbaseMaturity, 'bigint'],
  ] as const
  for (const [name, value, type] of given) {
    if (typeof value !== type || !(value >= 0))
      throw invalidArgument(name, `"${name}" is ${value}: give a ${type} from 0`)
  }
}
