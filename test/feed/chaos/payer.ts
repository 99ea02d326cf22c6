import type { Devnode } from '../../../src/devnode/index.js'
import { createChainEngine } from '../../../src/engine/engine.js'
import { ChainError } from '../../../src/errors/chain-error.js'

const KAS = 100_000_000n

export type Payer = Awaited<ReturnType<typeof createPayer>>

/** Pays from the first account to another one, so that there are debits, and change. */
export async function createPayer(devnode: Devnode) {
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, reconnect: { maxRetries: Infinity } })
  await engine.connection.connect()
  await engine.wasm.init()
  return {
    async pay(random: (below: number) => number): Promise<void> {
      const [from, to] = [devnode.accounts[random(2)]!, devnode.accounts[2 + random(2)]!]
      try {
        const entries = await engine.rpc.getUtxosByAddresses([from.address])
        await engine.transactions.send({
          entries: entries.slice(0, 1 + random(3)),
          outputs: [{ address: to.address, amount: KAS }],
          changeAddress: from.address,
          privateKeys: [from.privateKeyHex],
        })
      } catch (error) {
        if (!(error instanceof ChainError)) throw error // a spent UTXO, or a node that is restarting
      }
    },
    close: () => engine.dispose(),
  }
}
