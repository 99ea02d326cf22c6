import type { Devnode } from '../../../../src/devnode/index.js'
import { createChainEngine } from '../../../../src/engine/engine.js'
import { light } from '../../../../src/light/index.js'

/** Pays from the first account of a node without mining. */
export interface Customer {
  /** Resolves to the id of the transaction, which is in the mempool. */
  pay(address: string, amount: bigint): Promise<string>
  end(): Promise<void>
}

export async function createCustomer(devnode: Devnode, account = 0): Promise<Customer> {
  const { address: from, privateKeyHex } = devnode.accounts[account]!
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  await engine.connection.connect()
  await engine.wasm.init()
  return {
    async pay(address, amount) {
      const entries = await engine.rpc.getUtxosByAddresses([from])
      const { transactionIds } = await engine.transactions.send({
        entries,
        outputs: [{ address, amount }],
        changeAddress: from,
        privateKeys: [privateKeyHex],
      })
      return transactionIds.at(-1) ?? ''
    },
    end: () => engine.dispose(),
  }
}
