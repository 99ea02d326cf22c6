import { firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createLedgerSigner } from '../../src/sdk/ledger/create-ledger-signer.js'
import { newAccount } from '../contract/node/support/payment.js'
import { FakeDevice } from '../sdk/ledger/fake-device.js'
import { addressAt, memoryAmounts, root } from '../sdk/ledger/ledger-account.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const KAS = 100_000_000n
const shop = newAccount(PREFIX)
let node: Kaspad
let engine: ChainEngine

beforeAll(async () => {
  node = await startKaspad({ preallocated: { count: 20, address: addressAt(0, 0), amount: 10n * KAS } })
  engine = createChainEngine({ network: 'simnet', urls: [node.url], heartbeat: false, signedAmounts: memoryAmounts() })
  await engine.connection.connect()
  await node.mine(2, newAccount(PREFIX).address)
})

afterAll(async () => {
  await engine.dispose()
  await node.close()
})

describe('payments signed by the Kaspa app of a Ledger device', () => {
  it('are accepted by the node, with change and compounded', async () => {
    const transport = new FakeDevice({ root, model: 'nanoS' })
    const signer = createLedgerSigner({ transport, accountIndex: 0 })
    const account = await engine.accounts.fromExtendedPublicKey(await signer.extendedPublicKey())
    await account.scan({ history: false })
    for (const amount of [25n * KAS, 150n * KAS]) {
      const tracker = engine.utxos(account)
      await tracker.ready()
      const { source } = await firstValueFrom(tracker.state$)
      const settings = {
        entries: source,
        outputs: [{ address: shop.address, amount }],
        changeAddress: (await account.next({ change: true })).address,
        signer,
      }
      const { transactionIds, summary } = await engine.transactions.send(settings, { waitForFunds: 30_000 })
      await node.mine(4, newAccount(PREFIX).address)
      await expect
        .poll(async () =>
          (await engine.rpc.getUtxosByAddresses([shop.address])).filter((each) => each.amount === amount),
        )
        .toMatchObject([{ outpoint: { transactionId: transactionIds.at(-1), index: 0 } }])
      expect(transport.shown.at(-1)).toMatchObject({ amount })
      expect(summary.transactions).toBe(amount > 100n * KAS ? 2 : 1)
    }
    expect(transport.shown).toHaveLength(3)
  })
})
