// The virtual chain in batches. Press "Reorg of 3 blocks": a rollback comes before the new blocks.
import { createChainEngine } from 'vue-chain/streams'
import { options } from 'playground'

const engine = createChainEngine(options)

for await (const { rollback, blocks } of engine.followChain()) {
  if (rollback !== null) console.warn('rolled back to blue score', rollback.blueScore)
  for (const { hash, blueScore } of blocks) console.log('blue score', blueScore, hash.slice(0, 12))
}
