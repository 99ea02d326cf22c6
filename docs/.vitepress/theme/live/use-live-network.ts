import { createMemoryDevnode, type MemoryDevnode } from 'vue-chain/devnode/memory'
import { createChainEngine, type ChainEngine } from 'vue-chain/streams'
import { onScopeDispose, ref, type Ref } from 'vue'

export interface LiveNetwork {
  readonly devnode: MemoryDevnode
  readonly engine: ChainEngine
  readonly status: Readonly<Ref<string>>
  readonly score: Readonly<Ref<bigint | undefined>>
  /** What the engine reported, newest first. */
  readonly log: Readonly<Ref<readonly string[]>>
  /** The balance of the first account, sompi. */
  readonly mature: Readonly<Ref<bigint | undefined>>
}

const LOG_LENGTH = 8

/** A network in the page, and an engine that is connected to it. Both end with the component. */
export function useLiveNetwork(): LiveNetwork {
  const devnode = createMemoryDevnode()
  const engine = createChainEngine({ ...devnode.engineOptions, reconnect: { baseDelay: 500 } })
  const status = ref('disconnected')
  const score = ref<bigint>()
  const mature = ref<bigint>()
  const log = ref<readonly string[]>([])
  const write = (line: string) => (log.value = [line, ...log.value].slice(0, LOG_LENGTH))
  engine.connection.state$.subscribe((state) => {
    status.value = state.status
    write(`connection: ${state.status}`)
  })
  engine.virtualDaaScore$.subscribe((next) => (score.value = next))
  engine.acceptedTransactions$().subscribe((change) => {
    if (change.type === 'rollback') write(`rollback to block ${short(change.hash)}`)
    else write(`${change.type}: transaction ${short(change.transactionId)}`)
  })
  const [account] = devnode.accounts
  if (account !== undefined)
    engine.utxos([account.address]).state$.subscribe(({ balance, freshness }) => {
      mature.value = freshness === 'unknown' ? undefined : balance.mature
    })
  onScopeDispose(() => {
    void engine.dispose()
    void devnode.close()
  })
  return { devnode, engine, status, score, log, mature }
}

const short = (hash: string): string => `${hash.slice(0, 12)}…`
