import { expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { pollMined } from '../poll-mined.js'
import { RowSink } from './support/row-sink.js'

it('stores where a chain that stands still ends', async () => {
  const devnode = await createDevnode({ accounts: 2, blockInterval: 0 })
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  void engine.connection.connect()
  const sink = new RowSink()
  const controller = new AbortController()
  const watched = devnode.accounts[1]!.address
  const feed = createFeed({ engine, watch: [watched], minConfirmations: 0, sink })
  const running = feed.run({ signal: controller.signal })
  await pollMined(devnode, () => sink.hasAddress(watched)).toBe(true)
  for (let block = 0; block < 12; block++) await devnode.mine()
  const { sinkBlueScore } = await engine.rpc.getSinkBlueScore()
  await expect.poll(() => sink.steps.at(-1)?.blueScore).toBe(sinkBlueScore)
  controller.abort()
  await running
  await engine.dispose()
  await devnode.close()
})
