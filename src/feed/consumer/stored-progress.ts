import type { JetStreamManager } from '@nats-io/jetstream'
import type { ChainNetwork } from '../../model/network.js'
import { findOrCreate } from '../jetstream/ensure-stream.js'
import { ApiCode, apiCodeOf } from '../jetstream/nats-server.js'
import { createExclusive } from '../../sql/session.js'
import { takenOver } from '../sink.js'

/** A key-value bucket, which `nats kv get chain-positions <network>.<name>` shows. */
const BUCKET = 'KV_chain-positions'
const CONFIG = {
  name: BUCKET,
  description: 'vue-chain feed: how far consumers have read',
  subjects: ['$KV.chain-positions.>'],
  max_msgs_per_subject: 1,
  allow_rollup_hdrs: true,
  deny_delete: true,
  allow_direct: true,
  discard: 'new',
} as const

/** The last batch that a consumer has acknowledged. */
export interface Progress {
  readonly batch: number
  readonly position: string
}

/** Stores how far a consumer has read, under its name. */
export interface ProgressStore {
  /** What was stored before; null for a new name. */
  readonly stored: Progress | null
  /**
   * In the order of the calls, which need not wait for each other; what an earlier call has covered changes nothing.
   * Rejects with `ChainError` (`taken-over`) where another consumer has stored something else.
   */
  save(progress: Progress): Promise<void>
}

export async function openProgress(
  manager: JetStreamManager,
  network: ChainNetwork,
  name: string,
): Promise<ProgressStore> {
  await findOrCreate(manager, { ...CONFIG, subjects: [...CONFIG.subjects] })
  const subject = `$KV.chain-positions.${network}.${name}`
  const find = () => manager.streams.getMessage(BUCKET, { last_by_subj: subject })
  const found = await find()
  let sequence = found?.seq ?? 0
  let saved = 0 // the last batch, by this store
  const exclusive = createExclusive()
  const put = async (progress: Progress): Promise<void> => {
    if (progress.batch < saved) return
    try {
      const expect = { lastSubjectSequence: sequence }
      sequence = (await manager.jetstream().publish(subject, JSON.stringify(progress), { expect })).seq
    } catch (error) {
      if (apiCodeOf(error) !== ApiCode.wrongLastSequence) throw error
      const last = await find()
      if (last?.json<Progress>().position !== progress.position) throw takenOver()
      sequence = last.seq // only the acknowledgement was lost
    }
    saved = progress.batch
  }
  return {
    stored: found?.json<Progress>() ?? null,
    save: (progress) => exclusive(() => put(progress)),
  }
}

/**
 * Where a consumer continues. A sequence alone names another message after the stream was deleted, or restored from an
 * older copy: so the position names the stream and the batch too.
 */
export interface Position {
  /** The sequence of the last message of the batch. */
  readonly sequence: number
  readonly batch: number
  /** The attempt by which the batch was stored: no other batch of any stream has it. */
  readonly attempt: string
  /** When the stream was created, as the server writes it. */
  readonly created: string
}

/** A position as text, which programs store. */
export const encodePosition = ({ sequence, batch, attempt, created }: Position): string =>
  `${sequence}.${batch}.${attempt}.${created}`

/** The position of a text; undefined for other text. */
export function decodePosition(text: string): Position | undefined {
  const [, sequence, batch, attempt, created] = /^(\d+)\.(\d+)\.([\w-]+)\.(\S+)$/.exec(text) ?? []
  if (attempt === undefined || created === undefined) return undefined
  return { sequence: Number(sequence), batch: Number(batch), attempt, created }
}
