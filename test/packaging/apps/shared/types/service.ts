/** A service in TypeScript, without the DOM library. */
import { createDevnode } from 'vue-chain/devnode'
import { createMemoryDevnode } from 'vue-chain/devnode/memory'
import { createChainEngine, type UtxoState } from 'vue-chain/streams'
import { createScriptedNode } from 'vue-chain/testing'

export async function watch(onState: (state: UtxoState) => void): Promise<void> {
  const devnode = await createDevnode()
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  const address: string = devnode.accounts[0]?.address ?? ''
  engine.utxos([address]).state$.subscribe(onState)
  const key: Uint8Array = new Uint8Array(32)
  await engine.rpc.getBalanceByAddress(address)
  console.log(key.length)
}

export const parts = { createMemoryDevnode, createScriptedNode }
