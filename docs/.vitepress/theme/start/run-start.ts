import example from 'virtual:start-example'
import { Subscription } from 'rxjs'
import type { ChainEngine, TransactionStatus } from 'vue-chain/streams'
import type { Dag } from '../network/dag/dag.js'
import { feedDag } from '../network/dag/feed.js'
import { startPageNetwork, type PageNetwork } from '../network/page-network.js'
import type { Running } from '../network/use-running.js'
import { mountExample } from '../live/mount-example.js'

/** What the start page shows of its network. */
export interface StartReport {
  onDag(dag: Dag): void
  onConnection(status: string): void
  onScore(score: bigint): void
  /** The status of the latest payment. */
  onPayment(status: TransactionStatus): void
  onError(error: unknown): void
}

/** Ms between two steps of the miner. */
const STEP = 900
/** How many blocks are mined at the same time, in turn: as a DAG of several miners looks. */
const PARALLEL = [1, 3, 2, 1, 4, 2, 1, 2, 3, 1, 1, 4, 3, 2, 1, 3, 1] as const
/** Steps before anything is shown, so that there is a DAG to see. */
const STEPS_BEFORE = 36
/** Until when a payment is followed. */
const CONFIRMATIONS = 200

/** Runs the example of the start page in `output`, on a network of its own, with a connected browser wallet. */
export async function runStart(output: Element, report: StartReport): Promise<Running> {
  const network = await startPageNetwork({ blockInterval: 0, payments: 0 })
  let shown: readonly string[] = []
  const mine = createMiner(network, (id) => shown.includes(id))
  for (let step = 0; step < STEPS_BEFORE; step++) await mine()
  const { engine, act, unmount } = mountExample(example, output, network, report.onError)
  await engine.wallet.connect('walletA')
  const timer = setInterval(() => void mine().catch(report.onError), STEP)
  const subscription = follow(engine, report)
  const payments = followPayments(engine, report)
  const endFeed = feedDag(network.devnode, (dag) => {
    shown = dag.mempool
    report.onDag(dag)
    payments.follow(dag.mempool.at(-1))
  })
  return {
    act,
    close() {
      clearInterval(timer)
      endFeed()
      subscription.unsubscribe()
      payments.end()
      unmount()
      network.close()
    },
  }
}

/**
 * Mines a step where the page is seen. A payment is shown in the mempool, then gets a block of its own: the eye can
 * follow it.
 */
function createMiner({ devnode }: PageNetwork, isShown: (id: string) => boolean): () => Promise<void> {
  let step = 0
  return async () => {
    const pending = devnode.expected.mempool()
    if (document.hidden || !pending.every(isShown)) return
    await devnode.mine(1, { parallel: pending.length > 0 ? 1 : (PARALLEL[step++ % PARALLEL.length] ?? 1) })
  }
}

function follow(engine: ChainEngine, { onConnection, onScore }: StartReport): Subscription {
  const subscription = engine.connection.state$.subscribe(({ status }) => onConnection(status))
  subscription.add(engine.virtualDaaScore$.subscribe(onScore))
  return subscription
}

/** Follows the latest payment that was seen in the mempool. */
function followPayments(engine: ChainEngine, { onPayment }: StartReport) {
  let latest: string | undefined
  let subscription: Subscription | undefined
  return {
    follow(id: string | undefined): void {
      if (id === undefined || id === latest) return
      latest = id
      subscription?.unsubscribe()
      subscription = engine.transactionStatus$(id, { confirmations: CONFIRMATIONS }).subscribe(onPayment)
    },
    end: (): void => subscription?.unsubscribe(),
  }
}
