import { describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createRecorder } from '../../../src/engine/recorder/create-recorder.js'
import type { RpcEncoding } from '../../../src/model/network.js'
import { UNKNOWN_UTXOS } from '../../../src/streams/utxos/view/state.js'
import { createReplayNode } from '../../../src/testing/replay/create-replay-node.js'

/** Every DAA score that the app shows. */
function showScores(engine: ChainEngine): readonly bigint[] {
  const scores: bigint[] = []
  engine.virtualDaaScore$.subscribe((score) => scores.push(score))
  return scores
}

/** The UTXOs that the app shows. */
function showUtxos(engine: ChainEngine, address: string) {
  let utxos = UNKNOWN_UTXOS
  engine.utxos([address]).state$.subscribe((state) => (utxos = state))
  return () => ({ freshness: utxos.freshness, balance: utxos.balance, count: utxos.entries.length })
}

/** The same recording; its last event came a second later. */
function delayLast(text: string): string {
  const recording = JSON.parse(text) as { readonly frames: { readonly sockets: { readonly events: [number][] }[] } }
  const last = recording.frames.sockets.at(-1)?.events.at(-1)
  if (last !== undefined) last[0] += 1_000
  return JSON.stringify(recording)
}

describe('a recording of an app whose code was still loading', () => {
  it.each<[RpcEncoding, 'borsh' | 'json']>([
    ['Borsh', 'borsh'],
    ['SerdeJson', 'json'],
  ])('gives the same states to one that subscribes in another order: %s', async (encoding, name) => {
    const devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
    const { address } = devnode.accounts[0]!
    const recorder = createRecorder({ captureFrames: true })
    const recorded = createChainEngine({ network: 'simnet', url: devnode.urls[name], encoding, recorder })
    const scores = showScores(recorded)
    await recorded.connection.connect()
    for (let block = 0; block < 3; block++) {
      await devnode.mine(1)
      await expect.poll(() => scores.at(-1)).toBe(devnode.expected.virtualDaaScore())
    }
    const utxos = showUtxos(recorded, address)
    await devnode.fund(address, 100_000_000n)
    await devnode.mine(1)
    const count = devnode.expected.utxos([address]).length
    await expect.poll(utxos).toMatchObject({ freshness: 'fresh', count })
    const expected = [utxos(), scores.at(-1)]
    const recording = recorder.export({ frames: true })
    await recorded.dispose()
    await devnode.close()

    const replay = createReplayNode(delayLast(recording))
    const replayed = createChainEngine(replay.options)
    const replayedUtxos = showUtxos(replayed, address)
    const replayedScores = showScores(replayed)
    await replay.play()
    expect([replayedUtxos(), replayedScores.at(-1)]).toEqual(expected)
    await replayed.dispose()
  })
})
