import { getHeapCodeStatistics } from 'node:v8'
import { filter, firstValueFrom, timeout } from 'rxjs'
import { createChainEngine } from '../../src/engine/engine.js'
import { createRecorder } from '../../src/engine/recorder/create-recorder.js'
import { light } from '../../src/light/index.js'
import { pause } from '../chaos/pause.js'

/** What the parent process sends to a service. */
export interface ServiceSettings {
  readonly url: string
  readonly accounts: readonly { readonly address: string; readonly privateKeyHex: string }[]
  /** Keeps what it receives, on purpose. */
  readonly leaks: boolean
}

/** Figures of a process after a garbage collection. */
export interface ServiceUsage {
  /** Heap and buffers, bytes, without `code`. */
  readonly memory: number
  /** Compiled code: V8 goes on to optimise functions for an hour, and again what it took back. Bytes. */
  readonly code: number
  readonly handles: number
  readonly listeners: number
  /** What it has done since its start. */
  readonly done: {
    readonly blocks: number
    readonly accepted: number
    readonly payments: number
    readonly rejected: number
    /** The last rejection. */
    readonly rejection: string
  }
}

/** Ms between two payments, and between two trackers that come and go. */
const [PAYMENT_INTERVAL, TRACKER_INTERVAL] = [2_000, 500]
/** Ms that a tracker has to load. */
const READY_TIMEOUT = 10_000

/** A service that follows everything, pays back and forth, and opens and closes trackers. Returns its figures. */
export function startService({ url, accounts, leaks }: ServiceSettings): () => Promise<ServiceUsage> {
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  const engine = createChainEngine({ network: 'simnet', url, sdk: light, recorder: createRecorder(), logger })
  const done = { blocks: 0, accepted: 0, payments: 0, rejected: 0, rejection: 'none' }
  const kept: unknown[] = []
  const addresses = accounts.map((account) => account.address)
  const balances = engine.utxos(addresses, { mempoolInterval: 1_000 })
  balances.state$.subscribe()
  engine.balances$(addresses).subscribe()
  engine.acceptedTransactions$().subscribe((transaction) => {
    done.accepted++
    if (leaks) kept.push(structuredClone(transaction))
  })
  engine.blocks$().subscribe(() => done.blocks++)
  engine.virtualDaaScore$.subscribe()
  engine.server$.subscribe()
  void engine.wasm.init()
  void every(PAYMENT_INTERVAL, followTransfers)
  void every(TRACKER_INTERVAL, async (turn) => {
    const tracker = engine.utxos(addresses.slice(turn % addresses.length))
    const subscription = tracker.state$.subscribe()
    await tracker.ready({ timeout: READY_TIMEOUT }).finally(() => subscription.unsubscribe())
  })
  void every(PAYMENT_INTERVAL, async (turn) => {
    const [from, to] = [accounts[turn % accounts.length], accounts[(turn + 1) % accounts.length]]
    if (from === undefined || to === undefined) return
    const fresh$ = engine.utxos([from.address]).state$.pipe(filter(({ freshness }) => freshness === 'fresh'))
    const { source } = await firstValueFrom(fresh$.pipe(timeout(READY_TIMEOUT)))
    await engine.transactions.sweep({ entries: source, to: to.address, privateKeys: [from.privateKeyHex] })
    done.payments++
  })

  async function followTransfers(): Promise<void> {
    for await (const batch of engine.followTransfers({ addresses, minConfirmations: 10 })) if (leaks) kept.push(batch)
  }

  /** Rejections are part of the run: of a node without replies, of UTXOs that a reorg removes. */
  async function every(interval: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; ; turn++) {
      await work(turn).catch((error: unknown) => {
        done.rejected++
        done.rejection = String(error)
      })
      await pause(interval)
    }
  }

  return async () => {
    for (let turn = 0; turn < 5; turn++) {
      globalThis.gc?.()
      await pause(20) // buffers are freed some turns after their collection
    }
    const { heapUsed, external } = process.memoryUsage()
    const { code_and_metadata_size: code } = getHeapCodeStatistics()
    return {
      memory: heapUsed + external - code,
      code,
      handles: process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout').length,
      listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
      done: { ...done },
    }
  }
}

const ignore = (): void => undefined
