import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import { PACKAGES } from '../../feed/jetstream/nats-connection.js'
import { createJetStreamSink } from '../../feed/jetstream/create-jetstream-sink.js'
import { converted } from '../../feed/jetstream/nats-server.js'
import { loadPackage } from '../../loading/load-code.js'
import type { FeedSession, FeedSink } from '../../feed/sink.js'
import type { FeedFlags } from './flags.js'
import { readFlagFile } from '../service-flags.js'
import type { FollowedBucket, WatchedBucket } from './watched-bucket.js'

export type NatsFlags = Pick<
  FeedFlags,
  'nats' | 'natsCreds' | 'leaseTimeout' | 'statementTimeout' | 'replicas' | 'maxAge'
>

/** A sink, and what releases it. */
export interface OpenedSink {
  readonly sink: FeedSink
  close(): Promise<void>
}

/**
 * Delivers into JetStream by a connection that is opened with the first session, so that a server may start later. Each
 * session follows the bucket of the watched addresses, if there is one. Rejects with `ChainError` (`package-missing`).
 */
export async function openNats(flags: NatsFlags, bucket?: WatchedBucket): Promise<OpenedSink> {
  const { leaseTimeout, statementTimeout: timeout, replicas, maxAge } = flags
  const connectOnce = await connectNats(flags)
  let connection: NatsConnection | undefined
  let jetStream: FeedSink | undefined
  const sink: FeedSink = {
    hasWatchTable: false,
    leaseTimeout,
    async open(options) {
      connection ??= await connectOnce()
      jetStream ??= createJetStreamSink({ connection, leaseTimeout, timeout, replicas, maxAge })
      const followed = await bucket?.follow(connection, options.signal)
      try {
        return withBucket(await jetStream.open(options), followed)
      } catch (error) {
        followed?.end()
        throw error
      }
    },
  }
  return { sink, close: async () => connection?.close() }
}

/** What connects to the servers. Rejects with `ChainError` (`package-missing`), before anything is connected. */
export async function connectNats({
  nats,
  natsCreds,
}: Pick<NatsFlags, 'nats' | 'natsCreds'>): Promise<() => Promise<NatsConnection>> {
  const { connect, credsAuthenticator } = await loadPackage(
    '@nats-io/transport-node',
    () => import('@nats-io/transport-node'),
    PACKAGES,
  )
  await loadPackage('@nats-io/jetstream', () => import('@nats-io/jetstream'), PACKAGES)
  const creds =
    natsCreds === undefined ? undefined : new TextEncoder().encode(await readFlagFile('nats-creds', natsCreds))
  const withCreds = (options: ConnectionOptions): ConnectionOptions =>
    creds === undefined ? options : { ...options, authenticator: credsAuthenticator(creds) }
  return () => converted(() => connect(withCreds(toOptions(nats))))
}

/** The session, which is lost with the bucket. */
function withBucket(session: FeedSession, followed: FollowedBucket | undefined): FeedSession {
  if (followed === undefined) return session
  return {
    ...session,
    dropped: Promise.race([session.dropped, followed.lost]),
    close() {
      followed.end()
      return session.close()
    },
  }
}

/** The client takes credentials as options, not in the URL: `nats://user:password@host`, `nats://token@host`. */
function toOptions(urls: readonly string[]): ConnectionOptions {
  const parsed = urls.map((url) => new URL(url.includes('://') ? url : `nats://${url}`))
  const { username = '', password = '' } = parsed.find(({ username }) => username !== '') ?? {}
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: parsed.map(({ host }) => host),
    name: 'vue-chain feed',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    pingInterval: 5_000,
    timeout: 10_000,
    ...(parsed.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
  }
}
