import type { StoredMsg } from '@nats-io/jetstream'
import { Subject } from 'rxjs'
import { SessionDropped } from '../../errors/payout-error.js'
import { findOrCreate } from './ensure-stream.js'
import type { JetStreamClients } from './nats-connection.js'
import { ApiCode } from './nats-server.js'

/** A key-value bucket, which `nats kv get chain-leases <key>` shows, by network for transfers. Its entries expire. */
const BUCKET = 'KV_chain-leases'
const subjectOf = (key: string): string => `$KV.chain-leases.${key}`

const NANOSECONDS = 1_000_000
/** How often an entry is renewed, or looked at, within the time in which it expires. */
const RENEWALS = 4

/** The entry of the instance that delivers. */
interface Entry {
  readonly instance: string
  readonly isReleased?: boolean
}

/**
 * The right to deliver, for as long as it is renewed. It spares the instances needless work; what protects the stream
 * is that every batch must follow the one that its author knows.
 */
export class Lease {
  readonly lost: Promise<never>
  readonly heartbeat$ = new Subject<'begun' | 'renewed'>()
  #drop: (error: SessionDropped) => void = () => undefined
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> = Promise.resolve()

  private constructor(
    private readonly clients: JetStreamClients,
    private readonly key: string,
    duration: number,
    private sequence: number,
  ) {
    this.lost = new Promise((_, reject) => (this.#drop = reject))
    this.lost.catch(() => undefined) // raced by the session
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew()
    }, duration / RENEWALS)
  }

  /**
   * Waits until no other instance has the lease, or until `wait` rejects. `duration` (ms) applies where no instance was
   * here before.
   */
  static async acquire(
    clients: JetStreamClients,
    key: string,
    duration: number,
    wait: (ms: number) => Promise<void>,
  ): Promise<Lease> {
    const { config } = await findOrCreate(clients.manager, toConfig(duration))
    const actual = config.max_age / NANOSECONDS
    for (;;) {
      const found = await clients.manager.streams.getMessage(BUCKET, { last_by_subj: subjectOf(key) })
      if (isFree(found, clients.instance)) {
        const sequence = await put(clients, key, { instance: clients.instance }, found?.seq ?? 0)
        if (sequence !== null) return new Lease(clients, key, actual, sequence)
      }
      await wait((actual / RENEWALS) * (0.5 + Math.random() / 2))
    }
  }

  /** Lets another instance deliver at once. Never rejects. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing
    await put(this.clients, this.key, { instance: this.clients.instance, isReleased: true }, this.sequence).catch(
      () => undefined, // it expires
    )
  }

  /** Ends the renewals; the entry expires. */
  abandon(): void {
    clearInterval(this.#timer)
  }

  async #renew(): Promise<void> {
    this.heartbeat$.next('begun')
    try {
      const sequence = await put(this.clients, this.key, { instance: this.clients.instance }, this.sequence)
      if (sequence === null) throw new Error('Another instance has the lease')
      this.sequence = sequence
      this.heartbeat$.next('renewed')
    } catch (error) {
      clearInterval(this.#timer)
      this.#drop(new SessionDropped(error))
    }
  }
}

const toConfig = (duration: number) => ({
  name: BUCKET,
  description: 'vue-chain feed: which instance delivers',
  subjects: ['$KV.chain-leases.>'],
  storage: 'memory' as const,
  max_msgs_per_subject: 1,
  max_age: duration * NANOSECONDS,
  duplicate_window: duration * NANOSECONDS,
  allow_rollup_hdrs: true,
  deny_delete: true,
  allow_direct: true,
  discard: 'new' as const,
})

/** An instance that was interrupted takes its own lease again. */
function isFree(found: StoredMsg | null, instance: string): boolean {
  if (found === null) return true
  const entry = found.json<Entry>()
  return entry.isReleased === true || entry.instance === instance
}

/** Writes the entry where the last one has the given sequence; null where it has another. */
async function put(
  { connection, createHeaders, timeout }: JetStreamClients,
  key: string,
  entry: Entry,
  after: number,
): Promise<number | null> {
  const headers = createHeaders()
  headers.set('Nats-Expected-Last-Subject-Sequence', String(after))
  const reply = await connection.request(subjectOf(key), JSON.stringify(entry), { headers, timeout })
  const { seq, error } = reply.json<{ seq?: number; error?: { err_code: number; description: string } }>()
  if (error === undefined && seq !== undefined) return seq
  if (error?.err_code === ApiCode.wrongLastSequence) return null
  throw new Error(error?.description ?? 'No sequence')
}
