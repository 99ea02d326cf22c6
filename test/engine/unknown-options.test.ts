import { firstValueFrom, of } from 'rxjs'
import { afterAll, describe, expect, it } from 'vitest'
import { createParts } from '../../src/engine/core.js'
import { feature } from '../../src/engine/core-parts.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { blocks } from '../../src/engine/features/blocks.js'
import { chain } from '../../src/engine/features/chain.js'
import { transactionStatus } from '../../src/engine/features/transaction-status.js'
import { transferHistory } from '../../src/engine/features/transfer-history.js'
import { transfers } from '../../src/engine/features/transfers.js'
import { balances, utxos } from '../../src/engine/features/utxos.js'
import { createWatchedAddresses } from '../../src/streams/transfers/watched-addresses.js'

const core = createParts({ network: 'simnet', url: 'ws://127.0.0.1:1', autoConnect: false })
afterAll(() => core.dispose())

const REFUSAL = { code: 'invalid-argument', argument: 'misspelt' }
const options: object = { misspelt: 1 }
const addresses = of<readonly string[]>([])

describe('an unknown option is refused by name', () => {
  it.each<[string, () => unknown]>([
    ['utxos', () => feature(core, utxos)(addresses, options)],
    ['balances$', () => feature(core, balances)(addresses, options)],
    ['acceptedTransactions$', () => feature(core, acceptance).accepted$(options)],
    ['the list of accepted transactions', () => feature(core, acceptance).history(options)],
    ['the list of blocks', () => feature(core, blocks).history(options)],
    ['the history of transfers', () => feature(core, transferHistory)(addresses, options)],
    ['a set of watched addresses', () => createWatchedAddresses().add([], options)],
  ])('%s', (_, call) => {
    expect(call).toThrow(expect.objectContaining(REFUSAL))
  })

  it('followChain', async () => {
    await expect(feature(core, chain).followChain(options).next()).rejects.toMatchObject(REFUSAL)
  })

  it('followTransfers', async () => {
    const batches = feature(core, transfers)({ addresses: [], ...options })
    await expect(batches.next()).rejects.toMatchObject(REFUSAL)
  })

  it('transactionStatus$', async () => {
    const status = await firstValueFrom(feature(core, transactionStatus)('ab'.repeat(32), options))
    expect(status.error).toMatchObject(REFUSAL)
  })
})

it.each([
  ['limit', { limit: 0 }],
  ['limit', { limit: 1.5 }],
  ['mempoolInterval', { mempoolInterval: -1 }],
])('the history of transfers refuses an impossible %s', (argument, impossible) => {
  expect(() => feature(core, transferHistory)(addresses, impossible)).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument }),
  )
})
