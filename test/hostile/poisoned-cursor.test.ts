import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { decodeCursor } from '../../src/model/chain-cursor/cursor.js'
import type { FollowChainOptions } from '../../src/streams/chain/options.js'
import { blockAt, chainOf, chainResponders, hashOf } from './hostile-chain.js'
import { ENCODINGS, startWireNode, type WireNode } from '../wire-node.js'

/**
 * Written by the release that believed any blue work (the second audit attacked it; its format is that of today): an
 * invented block of score 11 with the greatest blue work, on the blocks of `chainOf`.
 */
const CURSOR =
  'AQMYBv_______________________________8ixoaPmvO6GYK1KSrLi0xgpX63DJfhVJShfCaFuUOvECwAAAAAAAABXXzKwjMxdU78MEo0MDLhXnETe0KC4VuOOA11PEQS3uQoAAAAAAAAAI2NvIBjTBKcxLHNmX_F32t9g1wR0Hfr6Te8OBExOye4JAAAAAAAAAEBXLSNX0mG3rdC9fCUs3a2LF9NAdRzEwalxEAwfpsGWBwAAAAAAAABWd0SuXNL2eqXtJNAesWHHQ8m9bGLfLQe79w6mfeRaqwMAAAAAAAAAsoDUGuuZW-N-vnWUyhMDb--p0psZQBWhNwdwF7vg6UcAAAAAAAAAAFEi8AI'

describe.each(ENCODINGS)('F2 a cursor that an older release was made to store, %s', (encoding) => {
  let node: WireNode
  let engine: ChainEngine

  beforeEach(async () => {
    const chain = [...chainOf(10), blockAt(11, { hash: hashOf('honest') }), blockAt(12)]
    node = await startWireNode(
      encoding,
      chainResponders(() => chain),
    )
    engine = createChainEngine({ network: 'simnet', encoding, resolver: false, url: node.url() })
  })
  afterEach(async () => {
    await engine.dispose()
    await node.close()
  })

  const follow = (options: FollowChainOptions = {}) =>
    engine.followChain({ cursor: CURSOR, minConfirmations: 0, detail: 'ids', ...options })

  it('is read, and no block of a node is as heavy: it ends in node-behind, with the remedy', async () => {
    expect(decodeCursor(CURSOR, 'simnet').tip).toMatchObject({ hash: hashOf('lie'), blueWork: 'f'.repeat(48) })
    const { next } = follow({ nodeBehindTimeout: 1 })[Symbol.asyncIterator]()
    await expect(next()).rejects.toMatchObject({
      code: 'node-behind',
      hint: expect.stringContaining("rewind: rewindTo, or onBehind: 'rewind'"),
    })
  })

  it.each<[string, FollowChainOptions]>([
    ['rewindTo a blue score', { rewindTo: '10' }],
    ['rewindTo a block', { rewindTo: hashOf('block 10') }],
    ["onBehind: 'rewind'", { onBehind: 'rewind' }],
  ])('goes on with the chain of the node by %s', async (_, options) => {
    const rollbacks: unknown[] = []
    const hashes: string[] = []
    for await (const { blocks, rollback } of follow(options)) {
      if (rollback !== null) rollbacks.push(rollback)
      hashes.push(...blocks.map(({ hash }) => hash))
      if (hashes.length >= 2) break
    }
    expect(rollbacks).toEqual([expect.objectContaining({ blueScore: 10n })])
    expect(hashes).toEqual([hashOf('honest'), hashOf('block 12')])
  })
})
