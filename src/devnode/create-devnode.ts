import { createNode, openNode, type NodeParts } from './create-node.js'
import {
  toEngineOptions,
  type Devnode,
  resolveOptions,
  type DevnodeOptions,
  type ResolvedOptions,
  type DevnodeUrls,
  type ServerParts,
  type Servers,
} from './devnode.js'
import { systemTimers, type Machine } from './machine.js'
import { totalmem } from 'node:os'
import { openHttpServer } from './server/http-server.js'
import { toUrlHost, type ListenAddress, listen, stopListening, trackSockets } from './server/listen.js'
import {
  createRestartableRpc,
  type RestartableRpc,
  type RpcContext,
  createRpc,
  toConnectionContext,
  type Rpc,
  type RpcServers,
  createWrpcEndpoint,
  type WrpcEndpoint,
} from './server/rpc.js'
import { createBorshCodec } from '../wrpc/borsh/codec.js'
import { createJsonCodec } from '../wrpc/json/codec.js'
import { createServer } from 'node:http'
import type { ConnectionContext } from './server/connection.js'
import type { Traffic } from './server/handlers/handler.js'
import { acceptUpgrades } from './server/upgrade.js'

/**
 * Starts a network of one node; resolves when all of its servers listen. Any number may run side by side.
 * Rejects with `ChainError` (`invalid-option`) for an invalid option or a port in use.
 */
export async function createDevnode(options?: DevnodeOptions): Promise<Devnode> {
  return startDevnode(openNode(resolveOptions(options)))
}

async function startDevnode(parts: NodeParts): Promise<Devnode> {
  const { served, start } = createNode(parts, { timers: systemTimers, machine: nodeMachine })
  const servers = await openServers(parts.settings, served)
  return start(servers, (node, forkOf) => ({
    ...node,
    engineOptions: toEngineOptions(node),
    fork: async (options) => startDevnode(forkOf(options)),
  }))
}

/** The machine and process as Node measures them. */
const nodeMachine: Machine = {
  totalMemory: totalmem,
  process() {
    const { rss, heapTotal, external } = process.memoryUsage()
    return { residentSetSize: rss, virtualMemorySize: heapTotal + external, cpuUsage: cpuUsage() }
  },
}

const cpuUsage = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 / process.uptime()
}

/**
 * Opens all four servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then none is left open.
 */
async function openServers(options: ResolvedOptions, parts: ServerParts): Promise<Servers> {
  const { host, origins } = options
  const opened: { close(): Promise<void> }[] = []
  const track = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const server = await opening
    opened.push(server)
    return server
  }
  const close = async () => {
    await Promise.all(opened.map((server) => server.close()))
  }
  try {
    const rpc = await track(openRpc(options, parts.rpc))
    const rest = await track(openHttpServer({ host, origins, port: options.restPort, option: 'restPort' }, parts.rest))
    const control = await track(
      openHttpServer({ host, origins, port: options.controlPort, option: 'controlPort' }, parts.control),
    )
    return { rpc, close, urls: toUrls(host, { ...rpc.ports, rest: rest.port, control: control.port }) }
  } catch (error) {
    await close()
    throw error
  }
}

function toUrls(host: string, ports: Readonly<Record<keyof DevnodeUrls, number>>): DevnodeUrls {
  const name = toUrlHost(host)
  return {
    borsh: `ws://${name}:${ports.borsh}`,
    json: `ws://${name}:${ports.json}`,
    rest: `http://${name}:${ports.rest}`,
    control: `http://${name}:${ports.control}`,
  }
}

/** RPC servers on ports that stay the same across restarts. */
interface ListeningRpc extends RestartableRpc {
  readonly ports: { readonly borsh: number; readonly json: number }
}

/** Starts the servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen. */
async function openRpc(options: ResolvedOptions, context: RpcContext): Promise<ListeningRpc> {
  const { host, origins } = options
  const start = (borshPort: number, jsonPort: number) =>
    startRpc(
      { host, origins, port: borshPort, option: 'borshPort' },
      { host, origins, port: jsonPort, option: 'jsonPort' },
      context,
    )
  const first = await start(options.borshPort, options.jsonPort)
  const { ports } = first
  return { ports, ...createRestartableRpc(first, () => start(ports.borsh, ports.json), context.timers) }
}

/** The RPC side of a running node on its ports. */
interface RpcProcess extends Rpc {
  readonly ports: { readonly borsh: number; readonly json: number }
}

/**
 * Starts both servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then neither is left open.
 */
async function startRpc(borsh: ListenAddress, json: ListenAddress, context: RpcContext): Promise<RpcProcess> {
  const started: RpcServers<WrpcServer> = {}
  const shared = toConnectionContext(context, started)
  const close = async () => {
    await Promise.all([started.borsh?.close(), started.json?.close()])
  }
  try {
    const servers = {
      borsh: (started.borsh = await openWrpcServer(borsh, { codec: createBorshCodec(), ...shared })),
      json: (started.json = await openWrpcServer(json, { codec: createJsonCodec(), ...shared })),
    }
    const ports = { borsh: servers.borsh.port, json: servers.json.port }
    return { ports, ...createRpc(servers, context.live, close) }
  } catch (error) {
    await close()
    throw error
  }
}

/** A node's RPC server in one encoding. */
interface WrpcServer extends Pick<WrpcEndpoint, 'connections' | 'notify'> {
  readonly port: number
  traffic(): Traffic
  /** Number of open TCP connections, WebSockets or not. */
  sockets(): number
  /** Drops every connection, as a stopping node does, and stops listening. */
  close(): Promise<void>
}

/** Opens the server. Rejects with `ChainError` (`invalid-option`) if it cannot listen. */
async function openWrpcServer(address: ListenAddress, context: ConnectionContext): Promise<WrpcServer> {
  const http = createServer((_, response) => response.writeHead(426).end('This port speaks WebSocket.\n'))
  const sockets = trackSockets(http)
  const endpoint = createWrpcEndpoint(context)
  const upgrades = acceptUpgrades(http, address, context.faults, (socket) => endpoint.serve(socket))
  const port = await listen(http, address)
  return {
    port,
    connections: () => endpoint.connections(),
    notify: (events) => endpoint.notify(events),
    sockets: () => sockets.count(),
    traffic: () => ({ live: endpoint.connections().length, ...upgrades.handshakes(), ...sockets.bytes() }),
    async close() {
      const stopped = stopListening(http)
      endpoint.cutAll()
      sockets.destroyAll()
      await stopped
    },
  }
}
