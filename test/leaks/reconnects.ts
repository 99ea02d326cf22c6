import { createCore } from '../../src/engine/core.js'
import { until } from '../chaos/until.js'
import { listenToAll, TRACES } from './listen.js'
import { atNode, inProcess, remains, type World } from './traces.js'

/** Reconnects one engine many times, by command and by accident. What is too much at the node meanwhile, and what is left. */
export async function leftByReconnects(count: number, world: World): Promise<readonly string[]> {
  const { devnode, patience } = world
  const { urls, accounts } = devnode
  const core = createCore({ network: 'simnet', url: urls.json, encoding: 'SerdeJson', reconnect: { baseDelay: 1 } })
  const listening = listenToAll(
    core,
    accounts.map(({ address }) => address),
  )
  const before = atNode(world)
  await core.connection.connect()
  await until(() => atNode(world).length >= before.length + TRACES, patience)
  const usual = atNode(world)
  for (let turn = 0; turn < count; turn++) {
    if (turn % 20 === 0) devnode.faults.drop({ how: 'reset' })
    await core.connection.reconnect()
  }
  const doubled = await remains(`after ${count} reconnects`, () => differences(usual, atNode(world)), world)
  listening.unsubscribe()
  const kept = await remains('after the last listener', () => atNode(world).slice(1), world)
  await core.dispose()
  return [
    ...doubled,
    ...kept,
    ...(await remains('after its end', () => [...atNode(world), ...inProcess(world)], world)),
  ]
}

function differences(before: readonly string[], now: readonly string[]): readonly string[] {
  const [expected, found] = [before, now].map((traces) => traces.filter((one) => !one.startsWith('connection ')).sort())
  const sockets = now.length - found!.length
  return [
    ...(String(expected) === String(found) ? [] : [`${String(found)} in place of ${String(expected)}`]),
    ...(sockets === 1 ? [] : [`${sockets} connections`]),
  ]
}
