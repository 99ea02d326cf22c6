import type { JetStreamClient } from '@nats-io/jetstream'
import { createJetStreamSink } from '../src/feed/jetstream/create-jetstream-sink.js'
import { planBatch, type Outgoing, WatchSet } from '../src/feed/jetstream/plan-batch.js'
import { streamOf } from '../src/feed/jetstream/ensure-stream.js'
import { hasNats, startNats, type NatsServer } from '../test/feed/support/nats-server.js'
import { stepOf } from '../test/feed/support/steps.js'
import type { BenchRow } from './row.js'

const network = 'testnet-10'
const MESSAGES = 100_000
const ADDRESSES = 10_000
/** Publishes of the bare client that wait for their acknowledgement at a time. */
const IN_FLIGHT = 500

/**
 * The durable feed into a NATS server of its own with a file store, and the bare client that publishes the same bytes.
 */
export async function run(): Promise<BenchRow[]> {
  if (!hasNats) return []
  const rows: BenchRow[] = []
  for (const transfers of [500, 2_000]) rows.push(...(await measureSize(transfers)))
  return rows
}

async function measureSize(transfers: number): Promise<readonly BenchRow[]> {
  const steps = Array.from({ length: MESSAGES / transfers }, (_, index) => stepOf(index, transfers, ADDRESSES))
  const ours = await withServer(async (server) => {
    const sink = createJetStreamSink({ connection: await server.connect() })
    const session = await sink.open({ network, watch: 'given', signal: new AbortController().signal })
    const seconds = await measure(async () => {
      for (const step of steps) await session.write(step)
    })
    await session.close()
    return (MESSAGES + 2 * steps.length) / seconds
  })
  const theirs = await withServer(async (server) => {
    await server.manager.streams.add({ name: 'bare', subjects: ['chain.>'], storage: 'file', allow_direct: true })
    const client = server.manager.jetstream()
    const seconds = await measure(async () => {
      for (const [index, step] of steps.entries()) await publishBare(client, index, planOf(index, step))
    })
    return (MESSAGES + 2 * steps.length) / seconds
  })
  const what = `messages published into JetStream, ${transfers} transfers in each batch`
  const detail = `${ours.toFixed(0)} a second; bare client ${theirs.toFixed(0)}`
  return [
    { what, against: '15,000 a second', ratio: ours / 15_000, goal: '≥ 1 ×', met: ours >= 15_000, detail },
    {
      what,
      against: `the bare client with the same bytes, ${IN_FLIGHT} in flight, neither fenced nor in batches`,
      ratio: ours / theirs,
      goal: '≥ 1 ×',
      met: ours >= theirs,
      detail,
    },
  ]
}

async function withServer(work: (server: NatsServer) => Promise<number>): Promise<number> {
  const server = await startNats()
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function measure(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

const planOf = (index: number, step: Parameters<typeof planBatch>[0]): readonly Outgoing[] =>
  planBatch(
    step,
    {
      network,
      stream: streamOf(network),
      batch: index + 1,
      attempt: 'bare',
      previousAttempt: null,
      lastSequence: 0,
      previous: 0,
      now: 0,
      maxAge: Infinity,
    },
    new WatchSet(),
  )

/** As the client's documentation does it: with ids, and an acknowledgement for each message. */
async function publishBare(client: JetStreamClient, batch: number, messages: readonly Outgoing[]): Promise<void> {
  const pending = new Set<Promise<unknown>>()
  for (const [position, { subject, body }] of messages.entries()) {
    const publish: Promise<unknown> = client
      .publish(subject, body, { msgID: `${batch}.${position}` })
      .then(() => pending.delete(publish))
    pending.add(publish)
    if (pending.size >= IN_FLIGHT) await Promise.race(pending)
  }
  await Promise.all(pending)
}
