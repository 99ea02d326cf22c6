import type { Devnode } from '../../src/devnode/index.js'
import { createCore } from '../../src/engine/core.js'
import { until } from '../chaos/until.js'
import { listenToAll } from './listen.js'
import { atNode, remains } from './traces.js'

/** Reconnects one engine many times, by command and by accident. What is too much at the node meanwhile, and what is left. */
export async function leftByReconnects(count: number, devnode: Devnode): Promise<readonly string[]> {
  const { urls, accounts } = devnode
  const core = createCore({ network: 'simnet', url: urls.json, encoding: 'SerdeJson', reconnect: { baseDelay: 1 } })
  const listening = listenToAll(
    core,
    accounts.map(({ address }) => address),
  )
  await core.connection.connect()
  const usual = await placed(devnode)
  for (let turn = 0; turn < count; turn++) {
    if (turn % 20 === 0) devnode.faults.drop({ how: 'reset' })
    await core.connection.reconnect()
  }
  const doubled = await remains(`after ${count} reconnects`, () => differences(usual, atNode(devnode)))
  listening.unsubscribe()
  const kept = await remains('after the last listener', () => atNode(devnode).slice(1))
  await core.dispose()
  return [...doubled, ...kept, ...(await remains('after its end', () => atNode(devnode)))]
}

/** What the node has of a client whose subscriptions are all in place. */
async function placed(devnode: Devnode): Promise<readonly string[]> {
  await until(() => atNode(devnode).length > 5, 5_000)
  return atNode(devnode)
}

function differences(before: readonly string[], now: readonly string[]): readonly string[] {
  const [expected, found] = [before, now].map((traces) => traces.filter((one) => !one.startsWith('connection ')).sort())
  const sockets = now.length - found!.length
  return [
    ...(String(expected) === String(found) ? [] : [`${String(found)} in place of ${String(expected)}`]),
    ...(sockets === 1 ? [] : [`${sockets} connections`]),
  ]
}
