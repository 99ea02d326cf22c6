import { beforeAll, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import type { RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { KAS, alice, bob } from './accounts.js'
import { failure } from './failure.js'
import { createLedgerDependencies, queryLedger } from './ledger-dependencies.js'
import { connectionLost, remoteRejection } from './scripted-dependencies.js'

type Submission = (request: RpcRequest<'submitTransaction'>) => RpcResponse<'submitTransaction'>

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const refuse = remoteRejection(
  'submitTransaction',
  "Rejected transaction ab: transaction could not be added to the mempool because it's full with transactions with higher priority",
)

/** What a gateway does with the first submission; further ones reach the node. */
const GATEWAYS: readonly (readonly [string, (toNode: Submission) => Submission, object])[] = [
  [
    'relays it and refuses it',
    (toNode) => (request) => {
      toNode(request)
      return refuse()
    },
    { code: 'remote', reason: 'fee-too-low' },
  ],
  [
    'repeats it, and returns the second reply',
    (toNode) => (request) => {
      toNode(request)
      return toNode(request)
    },
    { code: 'remote', reason: 'duplicate' },
  ],
  ['refuses it without relaying it', () => () => refuse(), { code: 'remote', reason: 'fee-too-low' }],
  ['drops it, and its reply', () => connectionLost('submitTransaction'), { code: 'connection-lost' }],
]

it.each(GATEWAYS)('pays once through a gateway that %s', async (_, gateway, error) => {
  const genesisUtxos = [{ address: alice.address, amount: 30n * KAS }]
  const ledger: Ledger = createLedger({ genesisUtxos })
  const { submitTransaction: toNode } = submissionTo(ledger)
  const first = gateway(toNode)
  let submissions = 0
  const deps = createLedgerDependencies(ledger, sdk, {
    submitTransaction: (request) => (submissions++ === 0 ? first(request) : toNode(request)),
    getVirtualChainFromBlock: (request) => queryLedger(ledger, 'getVirtualChainFromBlock', request),
    getUtxosByAddresses: (request) => queryLedger(ledger, 'getUtxosByAddresses', request),
    getBlocks: (request) => queryLedger(ledger, 'getBlocks', request),
  })
  const { send, restore } = createTransactions(deps)
  const { entries } = queryLedger(ledger, 'getUtxosByAddresses', { addresses: [alice.address] })
  const outputs = [{ address: bob.address, amount: 10n * KAS }]
  const failed = await failure(
    send({ entries, outputs, changeAddress: alice.address, privateKeys: [alice.privateKey] }),
  )
  expect(failed).toMatchObject({ ...error, outcome: 'unknown' })
  if (!(failed instanceof ChainError)) throw failed
  const [payment] = failed.payments ?? []
  if (payment === undefined) throw new Error('The error has no payments')
  expect([payment.id, deps.reserved.size]).toEqual([failed.transactionId, 1])

  expect(await (await restore(payment)).submit()).toBe(payment.id)
  expect(ledger.expected.mempool()).toEqual([payment.id])
})

const submissionTo = (ledger: Ledger): { readonly submitTransaction: Submission } => ({
  submitTransaction: (request) => {
    const response = ledger.call('submitTransaction', request, 1_700_000_000_000)
    return response.ok ? response.value : remoteRejection('submitTransaction', response.message)()
  },
})
