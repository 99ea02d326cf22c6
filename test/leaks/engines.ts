import { createParts } from '../../src/engine/core.js'
import { type CoreParts, feature } from '../../src/engine/core-parts.js'
import { keys } from '../../src/engine/features/keys.js'
import { rpc } from '../../src/engine/features/node-calls.js'
import { transactions } from '../../src/engine/features/transactions.js'
import type { DevnodeAccount } from '../../src/devnode/index.js'
import { createBrowserPlatform } from '../../src/platform/browser.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { subscribeToAll } from './subscribe-to-all.js'
import { resourcesAtNode, createObjectTracker, resourcesInProcess, leakedAfter, type Environment } from './resources.js'

/**
 * Creates engines sequentially, subscribes to all their streams, signs a payment and disposes of them: while
 * connecting, while connected, with and without subscribers, on both platforms. Resolves to the leaked resources.
 */
export async function engineLeaks(count: number, environment: Environment): Promise<readonly string[]> {
  const tracker = createObjectTracker('engines')
  for (let index = 0; index < count; index++) tracker.add(await useAndDispose(index, environment))
  return leakedAfter(
    `after ${count} engines`,
    () => [...resourcesAtNode(environment), ...resourcesInProcess(environment), ...tracker.alive()],
    environment,
  )
}

async function useAndDispose(index: number, { devnode, sdk }: Environment): Promise<object> {
  const { urls, accounts } = devnode
  const platform = index % 2 === 0 ? createServerPlatform() : createBrowserPlatform()
  const core = createParts({ network: 'simnet', url: urls.borsh, sdk: () => sdk.load(), ports: { platform } })
  const subscription = subscribeToAll(
    core,
    accounts.map(({ address }) => address),
  )
  if (index % 4 > 0) await core.connection.connect()
  if (index % 4 > 0) await signMessageAndPayment(core, accounts[index % accounts.length]!)
  if (index % 4 > 1) await devnode.mine()
  if (index % 4 > 2) subscription.unsubscribe()
  await core.dispose()
  return core
}

/** Generates a mnemonic, signs a message and a payment. Each creates objects in WASM. */
async function signMessageAndPayment(core: CoreParts, { address, privateKeyHex }: DevnodeAccount): Promise<void> {
  await core.wasm.init()
  const { generateMnemonic, signMessage } = feature(core, keys)
  generateMnemonic(12)
  signMessage('A message', privateKeyHex)
  const entries = await feature(core, rpc).getUtxosByAddresses([address])
  const outputs = [{ address, amount: 200_000_000n }]
  const payment = await feature(core, transactions).create({ entries, outputs, changeAddress: address })
  for (const transaction of payment.transactions) transaction.sign([privateKeyHex])
}
