import { resolve } from 'node:path'

/**
 * A tab of a wallet, which tracks addresses and follows scores and accepted transactions. Its query names the node, the
 * network, and whether the tabs share a connection (`shared`).
 */
export const tabPage = (addresses: readonly string[]): string => `
  import { createChainEngine } from ${JSON.stringify(resolve('src/engine/engine.ts'))}
  const query = new URLSearchParams(location.search)
  const engine = createChainEngine({
    network: query.get('network'),
    url: query.get('node'),
    shared: query.has('shared') && { claims: false },
  })
  const now = () => performance.timeOrigin + performance.now()
  window.delays = [] // ms, where a score is the time at which it was sent
  window.longestPause = 0
  window.scores = 0
  window.accepted = []
  let last = now()
  window.resetPauses = () => {
    window.longestPause = 0
    last = now()
  }
  engine.events$('virtual-daa-score-changed').subscribe(({ data }) => {
    const received = now()
    window.scores++
    window.delays.push(received - Number(data.virtualDaaScore) / 1_000)
    window.longestPause = Math.max(window.longestPause, received - last)
    last = received
  })
  engine.virtualDaaScore$.subscribe()
  engine.acceptedTransactions$().subscribe(({ type, transactionId }) => {
    if (type === 'accepted') window.accepted.push(transactionId)
    else window.accepted.splice(window.accepted.lastIndexOf(transactionId), 1)
  })
  engine.sharing.state$.subscribe(({ connection, reason }) => {
    window.connection = connection
    window.reason = reason
  })
  window.connections = 0
  engine.connection.state$.subscribe(({ status }) => {
    if (status === 'connected') window.connections++
  })
  engine.utxos(${JSON.stringify(addresses)}).state$.subscribe(({ freshness }) => {
    if (freshness === 'fresh') window.fresh ??= performance.now() // since the navigation
  })
`

/** What such a tab has. */
export interface BenchTab {
  readonly delays: readonly number[]
  readonly longestPause: number
  readonly scores: number
  readonly accepted: readonly string[]
  readonly connection: 'shared' | 'own'
  readonly reason: string | null
  readonly connections: number
  readonly fresh: number
}
