import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { eachFile } from '../lifetimes.js'

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 2 }))

it('transactionStatus$ finds a transaction that was accepted before the subscription', async () => {
  const transactionId = await devnode.fund(devnode.accounts[0]?.address ?? '', 100_000_000n)
  const [accepting] = await devnode.mine(1)
  await devnode.mine(3)
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  const last = await lastValueFrom(engine.transactionStatus$(transactionId, { confirmations: 3 }))
  await engine.dispose()
  expect(last).toMatchObject({ status: 'accepted', acceptingBlockHash: accepting, confirmations: 3 })
})
