import { createCore, type ChainCore } from '../../src/engine/core.js'
import { feature } from '../../src/engine/feature.js'
import { keys } from '../../src/engine/features/keys.js'
import { rpc } from '../../src/engine/features/rpc.js'
import { transactions } from '../../src/engine/features/transactions.js'
import type { DevnodeAccount } from '../../src/devnode/index.js'
import { createBrowserPlatform } from '../../src/platform/browser.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { listenToAll } from './listen.js'
import { atNode, createFlock, inProcess, remains, type World } from './traces.js'

/**
 * Makes engines one after the other, lets each listen to everything and sign a payment, and disposes of it: while it dials,
 * while it is connected, with listeners and without, on a page and on a server. What is left of them.
 */
export async function leftByEngines(count: number, world: World): Promise<readonly string[]> {
  const flock = createFlock('engines')
  for (let turn = 0; turn < count; turn++) flock.add(await liveAndDie(turn, world))
  return remains(`after ${count} engines`, () => [...atNode(world), ...inProcess(world), ...flock.alive()], world)
}

async function liveAndDie(turn: number, { devnode, sdk }: World): Promise<object> {
  const { urls, accounts } = devnode
  const platform = turn % 2 === 0 ? createServerPlatform() : createBrowserPlatform()
  const core = createCore({ network: 'simnet', url: urls.borsh, sdk: () => sdk.load(), ports: { platform } })
  const listening = listenToAll(
    core,
    accounts.map(({ address }) => address),
  )
  if (turn % 4 > 0) await core.connection.connect()
  if (turn % 4 > 0) await signSomething(core, accounts[turn % accounts.length]!)
  if (turn % 4 > 1) await devnode.mine()
  if (turn % 4 > 2) listening.unsubscribe()
  await core.dispose()
  return core
}

/** All that has to do with keys: a phrase, a message, a payment. Each makes objects in WASM. */
async function signSomething(core: ChainCore, { address, privateKeyHex }: DevnodeAccount): Promise<void> {
  await core.wasm.init()
  const { generateMnemonic, signMessage } = feature(core, keys)
  generateMnemonic(12)
  signMessage('Nothing is left behind', privateKeyHex)
  const entries = await feature(core, rpc).getUtxosByAddresses([address])
  const outputs = [{ address, amount: 200_000_000n }]
  const payment = await feature(core, transactions).create({ entries, outputs, changeAddress: address })
  for (const transaction of payment.transactions) transaction.sign([privateKeyHex])
}
