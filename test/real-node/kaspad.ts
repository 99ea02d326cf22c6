import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { NETWORKS } from '../../src/model/network.js'
import { connect, type TcpTestClient } from '../contract/node/support/client.js'
import { freePort } from '../free-port.js'

/** A real node of simnet, which mines without proof of work. */
export interface Kaspad {
  /** The wRPC endpoint, Borsh; the same after a restart. */
  readonly url: string
  /** The wRPC endpoint, JSON; the same after a restart. */
  readonly jsonUrl: string
  /** A connection of the test's own. */
  readonly client: () => TcpTestClient
  /** Mines blocks to an address, one after the other. */
  mine(count: number, address: string): Promise<void>
  /** Connects to another node. Resolves once both have one sink. */
  syncWith(other: Kaspad): Promise<void>
  sink(): Promise<string>
  stop(): Promise<void>
  /** Ends the program at once, as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
  /** The data of the node; to be copied while it is stopped. */
  readonly folder: string
  /** The port for other nodes. */
  readonly port: number
  /** Stops the node and deletes its folder. */
  close(): Promise<void>
}

const PROGRAM = process.env.KASPAD ?? ''

/** UTXOs of the genesis block. Such a node begins with an empty chain at each start. */
export interface Preallocated {
  readonly count: number
  readonly address: string
  /** Sompi of each. */
  readonly amount: bigint
}

export interface KaspadOptions {
  /** A folder to copy: the history of another node. */
  readonly copyOf?: string
  readonly preallocated?: Preallocated
  /** Further arguments of the program. */
  readonly args?: readonly string[]
}

/** Starts a node. */
export async function startKaspad({ copyOf, preallocated, args = [] }: KaspadOptions = {}): Promise<Kaspad> {
  if (PROGRAM === '') throw new Error('Set KASPAD to the path of kaspad 2.1.0')
  const folder = await mkdtemp(join(tmpdir(), 'kaspad-'))
  if (copyOf !== undefined) await cp(copyOf, folder, { recursive: true })
  const [p2p, grpc, borsh, json] = await freePorts(4)
  const url = `ws://127.0.0.1:${borsh}`
  let program: ChildProcess | undefined
  let client: TcpTestClient | undefined

  const start = async (): Promise<void> => {
    program = spawn(PROGRAM, [
      ...['--simnet', '--utxoindex', '--enable-unsynced-mining', '--unsaferpc', '--yes', '--nologfiles', '--nodnsseed'],
      ...['--disable-upnp', '--outpeers=0', '--ram-scale=0.3', `--appdir=${folder}`, `--listen=127.0.0.1:${p2p}`],
      ...[
        `--rpclisten=127.0.0.1:${grpc}`,
        `--rpclisten-borsh=127.0.0.1:${borsh}`,
        `--rpclisten-json=127.0.0.1:${json}`,
      ],
      ...preallocation(preallocated),
      ...args,
    ])
    program.stdout?.resume()
    program.stderr?.resume()
    for (let tries = 0; client === undefined && tries < 200; tries++)
      client = await connect(url, createBorshCodec()).catch(
        () => new Promise((wait) => setTimeout(wait, 100, undefined)),
      )
  }
  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    client?.close()
    client = undefined
    if (program?.exitCode !== null || program.signalCode !== null) return
    const exited = once(program, 'exit')
    program.kill(signal)
    await exited
  }
  const stop = (): Promise<void> => end('SIGINT')
  const connected = (): TcpTestClient => {
    if (client === undefined) throw new Error('The node does not run')
    return client
  }
  const sink = async (): Promise<string> => (await connected().call('getSink', {})).sink
  await start()
  return {
    url,
    jsonUrl: `ws://127.0.0.1:${json}`,
    folder,
    port: p2p ?? 0,
    client: connected,
    sink,
    start,
    stop,
    kill: () => end('SIGKILL'),
    mine: async (count, address) => {
      for (let block = 0; block < count; block++) {
        const template = await connected().call('getBlockTemplate', { payAddress: address, extraData: '' })
        const { report } = await connected().call('submitBlock', { block: template.block, allowNonDaaBlocks: false })
        if (report.type === 'reject') throw new Error(`The block was rejected: ${report.reason}`)
      }
    },
    syncWith: async (other) => {
      await connected().call('addPeer', { peerAddress: { ip: '127.0.0.1', port: other.port }, isPermanent: false })
      for (let tries = 0; tries < 600; tries++) {
        if ((await sink()) === (await other.sink())) return
        await new Promise((wait) => setTimeout(wait, 100))
      }
      throw new Error('The nodes do not reach one sink')
    },
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function preallocation(given: Preallocated | undefined): readonly string[] {
  if (given === undefined) return []
  const { count, address, amount } = given
  return [`--num-prealloc-utxos=${count}`, `--prealloc-address=${address}`, `--prealloc-amount=${amount}`]
}

/** The prefix of addresses of the nodes. */
export const PREFIX = NETWORKS.simnet.addressPrefix

const freePorts = (count: number): Promise<readonly number[]> => Promise.all(Array.from({ length: count }, freePort))
