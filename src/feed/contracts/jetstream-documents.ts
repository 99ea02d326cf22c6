import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import type { ChainNetwork } from '../../model/network.js'
import { createBatchWriter } from '../jetstream/batch-writer.js'
import { createStreamOpener, type JetStreamOptions, type OpenedStream } from '../jetstream/open-stream.js'
import { planContractBatch } from './contract-messages.js'
import type { ContractSession, OpenContractSession } from './contract-session.js'
import { contractStream } from './contract-stream.js'
import type { Programs } from './output-rows.js'
import { readStream, type StreamEnd } from './read-stream.js'

/** A stream of NATS JetStream for outputs of contracts. */
export interface ContractStreamOptions extends JetStreamOptions {
  /** The stream is `<name>-<network>`. @default 'contracts' */
  readonly name?: string | undefined
}

const NAMES = ['connection', 'leaseTimeout', 'timeout', 'replicas', 'name']

/** A stream is read from its first message on: a position for each block would be most of it. */
const POSITION_INTERVAL = 60_000

/** Delivers a message for each output and change of it. Throws `ChainError` (`invalid-argument`). */
export function toDocuments(
  options: ContractStreamOptions,
): (network: ChainNetwork, programs: Programs) => OpenContractSession {
  refuseUnknown(options, NAMES)
  const { name = 'contracts' } = options
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || name === 'chain')
    throw invalidArgument('name', `"${name}" is no name of a stream`, 'Use a-z, 0-9 and _, at most 40, not "chain".')
  const opener = createStreamOpener(options)
  return (network, programs) =>
    ({ onWait, signal }) => {
      const purpose = contractStream(name, network)
      const begin = async (stream: OpenedStream): Promise<ContractSession> =>
        createSession(purpose.name, await readStream(stream.clients, purpose.name, programs), programs, stream)
      return opener.open({ purpose, lease: purpose.name, onWait, signal, begin })
    }
}

/** Delivers from where a stream ends. */
function createSession(stream: string, end: StreamEnd, programs: Programs, opened: OpenedStream): ContractSession {
  const { heartbeat$, dropped, close } = opened
  const writeBatch = createBatchWriter(stream, end, opened)
  return {
    stored: end.stored,
    write: (batch) =>
      writeBatch((place) => planContractBatch(batch, { ...place, blueScore: tipScoreOf(batch.cursor), programs })),
    positionInterval: POSITION_INTERVAL,
    heartbeat$,
    dropped,
    close,
  }
}
