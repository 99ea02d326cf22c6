import { expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { eachFile } from '../lifetimes.js'
import { connectTo, setupWalletPage } from './wallet-fixture.js'

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 4 }))

const { visit } = setupWalletPage()

it.each([
  ['walletA', 'a'],
  ['walletB', 'b'],
] as const)('%s signs and submits a payment on a devnode, until the chain has accepted it', async (id, key) => {
  const { network, url } = devnode.engineOptions
  const { accounts } = devnode
  const [own, , , recipient] = accounts
  const harness = await connectTo(id, visit({ [key]: { devnode: { engineOptions: { network, url } } } }))
  expect(await harness.state()).toMatchObject({ network: 'simnet', address: own!.address })
  const outcome = await harness.attempt('sendKaspa', recipient!.address, '500000000n')
  expect(outcome).toEqual({ resolved: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown })
  const { resolved } = outcome as { readonly resolved: string }
  expect(devnode.expected.mempool()).toContain(resolved)
  await devnode.mine(2)
  const transfers = devnode.expected.transfers([recipient!.address])
  expect(transfers.map(({ transactionId }) => transactionId)).toContain(resolved)
})
