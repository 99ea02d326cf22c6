import type { JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream'
import { ChainError } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { ApiCode, apiCodeOf } from './nats-server.js'

/** Settings of a stream that is created. */
interface StreamSettings {
  readonly replicas: number
  /** In ms; 0 keeps messages for ever. */
  readonly maxAge: number
  readonly isAtomic: boolean
}

const NANOSECONDS = 1_000_000

/** Ids are compared with the last one only: the server need not remember more. */
const DUPLICATE_WINDOW = 1_000 * NANOSECONDS

/** What a stream is for. */
export interface StreamPurpose {
  readonly name: string
  readonly description: string
  /** All of its subjects. */
  readonly subjects: string
}

/** Of the transfers of a network. */
export const transferStream = (network: ChainNetwork): StreamPurpose => ({
  name: streamOf(network),
  description: 'vue-chain feed: transfers of watched addresses',
  subjects: allSubjects(network),
})

/**
 * Returns a stream, which is created where it is missing. Rejects with `ChainError` (`unsupported`) for one that loses
 * messages.
 */
export async function ensureStream(
  manager: JetStreamManager,
  purpose: StreamPurpose,
  settings: StreamSettings,
): Promise<StreamInfo> {
  const info = await findOrCreate(manager, toConfig(purpose, settings))
  const fault = faultOf(info.config, purpose.subjects)
  if (fault === undefined) return info
  throw new ChainError(`The stream "${info.config.name}" ${fault}`, {
    code: 'unsupported',
    hint: 'Change the stream, or delete it: it is created again with the right settings.',
  })
}

type NamedConfig = Partial<StreamConfig> & { readonly name: string }

/** Returns a stream, which is created where it is missing, also by another process at the same time. */
export async function findOrCreate(manager: JetStreamManager, config: NamedConfig): Promise<StreamInfo> {
  try {
    return await manager.streams.info(config.name)
  } catch (error) {
    if (apiCodeOf(error) !== ApiCode.streamNotFound) throw error
  }
  try {
    return await manager.streams.add(config)
  } catch (error) {
    if (apiCodeOf(error) !== ApiCode.streamNameInUse) throw error
    return manager.streams.info(config.name)
  }
}

const toConfig = (
  { name, description, subjects }: StreamPurpose,
  { replicas, maxAge, isAtomic }: StreamSettings,
): NamedConfig => ({
  name,
  description,
  subjects: [subjects],
  retention: 'limits',
  storage: 'file',
  num_replicas: replicas,
  max_age: maxAge * NANOSECONDS,
  duplicate_window: DUPLICATE_WINDOW,
  discard: 'new',
  allow_direct: true,
  ...(isAtomic ? { allow_atomic: true } : {}),
})

/** Why a stream cannot be delivered to; undefined where it can. */
function faultOf(config: StreamConfig, expected: string): string | undefined {
  const { subjects, retention, discard, max_msgs, max_bytes, max_msgs_per_subject, no_ack, sealed } = config
  if (subjects.length !== 1 || subjects[0] !== expected) return `has other subjects than ${expected}`
  if (retention !== 'limits') return `has the retention "${retention}" instead of "limits"`
  if (max_msgs_per_subject > 0) return 'keeps few messages of an address'
  if ((max_msgs > 0 || max_bytes > 0) && discard !== 'new') return 'discards old messages at its size limit'
  if (no_ack || sealed) return 'acknowledges nothing'
  return undefined
}

/** The stream of a network: all that a feed publishes, and nothing else. */
export const streamOf = (network: ChainNetwork): string => `chain-${network}`

/** All subjects of the stream. */
const allSubjects = (network: ChainNetwork): string => `chain.${network}.>`

/**
 * The beginning and the end of each batch, with what concerns all transfers: rollbacks, added and removed addresses.
 */
export const batchSubject = (network: ChainNetwork): string => `chain.${network}.batch`

/**
 * The transfers of an address. The address is one token, with its prefix: `:` is an ordinary character in a subject.
 */
export const transferSubject = (network: ChainNetwork, address: string): string =>
  `chain.${network}.transfer.${address}`

/** The transfers of all addresses. */
export const transferSubjects = (network: ChainNetwork): string => `chain.${network}.transfer.*`

/** Snapshots of the watched addresses: for the feed itself. */
export const watchedSubject = (network: ChainNetwork): string => `chain.${network}.watched`
