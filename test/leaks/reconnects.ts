import { createParts } from '../../src/engine/core.js'
import { until } from '../chaos/until.js'
import { subscribeToAll, RESOURCES_AT_NODE } from './subscribe-to-all.js'
import { resourcesAtNode, resourcesInProcess, leakedAfter, type Environment } from './resources.js'

/** Reconnects one engine many times, by command and after a drop; resolves to duplicate and leaked resources. */
export async function reconnectLeaks(count: number, environment: Environment): Promise<readonly string[]> {
  const { devnode, timeout } = environment
  const { urls, accounts } = devnode
  const core = createParts({ network: 'simnet', url: urls.json, encoding: 'SerdeJson', reconnect: { baseDelay: 1 } })
  const subscription = subscribeToAll(
    core,
    accounts.map(({ address }) => address),
  )
  const before = resourcesAtNode(environment)
  await core.connection.connect()
  await until(() => resourcesAtNode(environment).length >= before.length + RESOURCES_AT_NODE, timeout)
  const expected = resourcesAtNode(environment)
  for (let index = 0; index < count; index++) {
    if (index % 20 === 0) devnode.faults.drop({ how: 'reset' })
    await core.connection.reconnect()
  }
  const duplicates = await leakedAfter(
    `after ${count} reconnects`,
    () => differences(expected, resourcesAtNode(environment)),
    environment,
  )
  subscription.unsubscribe()
  const unreleased = await leakedAfter(
    'after the last subscriber',
    () => resourcesAtNode(environment).slice(1),
    environment,
  )
  await core.dispose()
  return [
    ...duplicates,
    ...unreleased,
    ...(await leakedAfter(
      'after dispose()',
      () => [...resourcesAtNode(environment), ...resourcesInProcess(environment)],
      environment,
    )),
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
