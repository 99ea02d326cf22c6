import { freePort } from '../../free-port.js'
import { startNats, type NatsServer } from './nats-server.js'

/** Servers that keep copies of streams for each other. */
export type NatsCluster = readonly NatsServer[]

/** Starts a cluster of three servers; a stream with three copies outlives the loss of any one. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const ports = await Promise.all([freePort(), freePort(), freePort()])
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')
  return Promise.all(
    ports.map((port, index) =>
      startNats(
        `server_name: "server-${index}"\ncluster { name: "feed", listen: "127.0.0.1:${port}", routes: [${routes}] }`,
      ),
    ),
  )
}
