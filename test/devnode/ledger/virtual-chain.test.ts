import { describe, expect, it } from 'vitest'
import { runQuery, type LedgerMethod } from '../../../src/devnode/ledger/queries/queries.js'
import { Templates } from '../../../src/devnode/ledger/steps/mine.js'
import type { DataVerbosity, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import { recorded, responsesIn } from './recorded.js'
import { utxosOf, FEE, send, walletOf } from './wallet.js'
import { mineOn, mineParallel, simnet } from './simnet.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]

function callerOf(network: ReturnType<typeof simnet>) {
  const scope = { network, templates: new Templates(), nodeVersion: '2.1.0', rpcMode: 'safe' as const, now: 0 }
  return <M extends LedgerMethod>(method: M, request: RpcRequest<M>): RpcResponse<M> => {
    const result = runQuery(scope, method, request)
    if (!result.ok) throw new Error(result.message)
    return result.value
  }
}

interface Pages {
  readonly includeAcceptedTransactionIds: boolean
  readonly pages: readonly { readonly added: number; readonly accepted: number }[]
}

describe('a virtual chain of 2,702 blocks, one with two parallel merged blocks', () => {
  const network = simnet()
  mineOn(network, 1000)
  mineParallel(network, 3)
  mineOn(network, 1701)
  const call = callerOf(network)
  const { genesis } = network.state.dag

  it.each(recorded('virtual-chain-paging').steps as readonly Pages[])(
    'has the pages of a real node, with ids: $includeAcceptedTransactionIds',
    ({ includeAcceptedTransactionIds, pages }) => {
      let startHash = genesis
      const sizes = pages.map(() => {
        const { addedChainBlockHashes: added, acceptedTransactionIds } = call('getVirtualChainFromBlock', {
          startHash,
          includeAcceptedTransactionIds,
        })
        startHash = added.at(-1) ?? startHash
        return { removed: 0, added: added.length, accepted: acceptedTransactionIds.length }
      })
      expect(sizes).toEqual(pages)
    },
  )

  it('ends below the sink with minConfirmationCount', () => {
    const responses = responsesIn(recorded('virtual-chain-paging').minConfirmationCount) as readonly {
      readonly minConfirmationCount: string | null
      readonly added: number
    }[]
    const startHash = network.state.chain.at(network.state.chain.length - 21)
    for (const { minConfirmationCount, added } of responses) {
      const request = {
        startHash,
        includeAcceptedTransactionIds: true,
        ...(minConfirmationCount !== null && { minConfirmationCount: BigInt(minConfirmationCount) }),
      }
      expect(call('getVirtualChainFromBlock', request).addedChainBlockHashes).toHaveLength(added)
    }
  })

  it('has the getBlocks pages of a real node', () => {
    const page = (lowHash?: string) =>
      call('getBlocks', { lowHash, includeBlocks: false, includeTransactions: false }).blockHashes
    const first = page()
    expect([first[0], first.length, new Set(first).size]).toEqual([genesis, 251, 251])
    const second = page(first.at(-1))
    expect([second[0], second.length]).toEqual([first.at(-1), 251])
    const { chain } = network.state
    expect(page(chain.at(chain.length - 21))).toEqual(chain.slice(chain.length - 21))
    expect(page(chain.sink)).toEqual([chain.sink])
  })

  it('rejects an unknown start block', () => {
    const hash = '12'.repeat(32)
    for (const method of ['getVirtualChainFromBlock', 'getVirtualChainFromBlockV2'] as const)
      expect(() => call(method, { startHash: hash, includeAcceptedTransactionIds: false })).toThrow(
        `cannot find header ${hash}`,
      )
    expect(() => call('getBlocks', { lowHash: hash, includeBlocks: false, includeTransactions: false })).toThrow(
      `cannot find header ${hash}`,
    )
    expect(() => call('getBlocks', { includeBlocks: false, includeTransactions: true })).toThrow(
      'If includeTransactions is set, then includeBlockVerboseData must be set as well.',
    )
  })
})

describe('chain blocks with accepted transactions', () => {
  const utxos = utxosOf(alice.address, 2)
  const network = simnet(utxos)
  mineOn(network, 3)
  const startHash = network.state.chain.sink
  const payment = alice.pay(
    utxos,
    [
      { to: bob.address, amount: 300_000_000n },
      { to: alice.address, amount: 19_700_000_000n - FEE },
    ],
    { payload: 'c0ffee' },
  )
  send(network, payment)
  mineOn(network, 2)
  const call = callerOf(network)

  const responses = responsesIn(recorded('v2-verbosity')) as Readonly<Record<DataVerbosity, object>>

  it.each(Object.entries(responses) as [DataVerbosity, object][])(
    'have the fields of a real node: %s',
    (dataVerbosityLevel, response) => {
      const ours = call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel })
      expect(fieldsOf(ours)).toEqual(fieldsOf(response))
    },
  )

  it('default to full verbosity', () => {
    expect(call('getVirtualChainFromBlockV2', { startHash })).toEqual(
      call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'Full' }),
    )
  })
})

/** Paths of all fields; the recording calls the mass `storageMass`. */
function fieldsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value))
    return path.endsWith('parentsByLevel')
      ? [path]
      : value.flatMap((item, index) => fieldsOf(item, `${path}[${String(index)}]`))
  if (typeof value !== 'object' || value === null)
    return value === undefined ? [] : [path.replace('.mass', '.storageMass')]
  if (path.endsWith('scriptPublicKey')) return [path]
  const fields = Object.entries(value).flatMap(([key, field]) => fieldsOf(field, `${path}.${key}`))
  return fields.length === 0 ? [] : fields.sort()
}
