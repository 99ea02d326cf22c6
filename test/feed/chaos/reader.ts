import type { NatsConnection } from '@nats-io/transport-node'
import { consumeTransfers } from '../../../src/feed/consumer/consume-transfers.js'
import { ConsumedRows } from '../support/consumed-rows.js'

/** A program that stores each batch with its position, and continues after it when it is started again. */
export interface Reader {
  rows(): ConsumedRows
  /** Ends at an arbitrary moment and starts again. */
  restart(): Promise<void>
  failures(): readonly string[]
  end(): Promise<void>
}

export async function startReader(connect: () => Promise<NatsConnection>): Promise<Reader> {
  const rows = new ConsumedRows()
  const failures: string[] = []
  let position: string | undefined
  let controller = new AbortController()
  let connection = await connect()
  const read = async (signal: AbortSignal): Promise<void> => {
    const start = position === undefined ? {} : { after: position }
    try {
      for await (const batch of consumeTransfers(connection, { network: 'simnet', signal, ...start })) {
        if (signal.aborted) return
        rows.apply(batch) // with the position: both or none
        position = batch.position
      }
    } catch (error) {
      failures.push(`The consumer has failed: ${String(error)}`)
    }
  }
  let reading = read(controller.signal)
  const stop = async (): Promise<void> => {
    controller.abort()
    await reading
    await connection.close()
  }
  return {
    rows: () => rows,
    async restart() {
      await stop()
      controller = new AbortController()
      connection = await connect()
      reading = read(controller.signal)
    },
    failures: () => failures,
    end: stop,
  }
}
