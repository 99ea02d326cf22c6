import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { asyncScheduler, firstValueFrom } from 'rxjs'
import WebSocket from 'ws'
import type { RpcEncoding } from '../../src/model/network.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { NodeConnection } from '../../src/node/port.js'
import type { PlatformSocket } from '../../src/platform/port.js'
import { wrapSocket } from '../../src/platform/socket.js'
import { createNodePort } from '../../src/wrpc/client.js'

/** Time of the latest socket message, ms. */
export const arrival = { at: 0 }

/** The socket of both sides; records the time of each message. */
class TimestampingSocket extends WebSocket {
  constructor(url: string) {
    super(url, { perMessageDeflate: false })
    this.on('message', () => {
      arrival.at = performance.now()
    })
  }
}

export function connectOurs(url: string, encoding: RpcEncoding): Promise<NodeConnection> {
  const openSocket = (address: string): Promise<PlatformSocket> =>
    Promise.resolve(wrapSocket(new TimestampingSocket(address)))
  return firstValueFrom(createNodePort({ scheduler: asyncScheduler, openSocket }).dial({ url, encoding }))
}

/** The part of the SDK's RpcClient that is measured. */
export interface SdkClient {
  connect(): Promise<void>
  disconnect(): Promise<void>
  getServerInfo(): Promise<unknown>
  getUtxosByAddresses(addresses: readonly string[]): Promise<{ entries: SdkEntry[] }>
  subscribeUtxosChanged(addresses: readonly string[]): Promise<void>
  addEventListener(type: string, handler: (event: { data: { added: SdkEntry[] } }) => void): void
}

interface Freed {
  free(): void
}

interface SdkEntry extends Freed {
  readonly address: Freed & { toString(): string }
  readonly outpoint: Freed & { readonly transactionId: string; readonly index: number }
  readonly amount: bigint
  readonly scriptPublicKey: Freed & { readonly version: number; readonly script: string }
  readonly blockDaaScore: bigint
  readonly isCoinbase: boolean
}

interface Sdk {
  readonly Encoding: { readonly Borsh: number; readonly SerdeJson: number }
  readonly RpcClient: new (options: { url: string; encoding: number; networkId: string }) => SdkClient
  readonly UtxoProcessor: new (options: { rpc: SdkClient; networkId: string }) => SdkProcessor
  readonly UtxoContext: new (options: { processor: SdkProcessor }) => {
    trackAddresses(addresses: readonly string[]): Promise<void>
  }
}

/** The part of the SDK's UtxoProcessor that is measured. */
interface SdkProcessor {
  start(): Promise<void>
  addEventListener(type: 'balance', handler: () => void): void
}

export async function connectSdk(url: string, encoding: RpcEncoding): Promise<SdkClient> {
  Object.assign(globalThis, { WebSocket: TimestampingSocket })
  const { RpcClient, Encoding } = sdkModule()
  const client = new RpcClient({ url, encoding: Encoding[encoding], networkId: 'testnet-10' })
  await client.connect()
  return client
}

/** The SDK, for Node. */
export const sdkModule = (): Sdk => createRequire(resolve('package.json'))('kaspa-wasm') as Sdk

/** What a wallet needs of an entry. */
export type WalletFields = Pick<UtxoEntry, 'outpoint' | 'amount' | 'blockDaaScore' | 'isCoinbase'>

/** Reads only what a balance and coin selection need of the SDK's entries, and frees the WASM objects. */
export function readWalletFields(entries: readonly SdkEntry[]): WalletFields[] {
  return entries.map((entry) => {
    const { outpoint } = entry
    const record: WalletFields = {
      outpoint: { transactionId: outpoint.transactionId, index: outpoint.index },
      amount: entry.amount,
      blockDaaScore: entry.blockDaaScore,
      isCoinbase: entry.isCoinbase,
    }
    outpoint.free()
    entry.free()
    return record
  })
}

/** Reads every field of the SDK's entries into plain records, and frees the WASM objects. */
export function readSdkEntries(entries: readonly SdkEntry[]): UtxoEntry[] {
  return entries.map((entry) => {
    const { address, outpoint, scriptPublicKey } = entry
    const record: UtxoEntry = {
      address: address.toString(),
      outpoint: { transactionId: outpoint.transactionId, index: outpoint.index },
      amount: entry.amount,
      scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.script },
      blockDaaScore: entry.blockDaaScore,
      isCoinbase: entry.isCoinbase,
    }
    for (const part of [address, outpoint, scriptPublicKey, entry]) part.free()
    return record
  })
}
