import type * as Kaspa from 'kaspa-wasm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { ChainEngine } from '../../src/engine/engine.js'
import { verifyTransaction } from '../../src/operations/transactions/verify-transaction.js'
import { signBinding, digestOf, requestHash } from '../../src/x402/binding/binding.js'
import { createAttemptStore } from '../../src/x402/client/attempts.js'
import { createKaspaClient } from '../../src/x402/client/kaspa-client.js'
import { createKaspaFacilitator, type KaspaFacilitator } from '../../src/x402/server/facilitator.js'
import { createMemoryX402Store } from '../../src/x402/stores/store.js'
import { newAccount } from '../contract/node/support/payment.js'
import { offer, payment, present, URL } from '../x402/support/desk.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'
import { createEngine, fundAccounts, mine } from './payout-queue.js'

let node: Kaspad
let kaspa: typeof Kaspa
let rpc: Kaspa.RpcClient
let engine: ChainEngine
let x402: KaspaFacilitator
let payer: ReturnType<typeof newAccount>
let mining: NodeJS.Timeout

beforeAll(async () => {
  vi.stubGlobal('WebSocket', WebSocket) // the SDK uses the global WebSocket, which Node 20 does not have
  kaspa = (await import('kaspa-wasm')).default
  node = await startKaspad()
  payer = (await fundAccounts(1, node))()
  rpc = new kaspa.RpcClient({ url: node.url, encoding: kaspa.Encoding.Borsh, networkId: 'simnet' })
  await rpc.connect()
  engine = createEngine(node.url)
  await engine.connection.connect()
  await engine.wasm.init()
  x402 = createKaspaFacilitator({ engine, store: createMemoryX402Store(), finality: 3 })
  mining = setInterval(() => void mine(node).catch(() => undefined), 100)
})

afterAll(async () => {
  clearInterval(mining)
  await x402.close()
  await engine.dispose()
  await rpc.disconnect()
  await node.close()
  vi.unstubAllGlobals()
})

it('verifies and settles a payment that the WASM SDK has built and signed, with the masses of the node', async () => {
  const payTo = newAccount(PREFIX).address
  const terms = await offer(x402, payTo)
  const { entries } = await rpc.getUtxosByAddresses([payer.address])
  const { transactions } = await kaspa.createTransactions({
    entries: entries.slice(0, 2),
    outputs: [{ address: payTo, amount: BigInt(terms.amount) }],
    changeAddress: payer.address,
    priorityFee: 1_000_000n, // the default of 1 sompi a gram is below the minimum of nodes since 2.0
    networkId: 'simnet',
  })
  const [pending] = transactions
  pending!.sign([payer.privateKey])
  const transaction = pending!.serializeToSafeJSON()
  const verified = verifyTransaction(transaction, { network: 'simnet' })
  if (!verified.isValid) throw new Error(`${verified.reason}: ${verified.message} ${transaction}`)
  expect(verified).toMatchObject({ id: pending!.id, fee: pending!.feeAmount })
  const paymentOutputIndex = verified.transaction.outputs.findIndex(({ value }) => value === BigInt(terms.amount))
  const hash = requestHash({ method: 'GET', url: URL }, terms)
  const paymentIdentifier = 'payment_of_the_wasm_sdk'
  const authorization = signBinding(
    {
      ...{ network: terms.network, profile: 'standard-native', transactionId: verified.id, paymentOutputIndex },
      ...{ amount: terms.amount, payTo, payToScriptPublicKey: String(terms.extra.payToScriptPublicKey) },
      ...{ paymentRequirementsHash: digestOf(terms), requestHash: hash, paymentIdentifier, inputIndex: 0 },
      expiresAt: new Date(Date.now() + 50_000).toISOString(),
    },
    payer.privateKey,
  )
  const paid = {
    ...{ x402Version: 2, accepted: terms },
    payload: {
      ...{ type: 'exact-transaction', profile: 'standard-native', transaction, paymentOutputIndex },
      ...{ transactionEncoding: 'kaspa-sdk-safe-json-v2.0.0', requestHash: hash, authorization },
    },
    extensions: { 'payment-identifier': { info: { required: true, id: paymentIdentifier } } },
  }
  const seen = present(x402, paid, terms)
  await vi.waitFor(
    async () => {
      const { mempoolEntry } = await rpc.getMempoolEntry({
        transactionId: verified.id,
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      expect(mempoolEntry.fee).toBe(verified.fee)
      expect(BigInt(mempoolEntry.transaction.mass ?? 0)).toBe(verified.storageMass)
    },
    { timeout: 20_000, interval: 10 },
  )
  expect(await seen).toMatchObject({ status: 200, body: 'the report' })
  expect(await present(x402, paid, terms)).toMatchObject({ status: 200, body: 'the report' })
  expect(await engine.rpc.getBalanceByAddress(payTo)).toMatchObject({ balance: BigInt(terms.amount) })
})

it("settles the library's own payments, one after the other from their change", async () => {
  const payTo = newAccount(PREFIX).address
  const terms = await offer(x402, payTo)
  const settings = { engine, privateKey: payer.privateKey, maxPerDay: 10n ** 10n, waitForFunds: 60_000 }
  const client = createKaspaClient({ ...settings, store: createAttemptStore() })
  for (const number of [1, 2, 3]) {
    const url = `${URL}/${number}`
    const paid = await payment(client, structuredClone(terms), url)
    expect(await present(x402, paid, terms, { url })).toMatchObject({ status: 200 })
  }
  expect(await engine.rpc.getBalanceByAddress(payTo)).toMatchObject({ balance: 3n * BigInt(terms.amount) })
})
