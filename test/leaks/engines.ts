import type { Devnode } from '../../src/devnode/index.js'
import { createCore } from '../../src/engine/core.js'
import { listenToAll } from './listen.js'
import { atNode, createFlock, remains } from './traces.js'

/**
 * Makes engines one after the other, lets each listen to everything, and disposes of it: while it dials, while it is
 * connected, with listeners and without. What is left of them.
 */
export async function leftByEngines(count: number, devnode: Devnode): Promise<readonly string[]> {
  const flock = createFlock()
  for (let turn = 0; turn < count; turn++) flock.add(await liveAndDie(turn, devnode))
  return remains(`after ${count} engines`, () => [
    ...atNode(devnode),
    ...(flock.alive() > 0 ? [`${flock.alive()} engines in memory`] : []),
  ])
}

async function liveAndDie(turn: number, { urls, accounts, ...devnode }: Devnode): Promise<object> {
  const core = createCore({ network: 'simnet', url: urls.borsh })
  const listening = listenToAll(
    core,
    accounts.map(({ address }) => address),
  )
  if (turn % 4 > 0) await core.connection.connect()
  if (turn % 4 > 1) await devnode.mine()
  if (turn % 4 > 2) listening.unsubscribe()
  await core.dispose()
  return core
}
