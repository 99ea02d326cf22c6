import { afterEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { FAULT_KINDS, isFaultName } from '../../../src/devnode/faults/kinds.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { createRecorder } from '../../../src/engine/recorder/create-recorder.js'
import type { RpcEncoding } from '../../../src/model/network.js'
import { UNKNOWN_UTXOS } from '../../../src/streams/utxos/view/state.js'
import { FULL } from '../../full.js'
import { createReplayNode } from '../../../src/testing/replay/create-replay-node.js'

/** Faults of connection and traffic, from which a client recovers by itself. */
const KINDS = Object.keys(FAULT_KINDS)
  .filter(isFaultName)
  .filter((name) => !['wrongNetwork', 'noUtxoIndex', 'failRest'].includes(name))

/** Random faults, or steps without them. */
const FAULTS = 8

/** An app that shows an address, the DAA score and blocks, and what it shows. */
function observe(options: ChainEngineOptions, address: string) {
  const engine = createChainEngine(options)
  let utxos = UNKNOWN_UTXOS
  let score = 0n
  const blocks = new Set<string>()
  engine.utxos([address]).state$.subscribe((state) => (utxos = state))
  engine.virtualDaaScore$.subscribe((next) => (score = next))
  engine.blocks$().subscribe(({ hash }) => blocks.add(hash))
  const toText = ({ outpoint, amount }: (typeof utxos.entries)[number]): string =>
    `${outpoint.transactionId}:${outpoint.index} ${amount}`
  return {
    engine,
    states: () => ({
      freshness: utxos.freshness,
      balance: utxos.balance,
      entries: utxos.entries.map(toText).sort(),
      score,
      blocks: [...blocks].sort(),
    }),
  }
}

/**
 * Mines, funds and reorganises while the connection drops once, in the full run while random faults disturb it; then
 * waits until the app has recovered.
 */
async function runChaos(devnode: Devnode, seed: number, address: string, states: ReturnType<typeof observe>['states']) {
  const player = FULL ? devnode.faults.random(seed, 20, KINDS) : undefined
  let steps = 0
  await expect
    .poll(async () => {
      await devnode.mine(1)
      await devnode.fund(address, 100_000_000n)
      await devnode.reorg({ depth: 1 }).catch(() => undefined) // a stalled node has none
      if (++steps === 3 && !FULL) devnode.faults.drop()
      return player?.played.length ?? steps
    })
    .toBeGreaterThanOrEqual(FAULTS)
  devnode.faults.clear()
  await devnode.mine(2)
  const { expected } = devnode
  await expect
    .poll(() => [states().freshness, states().score, states().entries.length])
    .toEqual(['fresh', expected.virtualDaaScore(), expected.utxos([address]).length])
}

describe('a recording of a disturbed run', () => {
  let running: readonly ChainEngine[] = []
  afterEach(() => Promise.all(running.map((engine) => engine.dispose())))

  it.each<[number, RpcEncoding]>([
    [11, 'Borsh'],
    [12, 'SerdeJson'],
  ])('gives the same states when it is replayed: seed %s, %s', async (seed, encoding) => {
    const devnode = await createDevnode({ blockInterval: 0, accounts: 1, seed })
    const address = devnode.accounts[0]?.address ?? ''
    const recorder = createRecorder({ captureFrames: true })
    const url = encoding === 'Borsh' ? devnode.urls.borsh : devnode.urls.json
    const reconnect = { maxRetries: Infinity, baseDelay: 20, maxDelay: 200 }
    const recorded = observe({ network: 'simnet', url, encoding, reconnect, requestTimeout: 2_000, recorder }, address)
    await recorded.engine.connection.connect()
    await runChaos(devnode, seed, address, recorded.states)
    const [states, recording] = [recorded.states(), recorder.export({ frames: true })]
    await recorded.engine.dispose()
    await devnode.close()

    const replay = createReplayNode(recording)
    const replayed = observe(replay.options, address)
    running = [replayed.engine]
    await replay.play()
    expect(replayed.states()).toEqual(states)
    expect(states.blocks.length).toBeGreaterThan(1)
  })
})
