import type { ChainEngine } from '../../engine/engine.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ChainLogger } from '../../platform/port.js'
import type { X402Store } from '../stores/store.js'

export interface KaspaFacilitatorOptions {
  /** An engine with `reconnect: { maxRetries: Infinity }` on a node of 1.1 or later, which is not disposed of. */
  readonly engine: ChainEngine
  readonly store: X402Store
  /**
   * How deep, in blue score, the block of a payment must be before it is served; ten are about a second. 0 is for
   * responses that cost less than the payment: a reorg of one block is normal. A route may have another depth by
   * `extra.confirmations`. @default 10
   */
  readonly finality?: number | undefined
  /** Sompi of a payment's fee, at most. @default 10_000_000n, 0.1 KAS */
  readonly maxFee?: bigint | undefined
  /** @default 16 */
  readonly maxInputs?: number | undefined
  /**
   * How many payments may wait for their verification, which takes 5 ms for one input; further ones get 503, to be
   * presented again. @default 100
   */
  readonly maxVerifications?: number | undefined
  /** How long, in ms, a request waits for its payment; less where `maxTimeoutSeconds` is less. @default 20_000 */
  readonly settleTimeout?: number | undefined
  /** After how many ms a handler of another process counts as dead. @default 60_000 */
  readonly handlerTimeout?: number | undefined
  /**
   * How long, in ms, a payment that was served or rejected stays in the store, with its response: longer than
   * `maxTimeoutSeconds` of every route, an hour at least. @default 2_592_000_000, 30 days
   */
  readonly retain?: number | undefined
  /** Accepts mainnet, although the binding is a draft. @default false */
  readonly mainnet?: boolean | undefined
  /** @default a logger that writes nothing */
  readonly logger?: ChainLogger | undefined
}

export const FACILITATOR_OPTIONS = [
  'engine',
  'store',
  'finality',
  'maxFee',
  'maxInputs',
  'maxVerifications',
  'settleTimeout',
  'handlerTimeout',
  'retain',
  'mainnet',
  'logger',
] satisfies (keyof KaspaFacilitatorOptions)[]

export interface CheckedOptions {
  readonly finality: number
  readonly maxFee: bigint
  readonly maxInputs: number
  readonly maxVerifications: number
  readonly settleTimeout: number
  readonly handlerTimeout: number
  readonly retain: number
}

/** Ms. Payments of the last hour can still be changed by the chain. */
const LEAST_RETAINED = 3_600_000

/** Networks without value: a store may forget their payments. */
const TEST_NETWORKS: readonly ChainNetwork[] = ['simnet', 'devnet']

/** Throws `ChainError` (`invalid-argument`). */
export function checkFacilitatorOptions(options: KaspaFacilitatorOptions, network: ChainNetwork): CheckedOptions {
  refuseUnknown(options, FACILITATOR_OPTIONS)
  const { store, finality = 10, maxFee = 10_000_000n, maxInputs = 16, maxVerifications = 100 } = options
  const { settleTimeout = 20_000, handlerTimeout = 60_000, retain = 30 * 86_400_000 } = options
  const numbers = { finality, maxInputs, maxVerifications, settleTimeout, handlerTimeout, retain }
  for (const [name, value] of Object.entries(numbers))
    if (!Number.isSafeInteger(value) || value < 0)
      throw invalidArgument(name, `"${name}" is no whole number of 0 or more`)
  if (retain < LEAST_RETAINED)
    throw invalidArgument('retain', `"retain" is below an hour: a payment that is forgotten could be presented again`)
  if (typeof maxFee !== 'bigint' || maxFee < 0n) throw invalidArgument('maxFee', '"maxFee" is no bigint of sompi')
  if (!store.isDurable && !TEST_NETWORKS.includes(network))
    throw invalidArgument(
      'store',
      'The store forgets payments with the process',
      'One payment would be served again after a restart. Pass createPostgresX402Store, or acknowledgeVolatile: true.',
    )
  return { ...numbers, maxFee }
}
